/// A loop on poll(2).
public final class PollLoop: Loop {
    /// Makes a loop without sources.
    public init() {}

    /// See ``Loop``.
    public func addIO(fd: Int32, events: IOEvents, handler: @escaping (IOEvents) -> Void) -> any IOSource { Source() }

    /// See ``Loop``.
    public func addTimer(handler: @escaping () -> Void) -> any TimerSource { Source() }

    /// See ``Loop``.
    public func addBeforeWait(handler: @escaping () -> Void) -> any LoopSource { Source() }

    /// Runs until the condition holds (true), or `stop()` or the deadline (false).
    @discardableResult
    public func run(until condition: () -> Bool = { false }, deadline: ContinuousClock.Instant? = nil) -> Bool { true }

    /// Waits for an event, until the deadline at most, and handles what happened.
    public func iterate(deadline: ContinuousClock.Instant? = nil) {}

    /// Has `run` return after the handler that calls this.
    public func stop() {}
}

private final class Source: IOSource, TimerSource {
    var events: IOEvents = []
    func cancel() {}
    func arm(afterMilliseconds milliseconds: Int) {}
    func disarm() {}
}

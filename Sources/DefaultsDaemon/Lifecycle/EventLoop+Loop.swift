import EventLoop
import LibDBus

/// Drives a bus connection by the daemon's sd-event loop.
final class BusLoop: Loop {
    private let loop: EventLoop
    private let onError: (EventLoopError) -> Void

    /// `onError` is told of a source that couldn't be added; the daemon can't go on then.
    init(_ loop: EventLoop, onError: @escaping (EventLoopError) -> Void) {
        self.loop = loop
        self.onError = onError
    }

    func addIO(fd: Int32, events: LibDBus.IOEvents, handler: @escaping (LibDBus.IOEvents) -> Void) -> any LibDBus.IOSource {
        BusIOSource(
            attempt { () throws(EventLoopError) in
                try loop.addIO(fd: fd, events: events.forLoop) { handler(LibDBus.IOEvents($0)) }
            })
    }

    func addTimer(handler: @escaping () -> Void) -> any LibDBus.TimerSource {
        BusTimerSource(attempt { () throws(EventLoopError) in try loop.addTimer(on: .monotonic, handler: handler) })
    }

    func addBeforeWait(handler: @escaping () -> Void) -> any LoopSource {
        let source = BusDeferredSource()
        loop.defer { if !source.isCancelled { handler() } }
        return source
    }

    private func attempt<T>(_ body: () throws(EventLoopError) -> T) -> T? {
        do throws(EventLoopError) {
            return try body()
        } catch {
            onError(error)
            return nil
        }
    }
}

private final class BusIOSource: LibDBus.IOSource {
    private let source: EventLoop.IOSource?

    init(_ source: EventLoop.IOSource?) { self.source = source }

    var events: LibDBus.IOEvents {
        get { source.map { LibDBus.IOEvents($0.events) } ?? [] }
        set { source?.events = newValue.forLoop }
    }

    func cancel() { source?.cancel() }
}

private final class BusTimerSource: LibDBus.TimerSource {
    private let source: EventLoop.TimerSource?

    init(_ source: EventLoop.TimerSource?) { self.source = source }

    func arm(afterMilliseconds milliseconds: Int) {
        source?.arm(at: SystemTime.monotonic + Int64(milliseconds) * 1_000_000)
    }

    func disarm() { source?.disarm() }

    func cancel() { source?.cancel() }
}

private final class BusDeferredSource: LoopSource {
    private(set) var isCancelled = false

    func cancel() { isCancelled = true }
}

extension LibDBus.IOEvents {
    fileprivate init(_ events: EventLoop.IOEvents) {
        self = []
        if events.contains(.readable) { insert(.readable) }
        if events.contains(.writable) { insert(.writable) }
        if events.contains(.hangUp) { insert(.hangUp) }
        if events.contains(.error) { insert(.error) }
    }

    fileprivate var forLoop: EventLoop.IOEvents {
        var events: EventLoop.IOEvents = []
        if contains(.readable) { events.insert(.readable) }
        if contains(.writable) { events.insert(.writable) }
        return events
    }
}

/// What happened, or is waited for, on a file descriptor.
public struct IOEvents: OptionSet, Sendable {
    /// One bit an event.
    public let rawValue: UInt8

    /// Makes a set of the bits in `rawValue`.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There is something to read, or the end was reached.
    public static let readable = IOEvents(rawValue: 1)
    /// There is room to write.
    public static let writable = IOEvents(rawValue: 2)
    /// The other end is gone; reported whether waited for or not.
    public static let hangUp = IOEvents(rawValue: 4)
    /// The descriptor failed; reported whether waited for or not.
    public static let error = IOEvents(rawValue: 8)
}

/// Something a loop calls.
///
/// The loop keeps a source alive until `cancel()`; letting go of the source does not end it.
public protocol LoopSource: AnyObject {
    /// Ends the source: its handler isn't called again, not even for an event that was already seen. Twice is no error.
    func cancel()
}

/// A file descriptor that a loop watches.
public protocol IOSource: LoopSource {
    /// What is waited for: `readable`, `writable`, both, or nothing. Level-triggered.
    var events: IOEvents { get set }
}

/// A timer that fires once each time it is armed.
public protocol TimerSource: LoopSource {
    /// Fires once, no sooner than `milliseconds` from now; replaces an earlier time.
    func arm(afterMilliseconds milliseconds: Int)

    /// Doesn't fire until armed again.
    func disarm()
}

/// An event loop that can drive a connection.
///
/// Everything happens on the thread that runs the loop: the functions are called there, and so are the handlers, one at a
/// time, never from within the function that adds them.
public protocol Loop: AnyObject {
    /// Watches a descriptor, which the caller keeps open until `cancel()`. There is at most one source a descriptor.
    func addIO(fd: Int32, events: IOEvents, handler: @escaping (IOEvents) -> Void) -> any IOSource

    /// Adds a timer, disarmed.
    func addTimer(handler: @escaping () -> Void) -> any TimerSource

    /// Calls the handler once, before the loop waits the next time; the source is then spent.
    func addBeforeWait(handler: @escaping () -> Void) -> any LoopSource
}

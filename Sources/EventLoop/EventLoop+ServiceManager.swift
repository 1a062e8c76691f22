import CSystemd

extension EventLoop {
    /// What a service tells its manager (sd_notify(3)).
    public enum Notification: Hashable, Sendable {
        /// Started, or reloaded: it can be used now.
        case ready
        /// Reading its configuration anew; ``ready`` follows.
        case reloading
        /// Stopping.
        case stopping
        /// What it is doing, as one line for people.
        case status(String)

        fileprivate var assignments: String {
            switch self {
            case .ready: "READY=1"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(SystemTime.monotonic / 1_000)"
            case .stopping: "STOPPING=1"
            // A line break would end the assignment and begin another.
            case .status(let text): "STATUS=" + String(text.map { $0.isNewline ? " " : $0 })
            }
        }
    }

    /// Tells the service manager; false where there is none that listens.
    ///
    /// Throws what sending to the manager's socket failed with.
    @discardableResult
    public static func notify(_ notification: Notification) throws(EventLoopError) -> Bool {
        try check(sd_notify(0, notification.assignments), "sd_notify") > 0
    }

    /// Has the loop tell the service manager that it is alive, as often as the unit's WatchdogSec asks; false where it asks for none.
    public func enableWatchdog() throws(EventLoopError) -> Bool {
        try check(sd_event_set_watchdog(event, 1), "sd_event_set_watchdog") > 0
    }
}

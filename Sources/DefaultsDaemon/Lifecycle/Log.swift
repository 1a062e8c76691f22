import DefaultsInterface
import Glibc

/// The daemon's log: one line at start, one at stop, otherwise only when something is wrong.
///
/// Never a preference's value.
enum Log {
    /// Syslog priorities, which systemd reads from a line's beginning when standard error is its journal.
    enum Priority: Int {
        case error = 3
        case warning = 4
        case info = 6
    }

    private static let isJournal = getenv("JOURNAL_STREAM") != nil

    /// Writes a line; one that can't be written is lost, since there is nowhere to say so.
    ///
    /// So is one that would have to wait: a pipe that no one reads must not hold up the daemon.
    static func write(_ priority: Priority, _ text: String) {
        var stream = pollfd(fd: StandardStream.error.rawValue, events: Int16(POLLOUT), revents: 0)
        guard poll(&stream, 1, 0) == 1, stream.revents & Int16(POLLOUT) != 0 else { return }
        StandardStream.error.write((isJournal ? "<\(priority.rawValue)>" : "defaultsd: ") + text + "\n")
    }
}

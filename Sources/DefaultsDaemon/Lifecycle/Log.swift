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
    static func write(_ priority: Priority, _ text: String) {
        StandardStream.error.write((isJournal ? "<\(priority.rawValue)>" : "defaultsd: ") + text + "\n")
    }
}

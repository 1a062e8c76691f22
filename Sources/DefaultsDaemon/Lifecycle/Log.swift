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

    static func write(_ priority: Priority, _ text: String) {
        StandardStream.error.write((isJournal ? "<\(priority.rawValue)>" : "defaultsd: ") + text + "\n")
    }
}

/// The program's output, without a buffer: there is little of it, and it must be out before the program ends.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Writes a text; one that can't be written is lost, since there is nowhere to say so.
    func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let start = rest.baseAddress, !rest.isEmpty {
                let count = Glibc.write(rawValue, start, rest.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
    }
}

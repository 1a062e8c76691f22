import Glibc

/// Stands in for systemd's journal, for a program that has it in place of the real one.
public final class JournalSocket {
    private let folder: TemporaryFolder
    private let socket: NotifySocket

    /// Whether this process can put it in another's place of the journal.
    public static var isPossible: Bool { geteuid() == 0 }

    /// Makes the socket.
    public init() throws {
        folder = try TemporaryFolder()
        socket = try NotifySocket(path: folder.path("socket"))
    }

    /// The words before a command that give it this journal, as systemd gives a service one: its standard error is the journal's.
    public var wrapper: [String] {
        let script = """
            mount -t tmpfs run /run && mkdir -p /run/systemd/journal && mount --bind "$0" /run/systemd/journal
            JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec "$@"
            """
        return ["unshare", "--mount", "sh", "-c", script, folder.path]
    }

    /// The next entries, up to one that has this field; throws where the process ends or it doesn't come.
    public func entries(upTo field: String, from process: ChildProcess) throws -> [[String: String]] {
        try socket.datagrams(upTo: field, from: process).map { lines in
            var entry: [String: String] = [:]
            for line in lines {
                guard let sign = line.firstIndex(of: "=") else { throw TestFailure("\(line) is no field of the journal") }
                entry[String(line[..<sign])] = String(line[line.index(after: sign)...])
            }
            return entry
        }
    }
}

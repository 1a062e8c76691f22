import CSystemd
import Glibc

/// systemd's journal, which takes fields beside a message.
public enum Journal {
    /// Whether standard error of this process goes to the journal: then it takes fields too (systemd.exec(5), JOURNAL_STREAM).
    public static var isStandardError: Bool {
        guard let value = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: value) == "\(status.st_dev):\(status.st_ino)"
    }

    /// Sends an entry; false where that fails, or there is no journal.
    ///
    /// The corresponding C function is sd_journal_sendv. Names are of `[A-Z0-9_]`; a value may hold anything.
    public static func send(_ fields: [(name: String, value: String)]) -> Bool {
        var bytes: [UInt8] = []
        var ranges: [Range<Int>] = []
        for field in fields {
            let start = bytes.count
            bytes += Array("\(field.name)=\(field.value)".utf8)
            ranges.append(start..<bytes.count)
        }
        return bytes.withUnsafeMutableBytes { buffer in
            let parts = ranges.map { range in
                iovec(iov_base: buffer.baseAddress.map { $0 + range.lowerBound }, iov_len: range.count)
            }
            return sd_journal_sendv(parts, Int32(parts.count)) >= 0
        }
    }
}

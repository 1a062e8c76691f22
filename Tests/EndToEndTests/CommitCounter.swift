import Glibc
import Support

/// Reads the file beside a store's database that holds the number of its last commit: eight bytes, little-endian.
enum CommitCounter {
    /// The number of commits of the store in `folder`.
    static func read(_ folder: String) throws -> UInt64 {
        let path = folder + "/commit"
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestFailure("open \(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var number: UInt64 = 0
        let count = withUnsafeMutableBytes(of: &number) { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        guard count == 8 else { throw TestFailure("\(path) has \(count) of its 8 bytes") }
        return UInt64(littleEndian: number)
    }
}

import Glibc

/// The side file that knows the number of the last commit: eight bytes, little-endian, written after each commit, not flushed.
///
/// A store behind it has lost its tail. It can itself be behind, after a power cut, or gone: then it says nothing.
final class CommitFile {
    /// The name of the file.
    static let name = "commit"
    private static let size = 8

    private let file: FileDescriptor

    /// Opens the file, making it where there is none.
    init(_ directory: StoreDirectory) throws(StoreError) {
        file = try directory.open(Self.name, O_RDWR | O_CREAT)
    }

    /// No store reaches this number of commits: a file that says so holds junk, as one may that was never flushed.
    private static let limit: UInt64 = 1 << 62

    /// The number last written; 0 where there is none.
    var number: UInt64 {
        guard let bytes = file.read(upTo: Self.size + 1), bytes.count == Self.size else { return 0 }
        let number = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number < Self.limit ? number : 0
    }

    /// Writes the number of a commit that is on disk.
    func write(_ number: UInt64) {
        // A failure leaves the file behind, which costs only the notice of a lost tail, not the tail.
        _ = withUnsafeBytes(of: number.littleEndian) { file.write(Array($0)) }
    }
}

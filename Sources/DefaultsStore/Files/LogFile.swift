import Glibc

/// The -wal as a file, whose room is worth keeping: what is written where something was needs none of a full disk (P11).
///
/// SQLite gives that room back when it empties the -wal. Whoever has filled the disk would take it, and then nothing could be written any more, not
/// even what frees. SQLite never locks this file, so another descriptor of it can be closed.
struct LogFile {
    /// The room that is kept, in bytes: some thirty pages, of which a change that removes touches a few.
    static let room: Int64 = 128 << 10
    /// The length of the header, without which SQLite takes nothing for a part of the log.
    private static let headerSize = 32

    private let directory: StoreDirectory
    private var name: String { FileName.database + FileName.wal }

    init(_ directory: StoreDirectory) { self.directory = directory }

    /// Sets the room aside whatever the log's length is; returns whether that has been done as well as it can be.
    ///
    /// Where the file system can't, the log has the room once it has grown to it.
    func keepRoom() -> Bool {
        guard let file = try? directory.open(name, O_WRONLY) else { return false }
        return [nil, EOPNOTSUPP].contains(file.allocate(Self.room, keepingSize: true))
    }

    /// Makes nothing of what is in the log, on disk when this returns, and gives back what is beyond the room that is kept.
    ///
    /// Only after a complete checkpoint: SQLite then reads nothing in it, and begins it anew, with a header, at the next commit.
    func clear() throws(StoreError) {
        let file = try directory.open(name, O_WRONLY)
        let path = directory.path(of: name)
        let size = Int64(try file.status(path).st_size)
        guard size > 0 else { return }
        var failure = file.write([UInt8](repeating: 0, count: min(Self.headerSize, Int(size))))
        if failure == nil, size > Self.room { failure = file.resize(Self.room) }
        if let number = failure ?? file.flush() { throw StoreError("cleared", path, systemError: number) }
    }
}

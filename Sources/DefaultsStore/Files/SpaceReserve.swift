import Glibc

/// Room on the disk that is kept for what only frees: a file without contents, given up while such a change is written to a full disk (P11).
///
/// Removing something takes room too. The -wal keeps some of its own (``LogFile``), which is enough once what it holds is in the database. This is for
/// the pages by which the database grows then, and for file systems that write nothing in place, as those that copy on write.
struct SpaceReserve {
    /// The name of the file.
    static let name = "reserve"
    /// How large it is, in bytes: four times what the database may wait to grow by when nothing else waits.
    static let size: Int64 = 128 << 10
    /// The least that is worth keeping where the disk has no more.
    private static let leastSize = size / 4
    /// How many times its size must be free for it to be made: a disk so small that it counts is left to the store.
    private static let share: Int64 = 8

    private let directory: StoreDirectory
    /// The room that is taken, in bytes.
    private var held: Int64 = 0
    /// Whether the room in the -wal was asked for.
    private var isLogKept = false

    /// Finds what an earlier process has taken; ``take(isScarce:)`` takes what is missing.
    init(_ directory: StoreDirectory) {
        self.directory = directory
        if case .file(let size, _)? = try? directory.entry(Self.name) { held = min(size, Self.size) }
    }

    /// Takes the room that isn't held, if there is enough of it; `isScarce`: as much as there is.
    ///
    /// Where that fails nothing is lost but the reserve.
    mutating func take(isScarce: Bool = false) {
        guard held < Self.size || !isLogKept else { return }
        guard isScarce || (directory.freeSpace ?? .max) >= Self.size * Self.share else { return }
        if !isLogKept { isLogKept = LogFile(directory).keepRoom() }
        guard held < Self.size, let file = try? directory.open(Self.name, O_WRONLY | O_CREAT) else { return }
        var wanted = Self.size
        while wanted > held {
            if Self.setAside(wanted, file) {
                held = wanted
                return
            }
            // What there was not enough of may have been taken in part.
            _ = file.resize(held)
            guard isScarce, wanted > Self.leastSize else { break }
            wanted /= 2
        }
        // A file that holds nothing would be litter.
        if held == 0 { try? directory.remove(Self.name) }
    }

    /// Gives the room up; returns whether there was any.
    mutating func giveUp() -> Bool {
        guard held > 0, (try? directory.remove(Self.name)) != nil else { return false }
        held = 0
        return true
    }

    /// Takes room for a file; returns whether it has it.
    private static func setAside(_ size: Int64, _ file: FileDescriptor) -> Bool {
        guard let failure = file.allocate(size) else { return true }
        guard failure == EOPNOTSUPP else { return false }
        // Zeros would take nothing where the file system compresses, or leaves out what is zero.
        var state: UInt64 = 1
        let bytes = (0..<size).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        // Until it is flushed, the room may not be taken where the file system is someone else's.
        return file.write(bytes) == nil && file.flush() == nil
    }
}

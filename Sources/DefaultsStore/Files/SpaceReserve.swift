import Glibc

/// Room on the disk that is kept for what only frees: a file without contents, given up while such a change is written to a full disk (P11).
///
/// Removing something takes room too, for the -wal grows by the pages that change. Where the disk's owner has filled it, nothing else would get them out.
struct SpaceReserve {
    /// The name of the file.
    static let name = "reserve"
    /// How large it is, in bytes: some thirty pages, of which a change that removes touches a few.
    static let size: Int64 = 128 << 10
    /// How many times that must be free for it to be made: a disk so small that it counts is left to the store.
    private static let share: Int64 = 8

    private let directory: StoreDirectory
    /// Whether the room is taken.
    private(set) var isHeld = false

    /// Finds what an earlier process has taken; ``take(isScarce:)`` takes it.
    init(_ directory: StoreDirectory) {
        self.directory = directory
        if case .file(let size, _)? = try? directory.entry(Self.name) { isHeld = size >= Self.size }
    }

    /// Takes the room where it isn't held, if there is enough of it; `isScarce`: whatever else is left.
    ///
    /// Where that fails, as on a file system that can't set room aside, nothing is lost but the reserve.
    mutating func take(isScarce: Bool = false) {
        guard !isHeld, isScarce || (directory.freeSpace ?? 0) >= Self.size * Self.share,
            let file = try? directory.open(Self.name, O_WRONLY | O_CREAT)
        else { return }
        isHeld = file.allocate(Self.size) == nil
        // A file that holds nothing would be litter.
        if !isHeld { try? directory.remove(Self.name) }
    }

    /// Gives the room up; returns whether there was any.
    mutating func giveUp() -> Bool {
        guard isHeld, (try? directory.remove(Self.name)) != nil else { return false }
        isHeld = false
        return true
    }
}

import Glibc

/// The names of all files that a store's folder can have, but the lock and the side file.
enum FileName {
    static let database = "defaults.sqlite"
    static let backup = "defaults.backup.sqlite"
    /// A database being made; it gets its name when it is complete and on disk.
    static let newDatabase = "defaults.new.sqlite"
    /// A backup being made.
    static let newBackup = "defaults.backup.new.sqlite"
    /// Folders for databases that were found damaged: the prefix, then a number from 1.
    static let damagedPrefix = "damaged-"

    /// What SQLite appends for the write-ahead log.
    static let wal = "-wal"
    /// What SQLite appends for its other journal.
    static let journal = "-journal"
}

extension StoreDirectory {
    /// Removes what a process that died left half made.
    func removeUnfinished() {
        // What can't be removed is met, and named, when the name is needed again.
        for name in [FileName.newDatabase, FileName.newBackup] { try? removeDatabase(name) }
    }

    /// Removes a database and what SQLite keeps beside it.
    func removeDatabase(_ name: String) throws(StoreError) {
        for suffix in [FileName.wal, FileName.journal, ""] { try remove(name + suffix) }
    }

    /// The highest number of a folder for damaged databases; 0 where there is none.
    ///
    /// Only numbers from which revisions can go on count: a folder with a higher one was not made here.
    func lastDamagedNumber() throws(StoreError) -> UInt64 {
        try names().compactMap { name in
            name.hasPrefix(FileName.damagedPrefix) ? UInt64(name.dropFirst(FileName.damagedPrefix.count)) : nil
        }.filter { $0 < Self.damagedLimit }.max() ?? 0
    }

    /// Numbers from here on would make revisions overflow.
    private static let damagedLimit: UInt64 = 1 << 20

    /// Moves the database and its -wal together into a new folder `damaged-N`, and brings that to disk (P9).
    ///
    /// Returns N.
    func quarantine() throws(StoreError) -> UInt64 {
        var number = try lastDamagedNumber() + 1
        while try !makeFolder(FileName.damagedPrefix + "\(number)") { number += 1 }
        let folder = FileName.damagedPrefix + "\(number)"
        // The database goes first: without it nothing is served, while alone it would pass for an older state.
        for suffix in ["", FileName.wal, FileName.journal] {
            let name = FileName.database + suffix
            if case .absent = try entry(name) { continue }
            try rename(name, to: "\(folder)/\(name)")
        }
        try flush(folder)
        try flush()
        return number
    }

    /// Gives a complete database its name, on disk when this returns.
    func put(_ name: String, inPlaceAs final: String) throws(StoreError) {
        try flush(name)
        try rename(name, to: final)
        try flush()
    }

    /// Makes an empty file for a database, for this user only.
    func makeFile(_ name: String) throws(StoreError) {
        _ = try open(name, O_RDWR | O_CREAT | O_EXCL)
    }

    /// Whether a -wal with something in it stands beside a database; an error where SQLite would meet no regular file.
    func hasWAL(_ name: String) throws(StoreError) -> Bool {
        if case .other = try entry(name + FileName.journal) { throw notRegular(name + FileName.journal) }
        switch try entry(name + FileName.wal) {
        case .absent: return false
        case .file(let size, _): return size > 0
        case .other: throw notRegular(name + FileName.wal)
        }
    }
}

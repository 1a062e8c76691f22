import DefaultsModel

extension UserDatabase {
    /// Whether changes remove rows and add none, so that the database needs no more pages than it has.
    func onlyFrees(_ changes: [RecordChange]) -> Bool {
        changes.allSatisfy { change in
            switch change {
            case .revision: true
            case .domain(let domain, _): domains[domain] != nil
            case .preference(_, _, _, let record): record == nil
            case .onboarding(_, _, let value): value == nil
            case .countdown(_, let value): value == nil
            }
        }
    }

    /// About how much larger the database may become by changes, in bytes.
    static func growth(by changes: [RecordChange]) -> Int64 {
        changes.reduce(into: pagesPerChange) { bytes, change in
            switch change {
            case .revision, .domain: bytes += rowSize
            case .preference(_, _, let key, let record):
                bytes += rowSize + Int64(record.map { PreferenceLimits.size(key, $0.stored) } ?? 0)
            case .onboarding(_, _, let value), .countdown(_, let value): bytes += rowSize + Int64(value?.marshalledSize ?? 0)
            }
        }
    }

    /// What splits when the smallest row is added: a page of each of the three tables that a change is in, and one above them.
    private static let pagesPerChange: Int64 = 4 * 4096
    /// What a row takes beside its key and its value.
    private static let rowSize: Int64 = 160

    /// Does something that leaves pages as they are which become free by it.
    ///
    /// SQLite may have been built to overwrite them with zeros. Then removing much takes as much room in the -wal.
    func keepingFreedPages(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        // 2 stands for what is asked for here.
        let usual = try connection.prepare("PRAGMA secure_delete").integer(.read) ?? 0
        guard usual == 1 else { return try body() }
        try connection.execute("PRAGMA secure_delete = FAST", .write)
        defer { try? connection.execute("PRAGMA secure_delete = ON", .write) }
        try body()
    }
}

import DBusTypes
import DefaultsModel

extension UserDatabase {
    /// Reads and checks all of one domain; a domain that was never written is empty.
    func load(_ domain: DomainName) throws(StoreError) -> DomainContents {
        guard let row = domains[domain] else { return DomainContents() }
        var contents = DomainContents(revision: row.revision)
        var tally = Tally()
        var keys: Int64 = 0
        var bytes: Int64 = 0
        var records = RecordReader(row)
        try connection.statement(.readPreferences).bind(1, row.id).forEachRow(.read) { (record) throws(StoreError) in
            let checksum = try records.read(record)
            try verify(checksum, try record.column(6))
            tally.add(checksum)
            keys += 1
            bytes += records.lastSize
        }
        contents.preferences = records.preferences
        var buffer = RowChecksum()
        try connection.statement(.readOnboarding).bind(1, row.id).forEachRow(.read) { (record) throws(StoreError) in
            let (kind, id, type, value) = (try record.bytes(0), try record.bytes(1), try record.bytes(2), try record.bytes(3))
            let checksum = buffer.onboarding(domain: row.id, kind: kind, id: id, type: type, value: value)
            try verify(checksum, try record.column(4))
            tally.add(checksum)
            guard let kind = OnboardingKind(rawValue: try record.text(kind)) else {
                throw record.damage("a record of onboarding has no valid kind")
            }
            contents.onboarding[OnboardingID(kind, try record.text(id))] = try record.value(type, value)
        }
        guard tally == row.rows, keys == row.keys, bytes == row.bytes else {
            throw connection.damage("rows of the domain \(domain) are missing or from another time")
        }
        return contents
    }

    /// Reads and checks the one row of the table `user`.
    static func readHead(_ connection: Connection) throws(StoreError) -> Head {
        var found: Head?
        var buffer = RowChecksum()
        try connection.statement(.readUser).forEachRow(.read) { (row) throws(StoreError) in
            guard let loss = Loss(rawValue: try row.column(2)) else {
                throw connection.damage("its row of the user is not valid")
            }
            let head = Head(
                revision: UInt64(bitPattern: try row.column(0)), commits: UInt64(bitPattern: try row.column(1)), loss: loss,
                domains: Tally(count: try row.column(3), sum: UInt64(bitPattern: try row.column(4))),
                countdowns: Tally(count: try row.column(5), sum: UInt64(bitPattern: try row.column(6))))
            guard buffer.user(head) == UInt64(bitPattern: try row.column(7)) else {
                throw connection.damage("its row of the user is not what was written")
            }
            found = head
        }
        guard let found else { throw connection.damage("it has no row of the user") }
        return found
    }

    /// Reads and checks the table `domains`.
    func readDomainRows() throws(StoreError) -> [DomainName: DomainRow] {
        var domains: [DomainName: DomainRow] = [:]
        // All rows are read at every start, so each counts. The count is checked with the row that it stands in; more than this grow as they come.
        domains.reserveCapacity(Int(min(max(head.domains.count, 0), 16_384)))
        var tally = Tally()
        var buffer = RowChecksum()
        try connection.statement(.readDomains).forEachRow(.read) { (row) throws(StoreError) in
            // A name is ASCII: one with anything in it that had to be replaced is none.
            guard let name = DomainName(try row.repairedText(1)) else { throw connection.damage("a domain has no valid name") }
            let domain = DomainRow(
                id: try row.column(0), revision: UInt64(bitPattern: try row.column(2)), keys: try row.column(3),
                bytes: try row.column(4), rows: Tally(count: try row.column(5), sum: UInt64(bitPattern: try row.column(6))))
            let checksum = buffer.domain(name.text, domain)
            try verify(checksum, try row.column(7))
            tally.add(checksum)
            domains[name] = domain
        }
        guard tally == head.domains, domains.count == tally.count else {
            throw connection.damage("domains are missing or from another time")
        }
        return domains
    }

    /// Reads and checks the table `countdowns`.
    func readCountdowns() throws(StoreError) -> [String: Value] {
        var countdowns: [String: Value] = [:]
        var tally = Tally()
        var buffer = RowChecksum()
        try connection.statement(.readCountdowns).forEachRow(.read) { (row) throws(StoreError) in
            let (token, type, value) = (try row.bytes(0), try row.bytes(1), try row.bytes(2))
            let checksum = buffer.countdown(token: token, type: type, value: value)
            try verify(checksum, try row.column(3))
            tally.add(checksum)
            countdowns[try row.text(token)] = try row.value(type, value)
        }
        guard tally == head.countdowns else { throw connection.damage("countdowns are missing or from another time") }
        return countdowns
    }

    private func verify(_ computed: UInt64, _ stored: Int64) throws(StoreError) {
        guard computed == UInt64(bitPattern: stored) else { throw connection.damage("a row is not what was written") }
    }
}

/// The columns of each table in the order in which they go into a row's checksum, which is part of the format on disk.
///
/// What is read and what is written both come here, each with the bytes where they lie.
extension RowChecksum {
    /// The checksum of the row of `user`.
    mutating func user(_ head: Head) -> UInt64 {
        begin(.user)
        // The row's id.
        add(1)
        add(Int64(bitPattern: head.revision))
        add(Int64(bitPattern: head.commits))
        add(head.loss.rawValue)
        add(head.domains)
        add(head.countdowns)
        return value
    }

    /// The checksum of a row of `domains`.
    mutating func domain(_ name: String, _ row: DomainRow) -> UInt64 {
        begin(.domains)
        add(row.id)
        add(name)
        add(Int64(bitPattern: row.revision))
        add(row.keys)
        add(row.bytes)
        add(row.rows)
        return value
    }

    /// The checksum of a row of `preferences`.
    mutating func preference(
        domain: Int64, layer: Int64, key: some BytesColumn, type: some BytesColumn, value bytes: some BytesColumn,
        modified: Int64, writer: some BytesColumn
    ) -> UInt64 {
        begin(.preferences)
        add(domain)
        add(layer)
        add(key)
        add(type)
        add(bytes)
        add(modified)
        add(writer)
        return value
    }

    /// The checksum of a row of `onboarding`.
    mutating func onboarding(
        domain: Int64, kind: some BytesColumn, id: some BytesColumn, type: some BytesColumn, value bytes: some BytesColumn
    ) -> UInt64 {
        begin(.onboarding)
        add(domain)
        add(kind)
        add(id)
        add(type)
        add(bytes)
        return value
    }

    /// The checksum of a row of `countdowns`.
    mutating func countdown(token: some BytesColumn, type: some BytesColumn, value bytes: some BytesColumn) -> UInt64 {
        begin(.countdowns)
        add(token)
        add(type)
        add(bytes)
        return value
    }

    private mutating func add(_ tally: Tally) {
        add(tally.count)
        add(Int64(bitPattern: tally.sum))
    }
}

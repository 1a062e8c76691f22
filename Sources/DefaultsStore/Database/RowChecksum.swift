/// Computes the checksum of one row over all its other columns.
///
/// Columns are joined in the order of the table's definition: an integer as eight bytes, little-endian; a text or a BLOB as
/// its length in eight bytes and then its bytes. The seed is the table's number, so that a row can't pass for another table's.
struct RowChecksum {
    /// The tables; the raw value is part of the format on disk.
    enum Table: UInt64 {
        case user = 1
        case domains = 2
        case preferences = 3
        case onboarding = 4
        case countdowns = 5
    }

    private let table: Table
    private var bytes: [UInt8] = []

    init(_ table: Table, capacity: Int = 256) {
        self.table = table
        bytes.reserveCapacity(capacity)
    }

    mutating func add(_ integer: Int64) {
        withUnsafeBytes(of: integer.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ data: UnsafeRawBufferPointer) {
        add(Int64(data.count))
        bytes.append(contentsOf: data)
    }

    mutating func add(_ data: [UInt8]) {
        data.withUnsafeBytes { add($0) }
    }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// The checksum of what was added.
    var value: UInt64 {
        bytes.withUnsafeBytes { XXHash64.hash($0, seed: table.rawValue) }
    }
}

/// How many rows a table, or a domain's part of it, has, and the sum of their checksums modulo 2⁶⁴.
///
/// Kept in another row of the same transaction, so that a row that vanished, or came back from an older state, is found.
struct Tally: Hashable {
    var count: Int64 = 0
    var sum: UInt64 = 0

    mutating func add(_ checksum: UInt64) {
        count &+= 1
        sum &+= checksum
    }

    mutating func remove(_ checksum: UInt64) {
        count &-= 1
        sum &-= checksum
    }

    mutating func replace(_ old: UInt64?, by new: UInt64?) {
        if let old { remove(old) }
        if let new { add(new) }
    }
}

/// Computes the checksums of rows, of each over all its other columns.
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

    private var table = Table.user
    /// Room for the columns, of which `count` bytes are theirs: appending a column to an array costs ten times as much as storing it.
    private var bytes = [UInt8](repeating: 0, count: 256)
    private var count = 0

    /// Begins a row; the memory is that of the row before.
    mutating func begin(_ table: Table) {
        self.table = table
        count = 0
    }

    mutating func add(_ integer: Int64) {
        makeRoom(8)
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: integer.littleEndian, toByteOffset: count, as: Int64.self) }
        count += 8
    }

    mutating func add(_ data: UnsafeRawBufferPointer) {
        add(Int64(data.count))
        makeRoom(data.count)
        bytes.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[count...]).copyMemory(from: data) }
        count += data.count
    }

    mutating func add(_ column: some BytesColumn) {
        column.withColumnBytes { add($0) }
    }

    private mutating func makeRoom(_ size: Int) {
        let missing = count + size - bytes.count
        if missing > 0 { bytes.append(contentsOf: repeatElement(0, count: max(missing, bytes.count))) }
    }

    /// The checksum of what was added.
    var value: UInt64 {
        bytes.withUnsafeBytes { XXHash64.hash(UnsafeRawBufferPointer(rebasing: $0[..<count]), seed: table.rawValue) }
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

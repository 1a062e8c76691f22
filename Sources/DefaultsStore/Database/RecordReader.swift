import DBusTypes
import DefaultsModel

/// Reads the preferences of one domain, row by row: a domain is read whole before its first answer, so each row counts.
///
/// Nothing of a row is copied that isn't kept, and what most rows have in common, type and writer, is made once.
struct RecordReader {
    private let domain: Int64
    private var checksum = RowChecksum(.preferences)
    private var lastType: (bytes: [UInt8], text: String, type: DBusType)?
    private var writer: (bytes: [UInt8], text: String) = ([], "")
    private var user: [PreferenceKey: PreferenceRecord] = [:]
    private var registered: [PreferenceKey: PreferenceRecord] = [:]
    /// What the last row counts for in its domain's size: the bytes of its key and value.
    private(set) var lastSize: Int64 = 0

    init(_ row: DomainRow) {
        domain = row.id
        // The count is checked with the row that it stands in; more than this grow as they come.
        user.reserveCapacity(Int(min(max(row.keys, 0), 16_384)))
    }

    /// What was read.
    var preferences: [StoredLayer: [PreferenceKey: PreferenceRecord]] {
        [.user: user, .registered: registered].filter { !$0.value.isEmpty }
    }

    /// Takes a row of `readPreferences`; returns the checksum that it should have.
    mutating func read(_ row: Statement, of connection: Connection) throws(StoreError) -> UInt64 {
        let layer = try row.column(0)
        let modified = try row.column(4)
        let (key, typeBytes, value) = (try row.borrowedBytes(1), try row.borrowedBytes(2), try row.borrowedBytes(3))
        let writerBytes = try row.borrowedBytes(5)
        checksum.begin()
        checksum.add(domain)
        checksum.add(layer)
        checksum.add(key)
        checksum.add(typeBytes)
        checksum.add(value)
        checksum.add(modified)
        checksum.add(writerBytes)
        lastSize = Int64(key.count + value.count)
        guard let layer = StoredLayer(rawValue: layer), let key = PreferenceKey(try Self.text(key, connection)) else {
            throw connection.damage("a preference has no valid layer and key")
        }
        if !writerBytes.elementsEqual(writer.bytes) {
            writer = (Array(writerBytes), try Self.text(writerBytes, connection))
        }
        let record = PreferenceRecord(try stored(value, typeBytes, connection), modified: modified, writer: writer.text)
        switch layer {
        case .user: user[key] = record
        case .registered: registered[key] = record
        }
        return checksum.value
    }

    private mutating func stored(
        _ value: UnsafeRawBufferPointer, _ typeBytes: UnsafeRawBufferPointer, _ connection: Connection
    ) throws(StoreError) -> StoredValue {
        let (text, type) = try type(typeBytes, connection)
        do throws(MarshallingError) {
            return try StoredValue(type, text, marshalled: value)
        } catch {
            throw connection.damage("a value can't be read")
        }
    }

    private mutating func type(
        _ bytes: UnsafeRawBufferPointer, _ connection: Connection
    ) throws(StoreError) -> (text: String, type: DBusType) {
        if let lastType, bytes.elementsEqual(lastType.bytes) { return (lastType.text, lastType.type) }
        let text = try Self.text(bytes, connection)
        guard let type = DBusType(text) else { throw connection.damage("a value has no valid type") }
        lastType = (Array(bytes), text, type)
        return (text, type)
    }

    private static func text(_ bytes: UnsafeRawBufferPointer, _ connection: Connection) throws(StoreError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw connection.damage("a text is no UTF-8") }
        return text
    }
}

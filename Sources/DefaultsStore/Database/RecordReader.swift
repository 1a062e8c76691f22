import DBusTypes
import DefaultsModel

/// Reads the preferences of one domain, row by row: a domain is read whole before its first answer, so each row counts.
///
/// Nothing of a row is copied that isn't kept, and what most rows have in common, type and writer, is made once.
struct RecordReader {
    private let domain: Int64
    private var checksum = RowChecksum()
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
    mutating func read(_ row: Statement) throws(StoreError) -> UInt64 {
        let (layer, modified) = (try row.column(0), try row.column(4))
        let (key, type, value, writerBytes) = (try row.bytes(1), try row.bytes(2), try row.bytes(3), try row.bytes(5))
        let checksum = checksum.preference(
            domain: domain, layer: layer, key: key, type: type, value: value, modified: modified, writer: writerBytes)
        lastSize = Int64(key.count + value.count)
        guard let layer = StoredLayer(rawValue: layer), let key = PreferenceKey(try row.text(key)) else {
            throw row.damage("a preference has no valid layer and key")
        }
        if !writerBytes.elementsEqual(writer.bytes) { writer = (Array(writerBytes), try row.text(writerBytes)) }
        let record = PreferenceRecord(try stored(value, type, of: row), modified: modified, writer: writer.text)
        switch layer {
        case .user: user[key] = record
        case .registered: registered[key] = record
        }
        return checksum
    }

    private mutating func stored(
        _ value: UnsafeRawBufferPointer, _ typeBytes: UnsafeRawBufferPointer, of row: Statement
    ) throws(StoreError) -> StoredValue {
        let (text, type) = try type(typeBytes, of: row)
        return try row.unmarshal { () throws(MarshallingError) in try StoredValue(type, text, marshalled: value) }
    }

    private mutating func type(
        _ bytes: UnsafeRawBufferPointer, of row: Statement
    ) throws(StoreError) -> (text: String, type: DBusType) {
        if let lastType, bytes.elementsEqual(lastType.bytes) { return (lastType.text, lastType.type) }
        let text = try row.text(bytes)
        let type = try row.type(text)
        lastType = (Array(bytes), text, type)
        return (text, type)
    }
}

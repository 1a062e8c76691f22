import DBusTypes
import Support
import Testing

@testable import DefaultsModel

@Suite("Values as they are kept")
struct StoredValueTests {
    private static let entries = [("a", Value.byte(1)), ("b", .variant(.string("two"))), ("c", .double(-0.0))]

    private static let values: [Value] = [
        .byte(7), .boolean(true), .int64(.min), .uint64(.max), .double(.init(bitPattern: 0x7FF8_0000_0000_0001)), .double(-0.0),
        .string(""),
        .string("Grüße"), .bytes([]), .bytes([1, 2, 3]), .array([String]()), .array(["a", ""]), .vardict([]), .vardict(entries),
        .structure([.byte(1), .vardict(entries), .array([Int32(3)])]), .variant(.variant(.byte(1))),
        .array(ArrayValue(unchecked: (0..<9).map { .variant(.byte($0)) }, of: .variant)),
    ]

    @Test("P3: a value comes back as it was, and its size and notation are known without it", arguments: values)
    func comesBack(value: Value) throws {
        let stored = StoredValue(value)
        #expect(stored.value == value)
        #expect(stored.marshalled() == value.marshalled())
        #expect(stored.marshalledSize == value.marshalledSize)
        #expect(stored.typeText == value.type.text)
        let read = try kept(value.type, value.marshalled())
        #expect(read == stored)
        #expect(read.value == value)
        #expect(StoredValue(unpacked: value) == stored)
        #expect(StoredValue(unpacked: value).hashValue == stored.hashValue)
    }

    @Test("P4: two are equal where their values are")
    func equality() {
        for left in Self.values {
            for right in Self.values { #expect((StoredValue(left) == StoredValue(right)) == (left == right)) }
        }
        let turned = Value.vardict(Self.entries.reversed())
        #expect(StoredValue(turned) == StoredValue(.vardict(Self.entries)))
        #expect(StoredValue(turned).hashValue == StoredValue(.vardict(Self.entries)).hashValue)
        // In one of another length, for what stands between two entries depends on their order.
        #expect(turned.marshalledSize != Value.vardict(Self.entries).marshalledSize)
        #expect(StoredValue(.structure([.variant(turned)])) == StoredValue(.structure([.variant(.vardict(Self.entries))])))
        #expect(StoredValue(.array([Int32(1)])) != StoredValue(.array([UInt32(1)])))
    }

    /// A value as a store reads it.
    private func kept(_ type: DBusType, _ bytes: [UInt8]) throws -> StoredValue {
        try bytes.withUnsafeBytes { try StoredValue(type, type.text, marshalled: $0) }
    }

    @Test("What can't be read back is not kept")
    func junk() {
        #expect(throws: MarshallingError.self) { try kept(.array(of: .int32), [9]) }
        #expect(throws: MarshallingError.self) { try kept(.int32, [1, 0, 0, 0, 0]) }
    }
}

import DBusTypes
import Testing

@Suite("Marshalling")
struct MarshallingTests {
    @Test("bytes come back as the value that they were made of")
    func roundTrip() throws {
        let value = Value.vardict([("a", .int32(-1)), ("b", .array([1.5, -0.0])), ("c", .structure([.byte(1), .string("é")]))])
        let bytes = value.marshalled()
        #expect(bytes.count == value.marshalledSize)
        #expect(try Value(marshalled: bytes, type: value.type) == value)
    }
}

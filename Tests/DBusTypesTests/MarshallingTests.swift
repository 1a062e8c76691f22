import DBusTypes
import Support
import Testing

@Suite("Marshalling")
struct MarshallingTests {
    @Test("P3: every sample value comes back from its bytes with the same type and bits", arguments: SampleValues.all)
    func samples(_ value: Value) throws {
        let bytes = value.marshalled()
        #expect(bytes.count == value.marshalledSize)
        let back = try Value(marshalled: bytes, type: value.type)
        #expect(back == value)
        #expect(back.type == value.type)
        #expect(value.hasType(value.type))
    }

    @Test("P3: 5,000 random values come back from their bytes")
    func random() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<5_000 {
            let type = generator.type(depth: 5)
            let value = generator.value(type, depth: 5)
            let bytes = value.marshalled()
            try #require(bytes.count == value.marshalledSize)
            try #require(try Value(marshalled: bytes, type: type) == value)
        }
    }

    @Test("scenario 5: bytes with flipped bits, cut or lengthened, are an error or exactly the value that they spell")
    func damaged() {
        var generator = SeededGenerator(seed: 2)
        var refused = 0
        for _ in 0..<20_000 {
            let type = generator.type(depth: 4)
            var bytes = generator.value(type, depth: 4).marshalled()
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
            case 1: bytes.append(UInt8.random(in: 0...255, using: &generator))
            default:
                guard !bytes.isEmpty else { continue }
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
            guard let value = try? Value(marshalled: bytes, type: type) else {
                refused += 1
                continue
            }
            // The format has one spelling a value.
            #expect(value.marshalled() == bytes)
            #expect(value.type == type)
        }
        #expect(refused > 5_000)
    }

    @Test("random bytes never trap, whatever type they are read as")
    func junk() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<50_000 {
            let type = generator.type(depth: 4)
            let bytes = (0..<Int.random(in: 0...64, using: &generator)).map { _ in
                // Small numbers make lengths that lead somewhere.
                UInt8.random(in: 0...(Bool.random(using: &generator) ? 255 : 8), using: &generator)
            }
            if let value = try? Value(marshalled: bytes, type: type) { #expect(value.marshalled() == bytes) }
        }
    }

    @Test(
        "each rule of the format is checked",
        arguments: [
            ("i", [1, 0, 0], MarshallingError.Reason.truncated),
            ("y", [1, 2], .trailingBytes),
            ("(yi)", [1, 9, 0, 0, 1, 0, 0, 0], .paddingNotZero),
            ("b", [2, 0, 0, 0], .booleanNotZeroOrOne),
            ("s", [1, 0, 0, 0, 0xFF, 0], .notUTF8),
            ("s", [1, 0, 0, 0, 0, 0], .embeddedNull),
            ("s", [1, 0, 0, 0, 97, 1], .missingNull),
            ("s", [0xFF, 0xFF, 0xFF, 0xFF, 97, 0], .truncated),
            ("o", [1, 0, 0, 0, 97, 0], .invalidObjectPath),
            ("g", [1, 123, 0], .invalidSignature),
            ("v", [2, 121, 121, 0, 1, 1], .invalidSignature),
            ("v", [0, 0], .invalidSignature),
            ("ai", [1, 0, 0, 4], .arrayTooLong),
            ("ai", [8, 0, 0, 0, 1, 0, 0, 0], .truncated),
            ("ai", [3, 0, 0, 0, 1, 0, 0, 0], .truncated),
            ("h", [0, 0, 0, 0], .fileDescriptor),
        ] as [(String, [UInt8], MarshallingError.Reason)])
    func rules(_ type: String, _ bytes: [UInt8], _ reason: MarshallingError.Reason) throws {
        let type = try #require(DBusType(type))
        let error = #expect(throws: MarshallingError.self) { try Value(marshalled: bytes, type: type) }
        #expect(error?.reason == reason)
    }

    @Test("64 variants nest, 65 don't")
    func nesting() throws {
        let deepest = SampleValues.variants(64)
        #expect(try Value(marshalled: deepest.marshalled(), type: .variant) == deepest)
        let deeper = SampleValues.variants(65).marshalled()
        let error = #expect(throws: MarshallingError.self) { try Value(marshalled: deeper, type: .variant) }
        #expect(error?.reason == .nestedTooDeeply)
    }

    @Test("depth counts containers around the deepest scalar")
    func depth() {
        #expect(Value.byte(1).depth == 0)
        #expect(Value.bytes([]).depth == 1)
        #expect(Value.array([String]()).depth == 1)
        #expect(Value.structure([.byte(1), .variant(.byte(1))]).depth == 2)
        #expect(Value.vardict([]).depth == 1)
        #expect(Value.vardict([("a", .byte(1))]).depth == 2)
        #expect(SampleValues.variants(60).depth == 60)
    }
}

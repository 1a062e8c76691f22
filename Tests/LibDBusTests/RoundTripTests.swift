import CDBus
import DBusTypes
import Glibc
import Support
import Testing

@testable import LibDBus

@Suite("Values on the bus")
struct RoundTripTests {
    @Test("P3, scenario 8: every type comes back through a real bus with the same type and bits")
    func samples() throws {
        let pair = try Pair()
        for value in SampleValues.all {
            let answer = try pair.ask(EchoHandler.interface, "Echo", [.variant(value)])
            #expect(answer == [.variant(value)])
            guard case .variant(let inner)? = answer.first else { continue }
            #expect(inner.type == value.type)
        }
    }

    @Test("P3: random values come back through a real bus")
    func random() throws {
        let pair = try Pair()
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let value = generator.value(generator.type(depth: 5), depth: 5)
            try #require(try pair.ask(EchoHandler.interface, "Echo", [.variant(value)]) == [.variant(value)])
        }
    }

    @Test("scenario 7: variants 60 deep come back; 62 are the most that an argument variant and its call leave room for")
    func deep() throws {
        let pair = try Pair()
        for depth in [60, 63] {
            let value = SampleValues.variants(depth)
            #expect(try pair.ask(EchoHandler.interface, "Echo", [.variant(value)]) == [.variant(value)])
        }
        let error = try pair.error(EchoHandler.interface, "Echo", [.variant(SampleValues.variants(64))])
        #expect(error.name == .limitsExceeded)
        #expect(pair.client.isConnected)
    }

    @Test("the bus takes what the writer takes: dictionaries count two levels")
    func deepDictionaries() throws {
        let pair = try Pair()
        func nested(_ levels: Int, in value: Value) -> Value {
            (0..<levels).reduce(value) { inner, _ in .vardict([("k", inner)]) }
        }
        // Each a{sv} takes three levels: array, entry, variant.
        let deepest = nested(21, in: .byte(1))
        #expect(try pair.ask(EchoHandler.interface, "Echo", [.variant(deepest)]) == [.variant(deepest)])
        let error = try pair.error(EchoHandler.interface, "Echo", [.variant(nested(22, in: .byte(1)))])
        #expect(error.name == .limitsExceeded)
    }

    @Test("a message of 40 MB goes there and back, and another behind it isn't left lying")
    func large() throws {
        let pair = try Pair()
        let value = Value.bytes([UInt8](repeating: 0xA5, count: 40_000_000))
        var answers: [Result<[Value], DBusError>] = []
        for _ in 0..<2 {
            pair.client.send(
                pair.service.uniqueName, "/org/example/echo", EchoHandler.interface, "Echo", [.variant(value)]
            ) { answers.append($0) }
        }
        pair.wait(for: "both answers", seconds: 60) { answers.count == 2 }
        for answer in answers { #expect(try answer.get() == [.variant(value)]) }
    }

    @Test("the marshaller writes what libdbus writes, and both read it alike", arguments: SampleValues.all)
    func marshaller(_ value: Value) throws {
        try compareWithLibDBus(value)
    }

    @Test("the marshaller writes what libdbus writes for 3,000 random values")
    func randomMarshaller() throws {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<3_000 { try compareWithLibDBus(generator.value(generator.type(depth: 5), depth: 5)) }
    }

    private func compareWithLibDBus(_ value: Value) throws {
        let message = try Message.signal("/", "a.b", "C", to: nil)
        try MessageWriter.append([value], to: message.pointer, limit: WireLimits.messageBytes)
        dbus_message_set_serial(message.pointer, 1)
        var buffer: UnsafeMutablePointer<CChar>?
        var length: Int32 = 0
        try #require(dbus_message_marshal(message.pointer, &buffer, &length) != 0)
        defer { dbus_free(buffer) }
        let bytes = UnsafeRawBufferPointer(start: buffer, count: Int(length))
        let body = Int(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        #expect([UInt8](bytes.suffix(body)) == value.marshalled())
        #expect(try MessageReader.arguments(of: message.pointer) == [value])
    }

    @Test("a file descriptor travels; the sender's own stays open")
    func descriptors() throws {
        let pair = try Pair()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let writing = UnixFD(owning: ends[1]) { close($0) }
        let answer = try pair.ask(EchoHandler.interface, "Echo", [.variant(.unixFD(writing))])
        guard case .variant(.unixFD(let travelled))? = answer.first else {
            Issue.record("no descriptor came back")
            return
        }
        #expect(travelled.number != writing.number)
        #expect(write(travelled.number, "x", 1) == 1)
        #expect(fcntl(writing.number, F_GETFD) >= 0)
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 1)
        #expect(byte == UInt8(ascii: "x"))
        close(ends[0])
    }

    @Test("more descriptors than the bus lets through are refused here")
    func tooManyDescriptors() throws {
        let pair = try Pair()
        let null = UnixFD(owning: open("/dev/null", O_RDONLY)) { close($0) }
        let sixteen = Value.array(ArrayValue(unchecked: Array(repeating: .unixFD(null), count: 16), of: .unixFD))
        let answer = try pair.ask(EchoHandler.interface, "Echo", [.variant(sixteen)])
        guard case .variant(.array(let array))? = answer.first else {
            Issue.record("no array came back")
            return
        }
        #expect(array.count == 16)
        let seventeen = Value.array(ArrayValue(unchecked: Array(repeating: .unixFD(null), count: 17), of: .unixFD))
        #expect(try pair.error(EchoHandler.interface, "Echo", [.variant(seventeen)]).name == .limitsExceeded)
    }
}

import DBusTypes
import DefaultsInterface
import Glibc
import Support
import Testing

@Suite("Memory of what is stored")
struct StoreMemoryTests {
    private static let app = "org.example.App"

    @Test("P12: arrays of small values take in memory about what they take on disk, and it is given back when they go")
    func nestedValues() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        func resident() throws -> Int { try Self.resident(daemon) }
        // One that is watched stays in memory however much it is.
        try client.watch(Self.app)
        let elements = (0..<100_000).map { Value.variant(.byte(UInt8(truncatingIfNeeded: $0))) }
        let value = Value.array(ArrayValue(unchecked: elements, of: .variant))
        // What a message of this size takes on its way is not asked for here.
        for _ in 0..<2 {
            try client.set(Self.app, "key", value)
            #expect(try client.get(Self.app, "key") == value)
            try client.reset(Self.app, "key")
        }
        let before = try resident()
        for number in 0..<12 { try client.set(Self.app, "key\(number)", value) }
        let stored = 12 * value.marshalledSize
        let held = try resident() - before
        // Taken apart, they would be about 100 MB.
        #expect(held < 5 * stored, "\(stored) bytes of values take \(held)")
        try client.preferences(PreferencesInterface.resetDomain, .string(Self.app))
        let left = try resident() - before
        #expect(left < 3 * stored, "of \(held) bytes \(left) are left")
    }

    @Test("P12: what the answer of a large GetAll takes is given back once it is sent")
    func largeAnswers() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        let elements = (0..<100_000).map { Value.variant(.byte(UInt8(truncatingIfNeeded: $0))) }
        let value = Value.array(ArrayValue(unchecked: elements, of: .variant))
        let stored = 12 * value.marshalledSize
        let before = try Self.resident(daemon)
        for number in 0..<12 { try client.set(Self.app, "key\(number)", value) }
        for _ in 0..<3 { #expect(try client.getAll(Self.app)?.count == 12) }
        // The daemon takes the next call after it has done what follows an answer.
        #expect(try client.get(Self.app, "none") == nil)
        let held = try Self.resident(daemon) - before
        // Taken apart, they would be about 100 MB.
        #expect(held < 4 * stored, "\(stored) bytes of values take \(held)")
    }

    private static func resident(_ daemon: Daemon) throws -> Int {
        let pages = try String(contentsOfFile: "/proc/\(daemon.process.identifier)/statm").split(separator: " ")
        return (Int(pages[1]) ?? 0) * Int(getpagesize())
    }
}

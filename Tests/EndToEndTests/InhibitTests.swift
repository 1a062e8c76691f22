import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Admin: who has nothing shown")
struct InhibitTests {
    private static func inhibit(_ client: Client, _ reason: String = "a film") throws -> UInt64 {
        let reply = try client.call(AdminInterface.name, AdminInterface.inhibit, .string(reason))
        return try #require(reply.first?.get(as: UInt64.self))
    }

    private static func uninhibit(_ client: Client, _ cookie: UInt64) throws {
        try client.call(AdminInterface.name, AdminInterface.uninhibit, .uint64(cookie))
    }

    @Test("A cookie is given back once, by its holder alone, also after the daemon was killed")
    func cookies() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        let other = try Client(on: bus)
        let first = try Self.inhibit(client)
        let second = try Self.inhibit(client)
        #expect(first != second)
        try daemon.kill9()
        try daemon.restart()
        #expect(try client.error { try Self.uninhibit(other, first) }?.name == ErrorNames.notFound)
        try Self.uninhibit(client, first)
        #expect(try client.error { try Self.uninhibit(client, first) }?.name == ErrorNames.notFound)
        try Self.uninhibit(client, second)
    }

    @Test("A seventeenth cookie of one connection is refused, and so is a reason over 1,024 bytes")
    func limits() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        defer { withExtendedLifetime(daemon) {} }
        let client = try Client(on: bus)
        for _ in 1...16 { _ = try Self.inhibit(client) }
        #expect(try client.error { try Self.inhibit(client) }?.name == ErrorNames.limitExceeded)
        let other = try Client(on: bus)
        let long = String(repeating: "x", count: 1_025)
        #expect(try client.error { try Self.inhibit(other, long) }?.name == ErrorNames.invalidArgument)
        _ = try Self.inhibit(other)
    }
}

import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("The owner of a transition, over restarts of the daemon")
struct LaunchOwnerTests {
    private let owner = ConnectionName(bus: "0123", name: ":1.7")

    @Test("L1, L2: the owner gets its answer again from what was stored, also after others recorded; no one else does")
    func answeredAgain() throws {
        let version = try Version("1.1")
        var history = LaunchHistory()
        _ = history.record(try Version("1.0"), by: ConnectionName(bus: "0123", name: ":1.6"), at: .start)
        let launch = history.record(version, by: owner, at: .start)
        _ = history.record(version, by: ConnectionName(bus: "0123", name: ":1.8"), at: .start)
        let stored = try #require(history.stored)
        let restored = try #require(LaunchHistory(stored: stored))
        #expect(restored.stored == stored)
        #expect(restored.ownerAnswer(to: owner, version: version) == launch)
        #expect(restored.ownerAnswer(to: owner, version: try Version("1.1.0")) == launch, "equal by V2")
        #expect(restored.ownerAnswer(to: owner, version: try Version("1.2")) == nil)
        #expect(restored.ownerAnswer(to: ConnectionName(bus: "0123", name: ":1.8"), version: version) == nil)
        #expect(restored.ownerAnswer(to: ConnectionName(bus: "4567", name: ":1.7"), version: version) == nil, "another bus (S1)")
    }

    @Test("P8: an answer that can't be read is damage")
    func damage() throws {
        var history = LaunchHistory()
        _ = history.record(try Version("1.0"), by: owner, at: .start)
        let entries = try #require(history.stored?.dictionary).entries
        let broken = DictionaryValue(
            unchecked: entries.map { entry in
                entry.key == .string("owner_answer") ? .init(entry.key, .variant(.vardict([("bus", .string(""))]))) : entry
            }, key: .string, value: .variant)
        #expect(LaunchHistory(stored: .dictionary(broken)) == nil)
    }
}

import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("How many domains a user may have")
struct DomainLimitTests {
    private static let third = DomainName("org.example.Third") ?? .global
    private static let names = (0..<LaunchLimits.domains - 2).compactMap { DomainName("org.example.Known\($0)") }

    /// A user with room for two more.
    private let fixture = LedgerFixture(
        StoreSummary(revision: 2, domains: Dictionary(uniqueKeysWithValues: names.map { ($0, DomainSummary(revision: 2)) })))

    @Test("P12: domains that are about to be written count, whether with a preference or a record, each once")
    func pending() {
        fixture.set("a", .byte(1), in: LedgerFixture.app)
        fixture.set("b", .byte(1), in: LedgerFixture.app)
        fixture.submit("record") { _ in
            Outcome(changes: [.onboarding(LedgerFixture.other, OnboardingID(.flag, "f"), .byte(1))])
        }
        fixture.set("d", .byte(1), in: Self.third)
        fixture.set("c", .byte(1), in: LedgerFixture.other)
        fixture.commitAll()
        fixture.set("e", .byte(1), in: Self.third)
        fixture.set("f", .byte(1), in: LedgerFixture.other)
        fixture.commitAll()
        let refused = fixture.log.filter { $0.hasSuffix(ModelError.Code.limitExceeded.rawValue) }.map { $0.prefix(5) }
        #expect(refused == ["set d", "set e"])
        #expect(fixture.results.count == 7)
    }

    @Test("P12: a domain that is known is in no one's way, also where the user has as many as may be")
    func known() throws {
        fixture.set("a", .byte(1), in: LedgerFixture.app)
        fixture.set("b", .byte(1), in: LedgerFixture.other)
        fixture.commitAll()
        let view = fixture.ledger.committedView
        for domain in [Self.names[0], LedgerFixture.app] { try view.checkRoom(for: domain) }
        let error = #expect(throws: ModelError.self) { try view.checkRoom(for: Self.third) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message == "This user has 10000 domains already; at most 10000 are allowed.")
    }
}

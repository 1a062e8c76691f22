import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Numbers that an import brings")
struct ImportedNumberTests {
    private let fixture = LedgerFixture()

    @Test("A counter at its largest number stays there, and nothing traps")
    func counters() throws {
        var shown = try #require(
            GuideStatistics(
                stored: .vardict([
                    ("shown", .uint64(.max)), ("furthest", .uint32(.max)), ("released", .uint64(.max)),
                ])))
        shown.countShown(at: 1)
        shown.count(.released)
        #expect(shown.dictionary.dictionary?["shown"] == .uint64(.max))
        #expect(shown.dictionary.dictionary?["released"] == .uint64(.max))
    }

    @Test("Launches go on being recorded where their number is the largest")
    func launches() throws {
        var history = LaunchHistory()
        _ = history.record(try Version("1.0"), at: .start)
        let entries = try #require(history.stored?.dictionary?.entries).map { entry in
            entry.key == .string("launches") ? DictionaryValue.Entry(entry.key, .variant(.uint64(.max))) : entry
        }
        let stored = Value.dictionary(DictionaryValue(unchecked: entries, key: .string, value: .variant))
        var imported = try #require(LaunchHistory(stored: stored))
        let launch = imported.record(try Version("1.1"), at: .start)
        #expect(launch.kind == .upgrade && launch.launches == .max)
    }

    @Test("An application that has records and no preferences is among the domains: it is exported, and counted")
    func knownDomains() {
        fixture.submit("flag") { _ in
            Outcome(changes: [
                .onboarding(LedgerFixture.app, OnboardingID(.flag, "f"), .vardict([("format", .uint32(1)), ("when", .int64(7))]))
            ])
        }
        fixture.commitAll()
        let view = fixture.ledger.committedView
        #expect(view.transferableDomains.contains(LedgerFixture.app))
        #expect(view.transfer(of: view.transferableDomains, onboarding: true).onboarding[LedgerFixture.app]?.count == 1)
    }
}

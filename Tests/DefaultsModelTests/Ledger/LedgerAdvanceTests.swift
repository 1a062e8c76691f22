import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("What a ledger tells those who keep copies")
struct LedgerAdvanceTests {
    private let fixture = LedgerFixture()
    private let told = Told()

    private final class Told { var advances: [Advance] = [] }

    init() {
        fixture.ledger.onAdvance = { [told] advance in told.advances.append(advance) }
    }

    @Test("P6: every change of a batch is told, once each, when the state has advanced and before the first answer")
    func order() {
        var atAdvance: [(value: Value?, answers: Int)] = []
        fixture.ledger.onAdvance = { [fixture] _ in atAdvance.append((fixture.value("n"), fixture.results.count)) }
        fixture.set("n", .int64(1))
        fixture.set("n", .int64(2))
        #expect(fixture.ledger.takeBatch() != nil)
        #expect(atAdvance.isEmpty)
        fixture.ledger.batchCommitted()
        #expect(atAdvance.map(\.value) == [.int64(1), .int64(2)])
        #expect(atAdvance.map(\.answers) == [0, 0] && fixture.results.count == 2)
    }

    @Test("A change names its domain; what changes no row, or fails, is no advance")
    func domains() {
        fixture.set("n", .int64(1))
        fixture.set("n", .int64(1), in: LedgerFixture.other)
        fixture.set("n", .int64(1))
        fixture.set("g", .int64(1), in: .global)
        fixture.submit("launch") { _ in
            Outcome(changes: [.onboarding(LedgerFixture.app, OnboardingID(.launches), .byte(1)), .countdown("token", nil)])
        }
        fixture.submit("refused") { _ throws(ModelError) in throw ModelError(.outOfRange, "No.") }
        fixture.commitAll()
        #expect(fixture.results.count == 6)
        #expect(told.advances == [.domains([LedgerFixture.app]), .domains([LedgerFixture.other]), .domains([.global])])
        fixture.set("n", .int64(2))
        #expect(fixture.ledger.takeBatch() != nil)
        fixture.ledger.batchFailed(ModelError(.storageFull, "The disk is full."))
        #expect(told.advances.count == 3)
    }

    @Test("P6: a change that no reader sees moves the revision, and is told all the same")
    func maskedChange() {
        fixture.ledger.watchedDomains = [LedgerFixture.app]
        fixture.set("n", .int64(1))
        fixture.commitAll()
        fixture.set("n", .int64(2), in: .global)
        fixture.commitAll()
        #expect(fixture.changes.map(\.domain) == [LedgerFixture.app, .global])
        #expect(told.advances.last == .domains([.global]))
    }

    @Test("P9: another store in the place of a damaged one moves everything, before what was under way is refused")
    func replacement() {
        var answers: [Int] = []
        fixture.ledger.onAdvance = { [fixture, told] advance in
            told.advances.append(advance)
            answers.append(fixture.results.count)
        }
        fixture.set("n", .int64(1))
        fixture.ledger.replace(with: StoreSummary(), error: ModelError(.unavailable, "Another store is in its place."))
        #expect(told.advances == [.everything] && answers == [0] && fixture.results.count == 1)
    }

    @Test("Other configuration files move everything, also where the store can't take note of them")
    func files() {
        let key = LedgerFixture.key("theme")
        fixture.take(FileLayers(machine: [LedgerFixture.app: [key: .string("dark")]]))
        fixture.commitAll()
        #expect(told.advances == [.everything] && fixture.value("theme") == .string("dark"))
        _ = fixture.ledger.takeFilesInMemory(FileLayers())
        #expect(told.advances == [.everything, .everything] && fixture.value("theme") == nil)
    }

    @Test("P5: one transaction in global and a watched domain is one signal for each, which mirrors count on")
    func severalDomains() {
        fixture.ledger.watchedDomains = [LedgerFixture.app]
        fixture.submit("import") { view throws(ModelError) in
            var outcome = Outcome()
            for (domain, key) in [(LedgerFixture.app, "own"), (.global, "shared")] {
                let writes = PreferenceWrites(domain, writer: ":1.1", wall: 7)
                outcome.changes += try writes.set(LedgerFixture.key(key), to: .int64(1), in: view).changes
            }
            return outcome
        }
        fixture.commitAll()
        #expect(fixture.changes.map(\.domain) == [LedgerFixture.app, .global])
        #expect(fixture.changes.first?.changed.map(\.key) == [LedgerFixture.key("own"), LedgerFixture.key("shared")])
        #expect(told.advances == [.domains([LedgerFixture.app, .global])])
    }
}

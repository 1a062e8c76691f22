import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Another store in the place of a damaged one")
struct LedgerReplacementTests {
    private let gone = ModelError(.unavailable, "Another store is in its place.")
    private let failure = ModelError(.storageFailed, "The store refuses it.")

    @Test("P9: what is in flight when the store is replaced is refused, and never computed again on a store not read yet")
    func inFlight() {
        let fixture = LedgerFixture()
        fixture.set("n", .int64(10))
        fixture.commitAll()
        fixture.increment("n", caller: 1)
        fixture.increment("n", caller: 2)
        #expect(fixture.ledger.takeBatch() != nil)
        fixture.increment("n", caller: 3)
        let step = StoreSummary.revisionStep
        fixture.ledger.replace(
            with: StoreSummary(revision: step + 2, domains: [LedgerFixture.app: DomainSummary(revision: step + 2, keys: 1)]),
            error: gone)
        #expect(fixture.log.dropFirst(2) == ["increment n Unavailable"], "only what was not handed out")
        fixture.ledger.batchFailed(failure)
        #expect(fixture.log.dropFirst(3) == ["increment n Unavailable", "increment n Unavailable"])
        #expect(fixture.ledger.takeBatch() == nil)
        #expect(!fixture.ledger.hasUnanswered(CallerID(1)))
        // The next failure is an ordinary one again.
        fixture.ledger.load(DomainContents(), as: LedgerFixture.app)
        fixture.increment("n")
        #expect(fixture.ledger.takeBatch() != nil)
        fixture.ledger.batchFailed(failure)
        #expect(fixture.log.last == "increment n StorageFailed")
    }

    @Test("P9: after a loss no domain's revision goes back, not that of one which is gone, not that of one never known")
    func revisions() {
        let step = StoreSummary.revisionStep
        let lost = StateView(committed: CommittedState(StoreSummary(revision: step)), pending: [])
        #expect(lost.revision(of: LedgerFixture.app) == step)
        #expect(lost.revision(of: .global) == step)
        let domains = [LedgerFixture.app: DomainSummary(revision: 2 * step + 7, keys: 1)]
        let restored = StateView(committed: CommittedState(StoreSummary(revision: 2 * step + 9, domains: domains)), pending: [])
        #expect(restored.revision(of: LedgerFixture.app) == 2 * step + 7)
        #expect(restored.revision(of: LedgerFixture.other) == 2 * step)
        let healthy = StateView(committed: CommittedState(StoreSummary(revision: 9)), pending: [])
        #expect(healthy.revision(of: LedgerFixture.other) == 1)
    }

    @Test("P9: the difference between what readers saw and see is one change without a writer; none where there is none")
    func difference() {
        let fixture = LedgerFixture()
        fixture.set("gone", .int64(1))
        fixture.set("other", .int64(1))
        fixture.set("same", .double(.nan))
        fixture.set("new", .string("x"), in: .global)
        fixture.commitAll()
        let now = fixture.ledger.effectiveValues(LedgerFixture.app)
        #expect(now.count == 4)
        #expect(fixture.ledger.change(of: LedgerFixture.app, since: now) == nil)
        let keys = LedgerFixture.key
        let old: [PreferenceKey: Value] = [keys("other"): .int32(1), keys("same"): .double(.nan), keys("lost"): .byte(0)]
        let new: [(String, Value)] = [("gone", .int64(1)), ("new", .string("x")), ("other", .int64(1))]
        let change = fixture.ledger.change(of: LedgerFixture.app, since: old.mapValues { StoredValue($0) })
        #expect(
            change
                == PreferencesChange(
                    domain: LedgerFixture.app,
                    changed: new.map { (keys($0), StoredValue($1)) },
                    removed: [keys("lost")], revision: 5, writer: ""))
    }
}

import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Lazy operations")
struct LedgerLazyTests {
    private let fixture = LedgerFixture()
    private let full = ModelError(.storageFull, "The disk is full.")
    private static let id = OnboardingID(.event, "e")

    private var ledger: Ledger { fixture.ledger }

    /// Adds to a counter and answers with the sum.
    private func count(_ name: String = "count", caller: UInt64 = 1, lazily: Bool = true) {
        let operation = fixture.operation(name, caller: caller) { view in
            let sum = (view.onboarding(LedgerFixture.app, Self.id)?.get(as: UInt64.self) ?? 0) + 1
            return Outcome(reply: [.uint64(sum)], changes: [.onboarding(LedgerFixture.app, Self.id, .uint64(sum))])
        }
        if lazily { ledger.submitLazily(operation) } else { ledger.submit(operation) }
    }

    private var sums: [UInt64] { fixture.results.compactMap { (try? $0.get())?.first?.get() } }
    private var inMemory: Value? { ledger.committedView.onboarding(LedgerFixture.app, Self.id) }

    /// The rows of a batch that are the counter's.
    private func rows(_ batch: [RecordChange]?) -> [Value?] {
        (batch ?? []).compactMap { if case .onboarding(_, Self.id, let value) = $0 { .some(value) } else { nil } }
    }

    @Test("It is answered at once and counts for every reader, before anything is written")
    func atOnce() {
        count()
        count(caller: 2)
        #expect(sums == [1, 2])
        #expect(inMemory == .uint64(2))
        #expect(!ledger.hasUnanswered(CallerID(1)))
        #expect(ledger.takeBatch() == nil)
        #expect(ledger.hasLazyRows)
    }

    @Test("P7: on a full disk each of those that are tried again alone gets its own answer, though something lazy waits")
    func retriedAlone() {
        count()
        for number in 1...5 { fixture.set("key\(number)", .int64(1)) }
        var rounds = 0
        while ledger.takeBatch() != nil, rounds < 50 {
            rounds += 1
            ledger.batchFailed(full)
        }
        #expect(rounds < 50)
        for number in 1...5 { #expect(fixture.log.contains("set key\(number) StorageFull"), "\(number)") }
        #expect(ledger.unansweredCount == 0)
        #expect(inMemory == .uint64(1))
    }

    @Test("What several changed is written once, when it is asked for, and then no more")
    func written() {
        for _ in 1...5 { count() }
        fixture.writeLazyRows("write")
        #expect(rows(ledger.takeBatch()) == [.uint64(5)])
        #expect(!fixture.log.contains("write ok"))
        ledger.batchCommitted()
        #expect(fixture.log.last == "write ok")
        #expect(!ledger.hasLazyRows)
        fixture.writeLazyRows("again")
        #expect(fixture.log.last == "again ok")
        #expect(ledger.takeBatch() == nil)
    }

    @Test("While a write of them is on its way another writes nothing, and is told how that went")
    func writtenTwice() {
        count()
        fixture.writeLazyRows("first")
        #expect(rows(ledger.takeBatch()) == [.uint64(1)])
        fixture.writeLazyRows("second")
        ledger.batchCommitted()
        #expect(ledger.takeBatch() == nil)
        #expect(fixture.log.suffix(2) == ["first ok", "second ok"])
        count()
        fixture.writeLazyRows("third")
        #expect(ledger.takeBatch() != nil)
        fixture.writeLazyRows("fourth")
        ledger.batchFailed(full)
        #expect(rows(ledger.takeBatch()) == [.uint64(2)])
        ledger.batchFailed(full)
        #expect(fixture.log.suffix(2) == ["third StorageFull", "fourth StorageFull"])
        #expect(ledger.hasLazyRows)
    }

    @Test("It goes with the next batch that writes, and not with one that changes nothing")
    func nextBatch() {
        count()
        fixture.submit("unchanged") { _ in Outcome() }
        #expect(fixture.log.last == "unchanged ok")
        #expect(ledger.takeBatch() == nil)
        fixture.set("a", .int32(1))
        #expect(rows(ledger.takeBatch()) == [.uint64(1)])
        ledger.batchCommitted()
        #expect(!ledger.hasLazyRows)
        #expect(ledger.takeBatch() == nil)
    }

    @Test("P6: while something is on its way to the disk it waits for its batch as any other")
    func behindOthers() {
        fixture.set("a", .int32(1))
        count()
        #expect(sums.isEmpty)
        let batch = ledger.takeBatch()
        #expect(rows(batch) == [.uint64(1)])
        count(caller: 2)
        ledger.batchCommitted()
        #expect(inMemory == .uint64(1))
        fixture.commitAll()
        #expect(inMemory == .uint64(2))
        #expect(fixture.log.filter { $0 == "count ok" }.count == 2)
        #expect(!ledger.hasLazyRows)
    }

    @Test("P7: the failure of the write that it goes with is told who wrote, and takes nothing back")
    func failure() {
        count()
        fixture.set("a", .int32(1))
        for _ in 1...3 where ledger.takeBatch() != nil { ledger.batchFailed(full) }
        #expect(ledger.takeBatch() == nil)
        #expect(fixture.log.filter { $0.hasPrefix("set") } == ["set a StorageFull"])
        #expect(inMemory == .uint64(1))
        #expect(ledger.hasLazyRows)
        // From now on who counts is told how the commit went.
        count("told")
        #expect(!fixture.log.contains("told ok"))
        var batches = 0
        while ledger.takeBatch() != nil {
            batches += 1
            ledger.batchFailed(full)
        }
        #expect(batches == 3)
        #expect(fixture.log.last == "told StorageFull")
        #expect(inMemory == .uint64(1))
        // Space is back.
        count("back")
        fixture.commitAll()
        #expect(inMemory == .uint64(2))
        #expect(!ledger.hasLazyRows)
        count("lazy again")
        #expect(fixture.log.last == "lazy again ok")
        #expect(ledger.takeBatch() == nil)
    }

    @Test("What a batch does to a row that is only in memory holds: a counter forgotten and counted anew")
    func forgotten() {
        for _ in 1...3 { count() }
        fixture.submit("forget") { view in view.forgetting(LedgerFixture.app, at: .start) }
        count()
        let batch = ledger.takeBatch()
        #expect(rows(batch) == [.uint64(1)])
        ledger.batchCommitted()
        #expect(inMemory == .uint64(1))
        fixture.submit("forget") { view in view.forgetting(LedgerFixture.app, at: .start) }
        fixture.commitAll()
        #expect(inMemory == nil)
        count()
        fixture.submit("forget") { view in view.forgetting(LedgerFixture.app, at: .start) }
        #expect(rows(ledger.takeBatch()) == [nil])
        ledger.batchCommitted()
        #expect(inMemory == nil)
        #expect(!ledger.hasLazyRows)
    }

    @Test("A domain with something unwritten stays in memory, however little there is")
    func pinned() {
        let summaries = Dictionary(
            uniqueKeysWithValues: [LedgerFixture.app, LedgerFixture.other, .global].map { ($0, DomainSummary(revision: 2)) })
        let fixture = LedgerFixture(StoreSummary(revision: 2, domains: summaries), memoryLimit: 0)
        let ledger = fixture.ledger
        for domain in [LedgerFixture.app, LedgerFixture.other, .global] { ledger.load(DomainContents(), as: domain) }
        ledger.submitLazily(
            fixture.operation("count") { _ in Outcome(changes: [.onboarding(LedgerFixture.app, Self.id, .uint64(1))]) })
        _ = ledger.use([LedgerFixture.other])
        ledger.submitLazily(
            fixture.operation("count") { _ in Outcome(changes: [.onboarding(LedgerFixture.app, Self.id, .uint64(2))]) })
        ledger.dropUnused { _ in false }
        #expect(ledger.isLoaded(LedgerFixture.app))
        fixture.writeLazyRows("write")
        fixture.commitAll()
        ledger.dropUnused { _ in false }
        #expect(!ledger.isLoaded(LedgerFixture.app))
    }

    @Test("P9: what was counted on a store that is gone is forgotten with it")
    func replaced() {
        count()
        fixture.writeLazyRows("write")
        #expect(ledger.takeBatch() != nil)
        ledger.replace(with: StoreSummary(), error: full)
        ledger.batchFailed(full)
        #expect(fixture.log.last == "write StorageFull")
        #expect(!ledger.hasLazyRows)
        count("new")
        #expect(fixture.log.last == "new ok")
        #expect(inMemory == .uint64(1))
    }

    @Test("What changed is told once everyone is answered, lazily or with a batch")
    func settled() {
        ledger.onSettled = { [fixture] outcome in fixture.add("settled \(outcome.changes.count)") }
        count()
        #expect(fixture.log == ["count ok", "settled 1"])
        fixture.submit("unchanged") { _ in Outcome() }
        #expect(fixture.log.last == "unchanged ok")
        fixture.submit("a") { _ in Outcome(changes: [.onboarding(.global, Self.id, .uint64(1))]) }
        fixture.submit("b") { _ in Outcome(changes: [.onboarding(.global, Self.id, .uint64(2))]) }
        fixture.commitAll()
        #expect(fixture.log.suffix(5) == ["a ok", "b ok", "settled 1", "settled 1", "settled 1"])
    }
}

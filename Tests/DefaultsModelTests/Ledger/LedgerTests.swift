import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Group commit")
struct LedgerTests {
    private let full = ModelError(.storageFull, "The disk is full.")

    @Test("P6: nothing is visible or answered before it is on disk")
    func visibility() {
        let fixture = LedgerFixture()
        fixture.set("a", .int32(1))
        #expect(fixture.value("a") == nil)
        #expect(fixture.log.isEmpty)
        #expect(fixture.ledger.takeBatch() != nil)
        #expect(fixture.value("a") == nil)
        fixture.ledger.batchCommitted()
        #expect(fixture.value("a") == .int32(1))
        #expect(fixture.log == ["set a ok", "set a changed org.example.App @2"])
    }

    @Test("P7: what comes while a batch is in flight gathers in the next one, however many writers")
    func gathering() {
        let fixture = LedgerFixture()
        fixture.set("first", .boolean(true))
        #expect(fixture.ledger.takeBatch() != nil)
        for number in 0..<64 { fixture.set("k\(number)", .int32(0), caller: UInt64(number + 1)) }
        #expect(fixture.ledger.takeBatch() == nil)
        fixture.ledger.batchCommitted()
        #expect(fixture.commitAll() == 1)
        #expect(fixture.results.count == 65)
        #expect(fixture.ledger.unansweredCount == 0)
    }

    @Test("P6: writes are computed on what is pending, so 2 × 200 increments are 400")
    func increments() {
        let fixture = LedgerFixture()
        for _ in 0..<200 {
            fixture.increment("n", caller: 1)
            fixture.increment("n", caller: 2)
            _ = fixture.ledger.takeBatch()
        }
        fixture.ledger.batchCommitted()
        fixture.commitAll()
        #expect(fixture.value("n") == .int64(400))
    }

    @Test("P6: \"unchanged\" rests on a pending value and is answered with its batch, not before")
    func unchangedWaits() {
        let fixture = LedgerFixture()
        fixture.set("a", .int32(1))
        fixture.set("a", .int32(1), caller: 2)
        #expect(fixture.log.isEmpty)
        #expect(fixture.ledger.takeBatch() != nil)
        fixture.set("a", .int32(1), caller: 3)
        #expect(fixture.log.isEmpty)
        fixture.ledger.batchCommitted()
        #expect(fixture.log == ["set a ok", "set a changed org.example.App @2", "set a ok"])
        #expect(fixture.commitAll() == 0)
        #expect(fixture.log.count == 4)
    }

    @Test("P7: a failed batch is retried change by change, in order; each caller gets its own result")
    func retry() {
        let fixture = LedgerFixture()
        fixture.set("a", .int32(1), caller: 1)
        fixture.set("b", .int32(2), caller: 2)
        fixture.set("c", .int32(3), caller: 3)
        #expect(fixture.ledger.takeBatch()?.isEmpty == false)
        fixture.ledger.batchFailed(full)
        #expect(fixture.log.isEmpty)
        #expect(fixture.ledger.takeBatch() != nil)
        fixture.ledger.batchCommitted()
        #expect(fixture.ledger.takeBatch() != nil)
        fixture.ledger.batchFailed(full)
        #expect(fixture.commitAll() == 1)
        #expect(
            fixture.log == [
                "set a ok", "set a changed org.example.App @2", "set b StorageFull", "set c ok",
                "set c changed org.example.App @3",
            ])
        #expect(fixture.value("b") == nil)
    }

    @Test("P7: what rests on a failed write is computed again: an increment over a lost one starts from what is stored")
    func recomputed() {
        let fixture = LedgerFixture()
        fixture.set("n", .int32(10))
        fixture.commitAll()
        fixture.increment("n", by: 5)
        #expect(fixture.ledger.takeBatch() != nil)
        fixture.increment("n", by: 1, caller: 2)
        fixture.ledger.batchFailed(full)
        #expect(fixture.commitAll() == 1)
        #expect(fixture.value("n") == .int32(11))
        #expect(fixture.log.suffix(3) == ["increment n StorageFull", "increment n ok", "increment n changed org.example.App @3"])
    }

    @Test("P7: writes that come during a retry are computed after it")
    func duringRetry() {
        let fixture = LedgerFixture()
        fixture.increment("n", caller: 1)
        fixture.increment("n", caller: 2)
        _ = fixture.ledger.takeBatch()
        fixture.ledger.batchFailed(full)
        fixture.increment("n", caller: 3)
        _ = fixture.ledger.takeBatch()
        fixture.ledger.batchFailed(full)
        fixture.commitAll()
        #expect(fixture.value("n") == .int64(2))
        #expect(fixture.results.map { (try? $0.get())?.first } == [nil, .int64(1), .int64(2)])
    }

    @Test("P6: a read of a caller with writes in flight sees its own, also the last of several")
    func ownWrites() {
        let fixture = LedgerFixture()
        fixture.set("a", .int32(1))
        #expect(fixture.ledger.hasUnanswered(CallerID(1)))
        #expect(!fixture.ledger.hasUnanswered(CallerID(2)))
        _ = fixture.ledger.takeBatch()
        fixture.submit("get") { view in
            Outcome(reply: [
                view.effectiveValue(LedgerFixture.app, LedgerFixture.key("a")).map { .variant($0.value) } ?? .boolean(false)
            ])
        }
        fixture.set("a", .int32(2))
        fixture.ledger.batchCommitted()
        fixture.commitAll()
        #expect((try? fixture.results[1].get()) == [.variant(.int32(1))])
        #expect(!fixture.ledger.hasUnanswered(CallerID(1)))
    }

    @Test("A batch writes each row once, as its last change has it")
    func compaction() throws {
        let fixture = LedgerFixture()
        fixture.set("a", .int32(1))
        fixture.set("a", .int32(2))
        fixture.set("b", .int32(3))
        let batch = try #require(fixture.ledger.takeBatch())
        #expect(batch.count == 4)
        #expect(batch.contains(.revision(4)))
        #expect(batch.contains(.domain(LedgerFixture.app, revision: 4)))
        fixture.ledger.batchCommitted()
        #expect(fixture.changes.map(\.revision) == [2, 3, 4])
        #expect(fixture.value("a") == .int32(2))
    }

    @Test("P12: quotas count what is pending, so that a burst can't slip past them")
    func quotaOverPending() {
        let fixture = LedgerFixture()
        let chunk = Value.bytes([UInt8](repeating: 1, count: (1 << 20) - 64))
        for number in 0..<17 { fixture.set("k\(number)", chunk) }
        fixture.commitAll()
        #expect(fixture.log.filter { $0.hasSuffix("LimitExceeded") } == ["set k16 LimitExceeded"])
        // Making room is always allowed, and then it fits.
        fixture.submit("reset") { view throws(ModelError) in
            try PreferenceWrites(LedgerFixture.app, writer: "", wall: 0).reset(LedgerFixture.key("k0"), in: view)
        }
        fixture.set("k16", chunk)
        fixture.commitAll()
        #expect(fixture.log.last == "set k16 changed org.example.App @19")
    }

    @Test("P12: at most 10,000 keys a domain")
    func keyLimit() {
        let fixture = LedgerFixture()
        fixture.submit("apply") { view throws(ModelError) in
            try PreferenceWrites(LedgerFixture.app, writer: "", wall: 0).apply(
                set: (0..<10_000).map { (LedgerFixture.key("k\($0)"), .byte(0)) }, reset: [], expected: 0, in: view)
        }
        fixture.commitAll()
        fixture.set("one more", .byte(0))
        fixture.set("k5", .byte(1))
        #expect(fixture.commitAll() == 1)
        #expect(
            fixture.log == [
                "apply ok", "apply changed org.example.App @2", "set one more LimitExceeded", "set k5 ok",
                "set k5 changed org.example.App @3",
            ])
    }
}

import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("When a batch is worth waiting for")
struct BatchPaceTests {
    private let fixture = LedgerFixture()
    private var ledger: Ledger { fixture.ledger }

    private func set(_ count: Int, from first: Int = 0) {
        for number in first..<first + count { fixture.set("key-\(number)", .int64(Int64(fixture.log.count + number))) }
    }

    @Test("one operation at a time never waits")
    func alone() {
        for _ in 0..<3 {
            set(1)
            #expect(!ledger.isWorthWaiting && ledger.takeBatch() != nil)
            ledger.batchCommitted()
        }
        #expect(!ledger.isWorthWaiting)
    }

    @Test("two callers in turns never wait for each other")
    func two() {
        set(1)
        #expect(ledger.takeBatch() != nil)
        set(1, from: 1)
        ledger.batchCommitted()
        #expect(!ledger.isWorthWaiting && ledger.takeBatch() != nil)
    }

    @Test("with 64 operations outstanding, a batch waits for half of them")
    func many() {
        set(1)
        #expect(ledger.takeBatch() != nil)
        set(63, from: 1)
        ledger.batchCommitted()
        // 64 were under way: the 63 that have come are enough.
        #expect(!ledger.isWorthWaiting && ledger.takeBatch() != nil)
        set(1)
        ledger.batchCommitted()
        #expect(ledger.gatheredCount == 1 && ledger.isWorthWaiting)
        set(30, from: 1)
        #expect(ledger.isWorthWaiting)
        set(1, from: 31)
        #expect(ledger.gatheredCount == 32 && !ledger.isWorthWaiting)
    }

    @Test("however many are under way, 64 are enough")
    func enough() {
        set(1)
        #expect(ledger.takeBatch() != nil)
        set(500, from: 1)
        ledger.batchCommitted()
        #expect(ledger.takeBatch() != nil)
        set(63)
        ledger.batchCommitted()
        #expect(ledger.isWorthWaiting)
        set(1, from: 63)
        #expect(!ledger.isWorthWaiting)
    }

    @Test("what is tried again after a failed batch doesn't wait, and neither does what came after it")
    func failed() {
        set(1)
        #expect(ledger.takeBatch() != nil)
        set(9, from: 1)
        ledger.batchCommitted()
        #expect(ledger.takeBatch() != nil)
        ledger.batchFailed(ModelError(.storageFailed, "no"))
        #expect(!ledger.isWorthWaiting && ledger.takeBatch() != nil)
    }
}

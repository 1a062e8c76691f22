import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("What of a store is in memory")
struct LedgerMemoryTests {
    /// A store of several domains with as many bytes each, of which a limit lets two stay.
    private final class Store {
        let ledger: Ledger
        let names: [DomainName]
        private(set) var answers: [Result<[Value], ModelError>] = []
        private static let bytes = 1_000

        init(domains: Int = 5) {
            names = (0..<domains).compactMap { DomainName("org.example.App\($0)") }
            var summary = StoreSummary(revision: 9)
            for name in names + [.global] { summary.domains[name] = DomainSummary(revision: 7, keys: 1, bytes: Self.bytes) }
            ledger = Ledger(summary, memoryLimit: 2_500)
            load(.global)
        }

        /// Does what a request for a domain does: loads it if need be.
        func request(_ name: DomainName, except held: Set<DomainName> = []) {
            if ledger.use([name, .global]) == nil { return }
            load(name)
            ledger.dropUnused(except: held.union([name]))
            #expect(ledger.use([name, .global]) == nil)
        }

        func load(_ name: DomainName) {
            let record = PreferenceRecord(value: .bytes([UInt8](repeating: 1, count: Self.bytes - 5)), modified: 1, writer: "")
            ledger.load(DomainContents(revision: 7, preferences: [.user: [LedgerFixture.key("k"): record]]), as: name)
        }

        func set(_ name: DomainName, _ value: Int32) {
            request(name)
            ledger.submit(
                Operation(caller: CallerID(1), writer: "") { view throws(ModelError) in
                    try PreferenceWrites(name, writer: "", wall: 7).set(LedgerFixture.key("k"), to: .int32(value), in: view)
                } complete: { [self] result, _ in
                    answers.append(result)
                })
        }

        func value(_ name: DomainName) -> Value? {
            ledger.committedView.effectiveValue(name, LedgerFixture.key("k"))?.value
        }

        /// The numbers of the domains in memory.
        var inMemory: [Int] { names.indices.filter { ledger.isLoaded(names[$0]) } }
    }

    @Test("Over the limit, the domain that was not used for longest is dropped when another is loaded")
    func leastRecentlyUsed() {
        let store = Store()
        store.request(store.names[0])
        #expect(store.inMemory == [0])
        store.request(store.names[1])
        #expect(store.inMemory == [1])
        store.request(store.names[2])
        #expect(store.inMemory == [2])
        #expect(store.ledger.isLoaded(.global))
    }

    @Test("Using a domain keeps it longer than one that was loaded later")
    func useCounts() {
        let store = Store()
        let ledger = store.ledger
        for name in store.names.prefix(3) { store.load(name) }
        for index in [2, 1, 0] { #expect(ledger.use([store.names[index]]) == nil) }
        // Four domains with `global`, of which the limit lets two stay.
        ledger.dropUnused(except: [])
        #expect(store.inMemory == [0])
    }

    @Test("Within the limit nothing is dropped")
    func withinLimit() {
        let ledger = Ledger(StoreSummary())
        ledger.dropUnused(except: [])
        #expect(ledger.isLoaded(.global))
        let store = Store()
        store.ledger.dropUnused(except: [])
        #expect(store.ledger.isLoaded(.global))
    }

    @Test("A watched domain, and one that is held for a request on its way, is never dropped")
    func watchedAndHeld() {
        let store = Store()
        store.ledger.watchedDomains = [store.names[0]]
        store.request(store.names[0])
        store.request(store.names[1])
        store.request(store.names[2], except: [store.names[1]])
        #expect(store.inMemory == [0, 1, 2])
        store.request(store.names[3])
        #expect(store.inMemory == [0, 3])
        store.ledger.watchedDomains = []
        store.request(store.names[4])
        #expect(store.inMemory == [4])
    }

    @Test("P6: a domain whose write is on its way to the disk stays, and so does one used since")
    func pendingStays() {
        let store = Store()
        store.set(store.names[0], 1)
        store.request(store.names[1])
        #expect(store.ledger.takeBatch() != nil)
        store.request(store.names[2])
        #expect(store.inMemory == [0, 1, 2])
        store.ledger.batchCommitted()
        #expect(store.value(store.names[0]) == .int32(1))
        store.request(store.names[3])
        #expect(store.inMemory == [3])
    }

    @Test("P7: a domain stays until what failed on it has been tried again")
    func retriedStays() {
        let store = Store()
        store.set(store.names[0], 1)
        store.set(store.names[1], 2)
        #expect(store.ledger.takeBatch() != nil)
        store.ledger.batchFailed(ModelError(.storageFull, "full"))
        store.request(store.names[2])
        store.set(store.names[2], 3)
        store.request(store.names[3])
        #expect(store.inMemory == [0, 1, 2, 3])
        while store.ledger.takeBatch() != nil { store.ledger.batchCommitted() }
        #expect(store.answers.count == 3)
        #expect(store.names.prefix(3).map(store.value) == [.int32(1), .int32(2), .int32(3)])
    }

    @Test("P12: what a domain counts stays right when it was dropped and is written again")
    func sizesStay() {
        let store = Store()
        store.request(store.names[0])
        store.request(store.names[1])
        #expect(store.inMemory == [1])
        #expect(store.ledger.committedView.bytes(store.names[0]) == 1_000)
        store.set(store.names[0], 1)
        while store.ledger.takeBatch() != nil { store.ledger.batchCommitted() }
        #expect(store.ledger.committedView.bytes(store.names[0]) == 5)
        #expect(store.ledger.committedView.keyCount(store.names[0]) == 1)
    }

    @Test("P8: a domain that was dropped is missing, not empty; one that was never written is neither")
    func droppedIsMissing() {
        let store = Store()
        store.request(store.names[0])
        store.request(store.names[1])
        #expect(store.ledger.use([store.names[0], .global]) == store.names[0])
        #expect(store.ledger.use([LedgerFixture.other]) == nil)
    }
}

import DBusTypes
import Support
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
        private static let limit = 3_200

        init(domains: Int = 5) {
            names = (0..<domains).compactMap { DomainName("org.example.App\($0)") }
            var summary = StoreSummary(revision: 9)
            for name in names + [.global] { summary.domains[name] = DomainSummary(revision: 7, keys: 1, bytes: Self.bytes) }
            ledger = Ledger(summary, memoryLimit: Self.limit)
            load(.global)
        }

        /// Does what a request for a domain does: loads it if need be.
        func request(_ name: DomainName, except held: Set<DomainName> = []) {
            if ledger.use([name, .global]) == nil { return }
            load(name)
            ledger.dropUnused { held.contains($0) || $0 == name }
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
        ledger.dropUnused { _ in false }
        #expect(store.inMemory == [0])
    }

    @Test("Within the limit nothing is dropped")
    func withinLimit() {
        let ledger = Ledger(StoreSummary())
        ledger.dropUnused { _ in false }
        #expect(ledger.isLoaded(.global))
        let store = Store()
        store.ledger.dropUnused { _ in false }
        #expect(store.ledger.isLoaded(.global))
    }

    @Test("Domains that were only written, none of them loaded, are dropped too, but for that of the last request")
    func written() {
        let store = Store(domains: 0)
        let names = (0..<6).compactMap { DomainName("org.example.New\($0)") }
        for name in names {
            for key in ["a", "b"] {
                #expect(store.ledger.use([name, .global]) == nil)
                store.ledger.submit(
                    Operation(caller: CallerID(1), writer: "") { view throws(ModelError) in
                        try PreferenceWrites(name, writer: "", wall: 7)
                            .set(LedgerFixture.key(key), to: .bytes([UInt8](repeating: 1, count: 600)), in: view)
                    } complete: { result, _ in
                        #expect(throws: Never.self) { try result.get() }
                    })
                while store.ledger.takeBatch() != nil { store.ledger.batchCommitted() }
                store.ledger.dropUnused(sparesLast: true) { _ in false }
                #expect(store.ledger.isLoaded(name))
            }
        }
        #expect(names.filter { store.ledger.isLoaded($0) }.count < 3)
        #expect(store.ledger.loadedSize < 5_000)
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
        // That the write is answered is found out once some more has been added.
        store.request(store.names[3])
        store.request(store.names[4])
        #expect(store.inMemory == [4])
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

    @Test("What is in memory is counted as it changes, however it changes")
    func countedAsItChanges() {
        var random = SeededGenerator(seed: 11)
        let names = (0..<4).compactMap { DomainName("org.example.App\($0)") }
        let keys = (0..<6).map { LedgerFixture.key("k\($0)") }
        var state = CommittedState(StoreSummary(revision: 9, domains: [names[0]: DomainSummary(revision: 3, keys: 1, bytes: 6)]))
        let stored = PreferenceRecord(value: .int32(1), modified: 1, writer: "")
        let contents = DomainContents(revision: 3, preferences: [.user: [keys[0]: stored]])
        for _ in 0..<2_000 {
            let name = names[Int.random(in: 0..<4, using: &random)]
            let size = Int.random(in: 0..<200, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where state.summaries[name] != nil && name == names[0]:
                state.drop(name)
                // As it was first: only the count in memory is looked at here.
                state.load(contents, as: name)
            case 1...2:
                state.apply(.onboarding(name, OnboardingID(.flag, "f\(size % 3)"), .bytes([UInt8](repeating: 0, count: size))))
            case 3: state.apply(.onboarding(name, OnboardingID(.flag, "f\(size % 3)"), nil))
            case 4...5: state.apply(.preference(name, .registered, keys[size % 6], nil))
            default:
                let record = PreferenceRecord(value: .bytes([UInt8](repeating: 0, count: size)), modified: 1, writer: "")
                state.apply(.preference(name, size % 2 == 0 ? .user : .registered, keys[size % 6], record))
            }
            #expect(state.loadedSize == state.loaded.keys.reduce(0) { $0 + state.size(of: $1) })
        }
        for name in names where name != names[0] {
            for key in keys { for layer in StoredLayer.allCases { state.apply(.preference(name, layer, key, nil)) } }
            for id in 0..<3 { state.apply(.onboarding(name, OnboardingID(.flag, "f\(id)"), nil)) }
            #expect(state.size(of: name) == 0)
        }
    }

    @Test("A request over 10,000 domains looks at what is in memory a few times, not at every load", arguments: [true, false])
    func overAllDomains(holdsAll: Bool) {
        let names = (0..<10_000).compactMap { DomainName("org.example.App\($0)") }
        var summary = StoreSummary(revision: 9)
        for name in names { summary.domains[name] = DomainSummary(revision: 7, keys: 1, bytes: 1_000) }
        let ledger = Ledger(summary)
        var looks = 0
        for name in names {
            #expect(ledger.use([name]) == name)
            ledger.load(DomainContents(revision: 7), as: name)
            ledger.dropUnused {
                looks += 1
                return holdsAll || $0 == name
            }
        }
        #expect(looks < 100_000)
        #expect(names.allSatisfy(ledger.isLoaded) == holdsAll)
        ledger.releasedDomains()
        ledger.dropUnused { _ in false }
        #expect(ledger.loadedSize <= Ledger.standardMemoryLimit)
    }
}

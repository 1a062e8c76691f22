import CLinux
import DBusTypes
import DefaultsInterface
import Testing

@testable import DefaultsKit

@Suite("A mirrored domain")
struct MirroredDomainTests {
    private let page: FakePage
    private let map: GenerationMap
    private let domain = MirroredDomain("org.example.App", nil)
    private let slot = 20

    init() throws {
        page = try #require(FakePage())
        map = try #require(page.map)
        #expect(try !fetch(["n": .int64(1)], revision: 5), "the slot was not known before")
        #expect(!domain.isCurrent)
        #expect(try fetch(["n": .int64(1)], revision: 5))
        #expect(domain.isCurrent)
    }

    private func reply(
        _ values: [String: Value], revision: UInt64, instance: UInt64 = 1, slot: Int? = nil
    ) throws -> WatchReply {
        try WatchReply([
            .vardict(values.map { ($0.key, $0.value) }), .uint64(revision), .uint64(instance), .uint32(UInt32(slot ?? self.slot)),
        ])
    }

    private func fetch(_ values: [String: Value], revision: UInt64) throws -> Bool {
        domain.take(try reply(values, revision: revision), domain.startFetch(with: map))
    }

    private func signal(_ values: [String: Value], removed: [String] = [], revision: UInt64) throws {
        let arguments: [Value] = [
            .string(domain.name), .vardict(values.map { ($0.key, $0.value) }), .array(removed), .uint64(revision),
            .string(":1.1"),
        ]
        domain.take(try #require(ChangedSignal(arguments)))
    }

    private var n: Value? { domain.read("n").value }

    @Test("Values are current while the word is what it was before they were fetched, and the lock is held")
    func word() throws {
        page.change(slot + 1)
        #expect(domain.isCurrent)
        page.change(slot)
        #expect(!domain.isCurrent)
        #expect(domain.read("n") == MirroredValue(value: .int64(1), isStale: true), "no one to ask")
        #expect(try fetch(["n": .int64(2)], revision: 6))
        #expect(domain.read("n") == MirroredValue(value: .int64(2), isStale: false))
    }

    @Test("A reply that a read's own fetch has overtaken is known to be old, and so is that of an instance which has gone")
    func overtaken() throws {
        #expect(domain.isNewer(than: try reply(["n": .int64(0)], revision: 4)))
        #expect(!domain.isNewer(than: try reply(["n": .int64(1)], revision: 5)))
        #expect(!domain.isNewer(than: try reply(["n": .int64(2)], revision: 6)))
        #expect(domain.isNewer(than: try reply(["n": .int64(3)], revision: 900, instance: 7)), "the page of the first is live")
    }

    @Test("A change while the values are on their way makes them old on arrival")
    func changeDuringFetch() throws {
        let start = domain.startFetch(with: map)
        page.change(slot)
        #expect(domain.take(try reply(["n": .int64(1)], revision: 5), start))
        #expect(!domain.isCurrent)
    }

    @Test(
        "The lock's word says that the daemon has ended: its owner died, or no one has it; that others wait for it does not",
        arguments: [
            (0x4000_0000 | 4_711, false), (0, false), (0x4000_0000, false), (0x8000_0000 | 4_711, true), (0x8000_0000, false),
            (1, true),
        ])
    func lock(word: UInt64, isLive: Bool) {
        page.lock = word
        #expect(map.isLive == isLive && domain.isCurrent == isLive)
        page.lock = word | 0xFFFF_FFFF_0000_0000
        #expect(map.isLive == isLive, "the word has 32 bits")
    }

    @Test("Signals in order bring their values along, and the values are current once as many have come as the word has grown")
    func signals() throws {
        for _ in 0..<3 { page.change(slot) }
        try signal(["n": .int64(2)], revision: 6)
        try signal(["n": .int64(3), "m": .int64(1)], revision: 9)
        #expect(!domain.isCurrent)
        try signal([:], removed: ["m"], revision: 10)
        #expect(domain.isCurrent)
        #expect(domain.readAll().values == ["n": .int64(3)])
    }

    @Test("After a signal that was dropped no later one makes the values current; a fetch does")
    func droppedSignal() throws {
        for revision in 7..<20 as Range<UInt64> {
            page.change(slot)
            if revision == 7 { page.change(slot) }
            try signal(["n": .uint64(revision)], revision: revision)
            #expect(!domain.isCurrent)
        }
        #expect(n == .uint64(19), "still the newest that is known")
        #expect(try fetch(["n": .uint64(19), "m": .int64(1)], revision: 19))
        #expect(domain.isCurrent)
    }

    @Test("A change of a domain with the same slot costs a fetch, and is never taken for one that was told")
    func sharedSlot() throws {
        page.change(slot)
        page.change(slot)
        try signal(["n": .int64(2)], revision: 6)
        #expect(!domain.isCurrent)
        #expect(try fetch(["n": .int64(2)], revision: 6))
        #expect(domain.isCurrent)
    }

    @Test("Signals of what was fetched already change nothing; one of the same revision that says otherwise asks for a fetch")
    func oldSignals() throws {
        try signal(["n": .int64(0)], revision: 4)
        try signal(["n": .int64(1)], revision: 5)
        #expect(domain.isCurrent && n == .int64(1))
        try signal(["m": .int64(1)], revision: 5)
        #expect(!domain.isCurrent && n == .int64(1))
    }

    @Test("An answer of another instance than the page's has its values taken, but is current only by the page of that instance")
    func otherInstance() throws {
        #expect(!domain.take(try reply(["n": .int64(2)], revision: 1, instance: 2), domain.startFetch(with: map)))
        #expect(!domain.isCurrent && n == .int64(2))
        let other = try #require(FakePage(instance: 2))
        let otherMap = try #require(other.map)
        for isEnough in [false, true] {
            let start = domain.startFetch(with: otherMap)
            #expect(domain.take(try reply(["n": .int64(2)], revision: 1, instance: 2, slot: 30), start) == isEnough)
        }
        #expect(domain.isCurrent)
        page.lock = 0
        #expect(domain.isCurrent)
        other.change(30)
        #expect(!domain.isCurrent)
    }

    @Test("Without a slot no value is ever current without asking", arguments: [0, 15, 8_192])
    func noSlot(slot: Int) throws {
        #expect(domain.take(try reply(["n": .int64(1)], revision: 5, slot: slot), domain.startFetch(with: map)))
        #expect(!domain.isCurrent)
    }

    @Test("Keys are told apart by their bytes")
    func keys() throws {
        #expect(try fetch(["\u{E9}": .int64(1)], revision: 6))
        #expect(domain.read("\u{E9}").value == .int64(1))
        #expect(domain.read("e\u{301}").value == nil)
    }

    @Test("Only memory of the page's size that can't shrink is mapped: another could end the reader by SIGBUS")
    func notAPage() throws {
        #expect(try #require(FakePage(size: 4_096)).map == nil)
        #expect(try #require(FakePage(seals: 0)).map == nil)
        #expect(GenerationMap(UnixFD(owning: -1) { _ in }) == nil)
    }
}

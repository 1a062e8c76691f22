import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Events that tips count")
struct TipEventTests {
    private let desk = TipDesk()

    private func rule(_ comparison: String, _ count: UInt32, window: UInt64 = 0) -> (String, Value) {
        TipDesk.rules([
            ("event", .string("e")), ("operator", .string(comparison)), ("count", .uint32(count)), ("window", .uint64(window)),
        ])
    }

    @Test("I2: counts are exact and hold at once on Donate")
    func exact() throws {
        try desk.define("three", [rule("==", 3)])
        try desk.define("more", [rule(">", 3)])
        for count in 1...5 as ClosedRange<UInt64> {
            #expect(try desk.donate("e") == count)
            #expect(try desk.reason("three").isEmpty == (count == 3))
            #expect(try desk.reason("more").isEmpty == (count > 3))
        }
        #expect(try desk.donate("e", 100) == 105)
        #expect(try desk.donate("e", 0) == 105)
        #expect(try desk.donate("other", 0) == 0)
        #expect(desk.view.onboardingIDs(desk.app, .event).map(\.id) == ["e"])
    }

    @Test("I2: a rolling window counts what is younger, to the millisecond")
    func window() throws {
        try desk.define("t", [rule(">=", 2, window: 1_000)])
        try desk.donate("e")
        desk.advance(milliseconds: 600)
        try desk.donate("e")
        #expect(try desk.reason("t").isEmpty)
        desk.advance(milliseconds: 399)
        #expect(try desk.reason("t").isEmpty)
        desk.advance(milliseconds: 1)
        #expect(try desk.reason("t") == "rules")
        try desk.donate("e")
        #expect(try desk.reason("t").isEmpty)
        desk.advance(milliseconds: 600)
        #expect(try desk.reason("t") == "rules")
    }

    @Test("Of 1,001 donations the times are kept, and a window tells 1,000 from more")
    func manyDonations() throws {
        try desk.define("exactly", [rule("==", 1_000, window: 1_000_000)])
        try desk.define("more", [rule(">", 1_000, window: 1_000_000)])
        var record = EventRecord()
        for number in 1...1_500 as ClosedRange<UInt64> {
            record.add(1, at: desk.now.after(milliseconds: Int64(number)))
            #expect(record.count(within: 1_000_000, at: desk.now.after(milliseconds: 2_000)) == min(number, 1_001))
        }
        #expect(record.total == 1_500)
        #expect(record.donations.count == 1_001)
        #expect(EventRecord(stored: record.stored) == record)
        for _ in 1..<1_000 {
            try desk.donate("e")
            desk.advance(milliseconds: 1)
        }
        #expect(try desk.reason("exactly") == "rules")
        try desk.donate("e")
        #expect(try desk.reason("exactly").isEmpty)
        #expect(try desk.reason("more") == "rules")
        desk.advance(milliseconds: 1)
        try desk.donate("e")
        #expect(try desk.reason("exactly") == "rules")
        #expect(try desk.reason("more").isEmpty)
    }

    @Test("Many at once take one time, and donations at one moment too")
    func large() {
        var record = EventRecord()
        record.add(UInt64(UInt32.max), at: desk.now)
        record.add(2, at: desk.now)
        #expect(record.donations == [.init(wall: desk.now.wall, count: 1_001)])
        #expect(record.total == UInt64(UInt32.max) + 2)
        record.add(1, at: desk.now.after(milliseconds: 1))
        #expect(record.donations.map(\.count) == [1_001, 1])
        record.add(1_001, at: desk.now.after(milliseconds: 2))
        #expect(record.donations.map(\.count) == [1_001])
        #expect(EventRecord(stored: record.stored) == record)
    }

    @Test("I3: a donation of 2099 is taken for now, and written back it leaves the window as if it had come now")
    func future() throws {
        try desk.define("t", [rule(">=", 1, window: 1_000)])
        let today = desk.now
        desk.now.wall = 4_070_908_800_000_000
        try desk.donate("e")
        desk.now = today
        #expect(try desk.reason("t").isEmpty)
        let clamps = desk.view.clampingTipTimes(of: desk.app, at: today)
        #expect(clamps.count == 1)
        try desk.perform { _ in Outcome(changes: clamps) }
        #expect(desk.view.clampingTipTimes(of: desk.app, at: today).isEmpty)
        desk.advance(milliseconds: 999)
        #expect(try desk.reason("t").isEmpty)
        desk.advance(milliseconds: 1)
        #expect(try desk.reason("t") == "rules")
    }

    @Test("An application donates at most 1,024 events; those there are go on")
    func limit() throws {
        let changes = (1...EventRecord.maximumEvents).map { number -> RecordChange in
            var record = EventRecord()
            record.add(1, at: desk.now)
            return .onboarding(desk.app, OnboardingID(.event, "e\(number)"), record.stored)
        }
        try desk.perform { _ in Outcome(changes: changes) }
        #expect(throws: ModelError.self) { try desk.donate("one more") }
        #expect(try desk.donate("e7") == 2)
    }

    @Test("What is damaged is no event, and never an absent one")
    func damage() throws {
        try desk.donate("e")
        let id = OnboardingID(.event, "e")
        let stored = try #require(desk.view.onboarding(desk.app, id))
        #expect(id.accepts(stored))
        for entry in ["format", "total", "times", "counts"] {
            let rest = (stored.dictionary?.entries ?? []).filter { $0.key != .string(entry) }
            let damaged = Value.dictionary(DictionaryValue(unchecked: rest, key: .string, value: .variant))
            #expect(!id.accepts(damaged), "\(entry)")
            let app = desk.app
            try desk.perform { _ in Outcome(changes: [.onboarding(app, id, damaged)]) }
            #expect(throws: ModelError.self) { try desk.donate("e") }
        }
    }

    @Test("The next moment at which time alone changes a rule is found: the one donation that matters, not each")
    func nextChange() throws {
        try desk.define("t", [rule(">=", 2, window: 10_000)])
        for _ in 1...4 {
            try desk.donate("e")
            desk.advance(milliseconds: 1_000)
        }
        // Four donations at 0, 1, 2 and 3 s: with the third gone one is left.
        #expect(try desk.nextChange() == 8_000)
        desk.advance(milliseconds: 7_999)
        #expect(try desk.reason("t").isEmpty)
        desk.advance(milliseconds: 1)
        #expect(try desk.reason("t") == "rules")
        #expect(try desk.nextChange() == nil)
    }
}

import DBusTypes
import Support
import Testing

@testable import DefaultsModel

@Suite("Launches and flags on disk")
struct LaunchRecordTests {
    @Test("A history comes back from its record and goes on as if it had never left")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 3)
        let texts = ["1.0", "1.1", "1.1-rc1", " 2.0 (7)", "nightly", "2.0+8", "٢.١", "1:0.1", "2.1-dev"]
        for _ in 0..<200 {
            var kept = LaunchHistory()
            var reread = LaunchHistory()
            var options = LaunchOptions(existingUser: Bool.random(using: &random))
            if Bool.random(using: &random) { options.baselineVersion = try Version("0.5-beta") }
            let lost = Int.random(in: 0..<4, using: &random) == 0
            for step in 0..<Int64.random(in: 1...8, using: &random) {
                let scheme: Version.Scheme = Int.random(in: 0..<5, using: &random) == 0 ? .opaque : .auto
                let version = try Version(texts.randomElement(using: &random) ?? "1", scheme: scheme)
                let now = Instant.start.after(milliseconds: step)
                let expected = kept.record(version, options: options, storeLostData: lost, at: now)
                #expect(reread.record(version, options: options, storeLostData: lost, at: now) == expected)
                let stored = try #require(reread.stored)
                reread = try #require(LaunchHistory(stored: stored))
                #expect(reread.stored == stored)
                #expect(stored == kept.stored)
            }
            #expect(reread.baselineVersion?.text == options.baselineVersion?.text)
        }
        #expect(LaunchHistory().stored == nil)
    }

    @Test("P8: a record without an entry, or with one of another type, is damaged and not empty")
    func damagedHistory() throws {
        var history = LaunchHistory()
        let options = try LaunchOptions(baselineVersion: Version("0.9"))
        _ = try history.record(Version("1.0"), options: options, at: .start)
        let entries = try #require(history.stored?.dictionary?.entries)
        for place in entries.indices {
            var wrong = entries
            wrong[place] = DictionaryValue.Entry(entries[place].key, .variant(.double(1)))
            #expect(LaunchHistory(stored: .dictionary(DictionaryValue(unchecked: wrong, key: .string, value: .variant))) == nil)
            // Those that need not be there: only some users have a baseline, and records of earlier versions know of no upgrades.
            guard !["baseline_version", "upgrades", "transition"].contains(where: { entries[place].key == .string($0) }) else {
                continue
            }
            wrong.remove(at: place)
            #expect(LaunchHistory(stored: .dictionary(DictionaryValue(unchecked: wrong, key: .string, value: .variant))) == nil)
        }
        #expect(LaunchHistory(stored: .string("")) == nil)
        #expect(LaunchHistory(stored: .vardict([])) == nil)
    }

    @Test("P8: a damaged flag is damaged and not absent")
    func damagedFlag() {
        #expect(FlagRecord(stored: .vardict([])) == nil)
        #expect(FlagRecord(stored: .vardict([("format", .uint32(1))])) == nil)
        #expect(FlagRecord(stored: .vardict([("format", .uint32(2)), ("when", .int64(1))])) == nil)
        let good: [(String, Value)] = [("format", .uint32(1)), ("when", .int64(1))]
        #expect(FlagRecord(stored: .vardict(good))?.when == 1)
        #expect(FlagRecord(stored: .vardict(good + [("texts", .array(["a\n"]))])) == nil)
        #expect(FlagRecord(stored: .vardict(good + [("texts", .int64(1))])) == nil)
        #expect(FlagRecord(stored: .vardict(good + [("highest_version", .string("1"))])) == nil)
    }
}

import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Flags")
struct FlagTests {
    private let flag: Identifier

    init() throws { flag = try #require(Identifier("tour")) }

    /// Asks for versions one after the other, each time from what is on disk.
    private func answers(
        _ versions: [String], scheme: Version.Scheme = .auto, from start: FlagRecord? = nil
    ) throws -> [Bool] {
        var stored = start?.stored
        return try versions.map { text in
            let earlier = try stored.map { try #require(FlagRecord(stored: $0)) }
            let record = try FlagRecord.onceForVersion(earlier, flag: flag, version: Version(text, scheme: scheme), at: .start)
            if let record { stored = record.stored }
            return record != nil
        }
    }

    @Test("L7: Once is true exactly once")
    func once() throws {
        let record = try #require(try FlagRecord.once(nil, flag: flag, at: .start))
        #expect(record.when == Instant.start.wall)
        let reread = try #require(FlagRecord(stored: record.stored))
        #expect(try FlagRecord.once(reread, flag: flag, at: .start.after(milliseconds: 5)) == nil)
    }

    @Test("OnceForVersion is true again for each version higher than all before")
    func onceForVersion() throws {
        #expect(
            try answers(["1.0", "1.0.0", "0.9", "1.0 (7)", "1.1-rc1", "1.1", "1.0", "1.1", "2.0"])
                == [true, false, false, false, true, true, false, false, true])
    }

    @Test("OnceForVersion takes each opaque text once, whatever versions come between")
    func opaqueTexts() throws {
        #expect(
            try answers(["nightly", "weekly", "nightly", "1.0", " nightly ", "Nightly", "1.0", "0.9", "1.1"])
                == [true, true, false, true, false, true, false, false, true])
        #expect(try answers(["2.0", "1.0", "2.0", "1.0"], scheme: .opaque) == [true, true, false, false])
    }

    @Test("A flag keeps the latest 256 opaque texts")
    func bound() throws {
        let texts = (0..<257).map { "build-x\($0)" }
        #expect(try answers(texts).allSatisfy { $0 })
        #expect(try answers(texts + ["build-x256", "build-x1"]).suffix(2) == [false, false])
        #expect(try answers(texts + ["build-x0"]).last == true)
    }

    @Test("Once and OnceForVersion share a flag: Once is true only where nothing is on record")
    func shared() throws {
        let once = try #require(try FlagRecord.once(nil, flag: flag, at: .start))
        #expect(try answers(["1.0", "1.0"], from: once) == [true, false])
        let version = try FlagRecord.onceForVersion(nil, flag: flag, version: Version("1.0"), at: .start)
        #expect(version != nil)
        #expect(try FlagRecord.once(version, flag: flag, at: .start) == nil)
    }

    @Test("A flag tells when it was last true")
    func when() throws {
        let first = try FlagRecord.onceForVersion(nil, flag: flag, version: Version("1.0"), at: .start)
        let later = Instant.start.after(milliseconds: 7)
        let second = try FlagRecord.onceForVersion(first, flag: flag, version: Version("1.1"), at: later)
        #expect(first?.when == Instant.start.wall)
        #expect(second?.when == Instant.start.wall + 7000)
    }

    @Test("P9: with lost data a flag with no record is Unavailable, one with a record is not")
    func lost() throws {
        let one = #expect(throws: ModelError.self) { try FlagRecord.once(nil, flag: flag, storeLostData: true, at: .start) }
        #expect(one?.code == .unavailable && one?.message.contains("tour") == true)
        let two = #expect(throws: ModelError.self) {
            try FlagRecord.onceForVersion(nil, flag: flag, version: Version("1.0"), storeLostData: true, at: .start)
        }
        #expect(two?.code == .unavailable)
        let record = try FlagRecord.onceForVersion(nil, flag: flag, version: Version("1.0"), at: .start)
        #expect(try FlagRecord.once(record, flag: flag, storeLostData: true, at: .start) == nil)
        #expect(
            try FlagRecord.onceForVersion(record, flag: flag, version: Version("1.1"), storeLostData: true, at: .start) != nil)
    }
}

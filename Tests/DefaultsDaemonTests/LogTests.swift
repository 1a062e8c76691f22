import DBusTypes
import DefaultsModel
import Support
import Testing

@testable import DefaultsDaemon

@Suite("The log")
struct LogTests {
    @Test("The catalog explains every event, and no other")
    func catalog() throws {
        let place = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let catalog = try String(contentsOfFile: place + "/packaging/defaultsd.catalog")
        let entries = catalog.split(separator: "\n-- ").dropFirst().map { $0.split(separator: "\n", maxSplits: 2) }
        #expect(entries.map { String($0[0]) }.sorted() == Log.Event.allCases.map(\.rawValue).sorted())
        for entry in entries { #expect(entry[1].hasPrefix("Subject: ") && entry[2].contains("Defined-By: defaultsd")) }
        let isIdentifier = { (text: String) in text.utf8.count == 32 && text.allSatisfy { $0.isHexDigit } }
        #expect(Log.Event.allCases.allSatisfy { isIdentifier($0.rawValue) })
    }

    @Test("A caller that meets limits is named once a minute, and all callers together 32 times")
    func quotas() throws {
        var notes = QuotaNotes()
        func name(_ number: Int) -> BusName { BusName(":1.\(number)") ?? ":1.0" }
        let minute = QuotaNotes.interval
        var due: [Bool] = []
        for (number, time) in [(1, 5), (1, 5 + minute - 1), (1, 5 + minute)] { due.append(notes.isDue(name(number), at: time)) }
        #expect(due == [true, false, true])
        let named = (2...1_000).count { notes.isDue(name($0), at: 5 + minute) }
        #expect(named == QuotaNotes.limit - 1)
        due = [5 + 2 * minute - 1, 5 + 2 * minute].map { notes.isDue(name(2_000), at: $0) }
        #expect(due == [false, true])
    }
}

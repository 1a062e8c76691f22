import DBusTypes
import DefaultsModel
import Support
import Testing

@testable import DefaultsStore

/// Stores as each version of the schema left them, kept in `Fixtures/store-N.sqlite`: this version must read and write them.
@Suite struct OlderStoreTests {
    private static let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Fixtures"

    @Test("P10: a store of every version of the schema opens whole and can be written", arguments: 1...Schema.version)
    func opens(version: Int64) throws {
        let place = try TemporaryFolder()
        try "\(Self.folder)/store-\(version).sqlite".bytesOfFile().write(toFile: place.path("defaults.sqlite"))
        let global = DomainName.global
        for round in 0..<2 {
            let harness = StoreHarness()
            let opened = try harness.open(place.path)
            #expect(opened.state == .healthy)
            #expect(opened.summary.domains.keys.sorted() == [global, app].sorted())
            let loaded = try harness.load(opened.store, app)
            #expect(loaded.value("theme") == .string("dark"))
            #expect(loaded.value("sizes") == .array([Int32(1), 2, 3]))
            #expect(loaded.value("empty") == .vardict([]))
            #expect(loaded.preferences[.registered]?.values.map(\.value) == [.uint32(7)])
            let history = try #require(loaded.onboarding[OnboardingID(.launches)].flatMap(LaunchHistory.init(stored:)))
            #expect(history.lastVersion?.text == "1.10" && history.firstVersion?.text == "1.9")
            #expect(loaded.onboarding[OnboardingID(.flag, "welcome")].flatMap(FlagRecord.init(stored:)) != nil)
            #expect(try harness.load(opened.store, global).value("scale") == .double(1.5))
            // What is written stays, with the rest.
            let count = loaded.value("round")
            #expect(count == (round == 0 ? nil : .int64(0)))
            try harness.commit(opened.store, [.revision(opened.summary.revision + 1), try set("round", .int64(Int64(round)))])
            try harness.close(opened.store)
        }
    }
}

import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Launches: versions")
struct LaunchesVersionTests {
    /// The version launched before, the one launched then, what that is.
    static let table: [(previous: String, current: String, words: String)] = [
        ("1.9.0", "1.10.0", "upgrade minor"),
        ("4.9.9", "4.9.10", "upgrade patch"),
        ("2.1", "2.1.0", "same"),
        ("16", "16.0", "same"),
        ("2.1.0.0", "2.1", "same"),
        ("1.02", "1.2", "same"),
        ("v2.1.0", "2.1.0", "same"),
        ("V3", "3.0", "same"),
        ("1.4", "1.4 (18)", "rebuild"),
        ("1.4+17", "1.4+18", "rebuild"),
        ("2.1.0", "2.1.0 (2026-01-07)", "rebuild"),
        ("2.0.0-beta.1", "2.0.0", "upgrade prerelease"),
        ("2.0.0-rc.9", "2.0.0-rc.10", "upgrade prerelease"),
        ("2.0.0", "2.0.0-rc.10", "downgrade prerelease"),
        ("2.0.0-alpha", "2.0.0-beta", "upgrade prerelease"),
        ("2.0.0-alpha", "2.0.0-alpha.1", "upgrade prerelease"),
        ("2.0.0-alpha.1", "2.0.0-alpha.beta", "upgrade prerelease"),
        ("1.0rc1", "1.0", "upgrade prerelease"),
        ("1.2b3", "1.2rc1", "upgrade prerelease"),
        ("1.2~dev1", "1.2~alpha1", "upgrade prerelease"),
        ("2.1", "1.5", "downgrade major"),
        ("2.31", "2.4", "downgrade minor"),
        ("1:1.0", "2.0", "downgrade epoch"),
        ("1.0", "1:0.5", "upgrade epoch"),
        ("٢.٠.١", "2.0.1", "same"),
        ("२.०.१", "2.0.2", "upgrade patch"),
        ("1.0.99999999999999999999", "1.0.100000000000000000000", "upgrade patch"),
        ("99999999999999999999", "100000000000000000000", "upgrade major"),
        ("nightly", "nightly", "same"),
        ("nightly", "weekly", "changed"),
        ("1.0", "nightly", "changed"),
        ("dev-v2", "dev-v3", "changed"),
        ("0.9", "1.0.0-alpha", "upgrade major"),
        ("6.2.0", "6.3.80-dev", "upgrade minor"),
        ("1.2.3.4", "1.2.3.5", "upgrade patch"),
        ("20261130", "20261201", "upgrade major"),
        ("  1.0 ", "1.0", "same"),
    ]

    @Test("V1–V5: every row of the table through Record on a bus, and Query says the same")
    func recordsTable() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let (earlier, later) = (try Client(on: bus), try Client(on: bus))
        for (index, row) in Self.table.enumerated() {
            let app = "org.example.Row\(index)"
            let first = try earlier.record(row.previous, app: app)
            #expect(first.launchWords == "first owner" && first.text("version") == row.previous)
            let launch = try later.record(row.current, app: app)
            #expect(
                launch.launchWords == (row.words == "same" ? "same" : row.words + " owner"),
                "\(row.previous) → \(row.current)")
            // V6: the text comes back as sent.
            #expect(launch.text("version") == row.current && launch.text("previous_version") == row.previous)
            #expect(launch.text("first_version") == row.previous && launch.number("launches") == 2)
            let query = try later.query(app)
            #expect(query.launchWords == row.words && query.text("version") == row.current)
        }
        #expect(daemon.process.poll() == nil)
    }

    @Test("The scheme opaque: any other text is changed, the same text same")
    func opaque() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let scheme: [(String, Value)] = [("scheme", .string("opaque"))]
        #expect(try Client(on: bus).record("1.0", scheme).launchWords == "first owner")
        #expect(try Client(on: bus).record("2.0", scheme).launchWords == "changed owner")
        #expect(try Client(on: bus).record("2.0", scheme).launchWords == "same")
        #expect(try Client(on: bus).record("2.0.0", scheme).launchWords == "changed owner")
        #expect(daemon.process.poll() == nil)
    }

    @Test(
        "V6: a version that can't be one is InvalidVersion naming it; nothing is recorded",
        arguments: [
            "", " ", "     ", "1.0\n", "a\tb", "\u{7F}1", "\u{85}", String(repeating: "1", count: 129),
        ])
    func invalid(version: String) throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        let error = try #require(try client.error { try client.record(version) })
        #expect(error.name == ErrorNames.invalidVersion && error.message.contains("version"))
        let flag = try #require(try client.error { try client.once("news", for: version) })
        #expect(flag.name == ErrorNames.invalidVersion)
        let baseline: [(String, Value)] = [("baseline_version", .string(version))]
        if !version.isEmpty {
            let error = try #require(try client.error { try client.record("1.0", baseline) })
            #expect(error.name == ErrorNames.invalidVersion && error.message.contains("baseline_version"))
        }
        #expect(try client.error { try client.query() }?.name == ErrorNames.notFound)
        #expect(try client.flags().isEmpty)
        #expect(daemon.process.poll() == nil)
    }

    @Test("V6: 128 bytes are a version")
    func longest() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let version = "1." + String(repeating: "9", count: 126)
        #expect(try Client(on: bus).record(version).text("version") == version)
        #expect(daemon.process.poll() == nil)
    }
}

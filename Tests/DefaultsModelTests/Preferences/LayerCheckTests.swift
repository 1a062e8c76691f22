import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Where a value comes from")
struct LayerCheckTests {
    private let app = LedgerFixture.app
    private let key = LedgerFixture.key("k")

    @Test("P1: every layer is there, highest first, whether or not it has a value")
    func order() {
        let view = LedgerFixture().ledger.committedView
        #expect(
            view.explaining(app, key).map(\.name) == [
                "mandatory app", "mandatory global", "user app", "user global", "machine app", "machine global", "registered",
            ])
        #expect(
            view.explaining(.global, key).map(\.name) == ["mandatory global", "user global", "machine global", "registered"])
        #expect(view.explaining(app, key).allSatisfy { !$0.hasValue && $0.why == "no value" })
    }

    @Test("P1: the highest with a value is the effective one; who set it and when is said, and what locks it")
    func values() {
        let fixture = LedgerFixture()
        fixture.set("k", .string("mine"), caller: 7)
        fixture.submit("register") { view throws(ModelError) in
            let writes = PreferenceWrites(LedgerFixture.app, writer: ":1.2", wall: 1_800_000_000_000_000)
            return try writes.register([(LedgerFixture.key("k"), .int32(1))], in: view)
        }
        fixture.take(FileLayers(machine: [.global: [key: .boolean(true)]]))
        fixture.commitAll()
        func why() -> [String] { fixture.ledger.committedView.explaining(app, key).filter(\.hasValue).map(\.why) }
        let lower = [
            "true, suggested by a configuration file; a higher layer hides it",
            "1, registered by :1.2 at 2027-01-15 08:00:00 UTC; a higher layer hides it",
        ]
        #expect(
            why() == ["\"mine\", set by :1.7 at 1970-01-01 00:00:00 UTC; this is the effective value"] + lower)
        fixture.take(FileLayers(mandatory: [app: [key: .double(0.5)]], machine: [.global: [key: .boolean(true)]]))
        fixture.commitAll()
        #expect(
            why() == [
                "0.5, imposed by a configuration file, which locks the key; this is the effective value",
                "\"mine\", set by :1.7 at 1970-01-01 00:00:00 UTC; a higher layer hides it",
            ] + lower)
    }

    @Test("The default of a manifest is the lowest layer where the application registered none")
    func manifest() {
        let fixture = LedgerFixture()
        let schema = PreferenceSchema(type: .int32, defaultValue: .int32(3))
        fixture.take(FileLayers(schemas: [app: [key: schema]]))
        fixture.commitAll()
        let checks = fixture.ledger.committedView.explaining(app, key)
        #expect(checks.filter(\.hasValue).map(\.name) == ["registered"])
        #expect(checks.last?.why == "3, the default of the application's manifest; this is the effective value")
    }

    @Test(
        "Moments are dates of the Gregorian calendar, to the second, before the epoch too",
        arguments: [
            (0, "1970-01-01 00:00:00 UTC"), (-1, "1969-12-31 23:59:59 UTC"), (951_782_400_000_000, "2000-02-29 00:00:00 UTC"),
            (4_107_542_399_999_999, "2100-02-28 23:59:59 UTC"), (4_107_542_400_000_000, "2100-03-01 00:00:00 UTC"),
            (1_798_761_599_000_000, "2026-12-31 23:59:59 UTC"), (-62_167_219_200_000_000, "0000-01-01 00:00:00 UTC"),
        ] as [(Int64, String)])
    func dates(_ wall: Int64, _ text: String) { #expect(UTCText(wall: wall).description == text) }
}

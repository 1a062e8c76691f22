import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("P12: what an application's definitions may take")
struct DefinitionLimitTests {
    private let desk = GuideDesk()

    /// A definition of about a megabyte.
    private func large(_ revision: UInt32 = 1, _ count: Int = 1_000_000) -> [(String, Value)] {
        [
            ("revision", .uint32(revision)),
            ("attributes", .vardict([("text", .string(String(repeating: "x", count: count)))])),
        ]
    }

    private func refused(_ body: () throws -> Bool) throws -> ModelError {
        try #require(throws: ModelError.self) { _ = try body() }
    }

    @Test("16 MiB in all kinds together; one that is defined again counts once, and what was removed not at all")
    func total() throws {
        for number in 0..<16 { #expect(try desk.define("g\(number)", large())) }
        let error = try refused { try desk.define("g16", large()) }
        #expect(error.code == .limitExceeded && error.message.contains("more than 16777216"), "\(error)")
        // Tours and tips are of the same room.
        let tour = try TourDefinition(TourDesk.entries(["a"], large()))
        let tip = try TipDefinition(DictionaryValue(large()))
        let asTour = try refused {
            try desk.perform { view throws(ModelError) in
                try view.definingTour(GuideDesk.app, GuideDesk.id("t"), as: tour)
            } == [.boolean(true)]
        }
        let asTip = try refused {
            try desk.perform { view throws(ModelError) in
                try view.definingTip(GuideDesk.app, GuideDesk.id("t"), tip)
            } == [.boolean(true)]
        }
        #expect(asTour.code == .limitExceeded && asTip.code == .limitExceeded, "\(asTour), \(asTip)")
        #expect(try desk.define("small"))
        #expect(try desk.define("g3", large(2)))
        try desk.remove("g3")
        #expect(try desk.define("g16", large()))
    }

    @Test("What was refused has changed nothing, and another application has room of its own")
    func apart() throws {
        for number in 0..<16 { try desk.define("g\(number)", large(1, 1_040_000)) }
        _ = try refused { try desk.define("g16", large(1, 200_000)) }
        #expect(desk.rows == 0)
        #expect(try desk.listed("g16") == nil && desk.listed("g0")?.number("revision") == 1)
        let definition = try GuideDefinition(GuideDesk.definition(large()))
        let call = desk.call()
        let reply = try desk.perform { view throws(ModelError) in
            try view.definingGuide(LedgerFixture.other, GuideDesk.id("g"), as: definition, call)
        }
        #expect(reply == [.boolean(true)])
    }
}

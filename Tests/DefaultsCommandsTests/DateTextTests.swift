import Support
import Testing

@testable import DefaultsCommands

@Suite("Dates")
struct DateTextTests {
    @Test(
        "ISO 8601 to microseconds since the Unix epoch",
        arguments: [
            ("1970-01-01", 0), ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.000001Z", 1),
            ("1969-12-31T23:59:59.999999Z", -1),
            ("2001-09-09T01:46:40", 1_000_000_000_000_000), ("2001-09-09 03:46:40 +0200", 1_000_000_000_000_000),
            ("2001-09-08T20:16:40-05:30", 1_000_000_000_000_000), ("2001-09-09T03:46:40+02", 1_000_000_000_000_000),
            ("2000-02-29T12:00Z", 951_825_600_000_000), ("2026-01-31T12:00:00.5Z", 1_769_860_800_500_000),
            ("0000-03-01", -62_162_035_200_000_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000_000),
        ] as [(String, Int64)])
    func reading(text: String, microseconds: Int64) {
        #expect(DateText.microseconds(text) == microseconds)
    }

    @Test(
        "what is no date is none",
        arguments: [
            "", "2026", "2026-1-1", "2026-13-01", "2026-00-01", "2026-02-29", "2100-02-29", "2026-04-31", "2026-01-01T24:00",
            "2026-01-01T12:60",
            "2026-01-01T12:00:60", "2026-01-01T12", "2026-01-01T12:00:00.", "2026-01-01T12:00:00.1234567", "2026-01-01T12:00X",
            "2026-01-01T12:00+2", "2026-01-01T12:00+02:0", "2026-01-01Z", "2026-01-01T12:00Z ", " 2026-01-01",
            "2026-01-01T12:00+24:00",
        ])
    func refused(text: String) {
        #expect(DateText.microseconds(text) == nil)
    }

    @Test("writing gives the date back, over the whole range of Int64")
    func writing() {
        #expect(DateText.text(microseconds: 0) == "1970-01-01T00:00:00Z")
        #expect(DateText.text(microseconds: -1) == "1969-12-31T23:59:59.999999Z")
        #expect(DateText.text(microseconds: 1_769_860_800_500_000) == "2026-01-31T12:00:00.5Z")
        #expect(DateText.text(microseconds: .max) == "294247-01-10T04:00:54.775807Z")
        #expect(DateText.text(microseconds: .min) == "-290308-12-21T19:59:05.224192Z")
        var generator = SeededGenerator(announcing: "Dates")
        for _ in 0..<2_000 {
            let microseconds = Int64.random(in: -62_167_219_200_000_000...253_402_300_799_999_999, using: &generator)
            #expect(DateText.microseconds(DateText.text(microseconds: microseconds)) == microseconds)
        }
    }
}

import DBusTypes
import Support
import Testing

@testable import DefaultsModel

@Suite("Versions")
struct VersionTests {
    private static func words(_ change: VersionChange) -> (kind: String, significance: String) {
        switch change {
        case .same: ("same", "")
        case .rebuild: ("rebuild", "")
        case .upgrade(let significance): ("upgrade", significance.rawValue)
        case .downgrade(let significance): ("downgrade", significance.rawValue)
        case .changed: ("changed", "")
        }
    }

    @Test("V1–V5: the table, as versions and as launches", arguments: givenVersions + versionCorners)
    func table(row: VersionRow) throws {
        let previous = try Version(row.previous)
        let current = try Version(row.current)
        #expect(Self.words(current.change(from: previous)) == (row.kind, row.significance))

        var history = LaunchHistory()
        _ = history.record(previous, at: .start)
        let launch = history.record(current, at: .start)
        #expect((launch.kind.rawValue, launch.significance?.rawValue ?? "") == (row.kind, row.significance))
        #expect(launch.version == row.current, "V6: the raw text is returned")
        #expect(launch.previousVersion == row.previous)
    }

    @Test("V3: the other way round each row says the opposite", arguments: givenVersions + versionCorners)
    func reversed(row: VersionRow) throws {
        let opposite = ["upgrade": "downgrade", "downgrade": "upgrade"][row.kind] ?? row.kind
        let change = try Version(row.previous).change(from: Version(row.current))
        #expect(Self.words(change) == (opposite, row.significance))
    }

    @Test("V3: every version of a long ladder is below all after it")
    func ladder() throws {
        let ladder = [
            "0.9", "1.0-1", "1.0-2.a", "1.0-2.b", "1.0-10", "1.0-0a", "1.0-Zeta", "1.0-abc", "1.0-dev", "1.0-dev.1", "1.0-dev2",
            "1.0-dev-1", "1.0-alpha", "1.0a1", "1.0-alpha.x", "1.0-alphabet", "1.0-beta", "1.0b2", "1.0b10", "1.0-cat",
            "1.0-delta", "1.0-pre", "1.0pre1", "1.0rc", "1.0rc1", "1.0rc1.1", "1.0rc2", "1.0-rc-1", "1.0-zeta", "1.0", "1.0.0.1",
            "1.0.1-rc", "1.0.1", "1.2", "1.10-dev", "1.10", "2", "20", "100", "1:0.1", "2:0-a", "2:0",
        ]
        for (place, text) in ladder.enumerated() {
            let lower = try Version(text)
            for higher in try ladder[(place + 1)...].map({ try Version($0) }) {
                #expect(higher.isHigher(than: lower), "\(higher) is above \(lower)")
                #expect(!lower.isHigher(than: higher), "\(lower) is below \(higher)")
            }
        }
    }

    @Test("V5: with scheme opaque nothing is above anything")
    func opaqueScheme() throws {
        let one = try Version("1.0", scheme: .opaque)
        let two = try Version("2.0", scheme: .opaque)
        #expect(two.change(from: one) == .changed)
        #expect(one.change(from: two) == .changed)
        #expect(one.isOpaque && !one.isPrerelease)
        #expect(try Version("1.0.0", scheme: .opaque).change(from: one) == .changed)
        #expect(try Version(" 1.0 ", scheme: .opaque).change(from: one) == .same)
        #expect(try Version("1.0").change(from: one) == .same, "one text is one version, however it is read")
        #expect(try Version("1.1").change(from: one) == .changed)
    }

    @Test("V6: what is no version text is InvalidVersion, and says why")
    func invalid() throws {
        let bad = [
            ("", "empty"), (" ", "spaces"), ("    ", "spaces"), (String(repeating: "1", count: 129), "129 bytes"),
            (String(repeating: "é", count: 65), "130 bytes"), ("1.0\n", "control"), ("1.0\t", "control"), ("1\u{0}0", "control"),
            ("\u{7F}1", "control"), ("1\u{85}", "control"), ("\n", "control"),
        ]
        for (text, word) in bad {
            let error = #expect(throws: ModelError.self) { try Version(text) }
            #expect(error?.code == .invalidVersion)
            #expect(
                error?.message.contains("version") == true && error?.message.contains(word) == true,
                "\(String(describing: error))")
            #expect(throws: ModelError.self) { try Version(text, scheme: .opaque) }
        }
    }

    @Test("V6: 128 bytes are allowed, also of digits and of spaces around a version")
    func longest() throws {
        let digits = String(repeating: "9", count: 128)
        #expect(try Version(digits).isHigher(than: Version(String(repeating: "9", count: 127))))
        #expect(try Version("1." + String(repeating: "0", count: 126)).change(from: Version("1")) == .same)
        #expect(try Version(String(repeating: " ", count: 125) + "1.0").change(from: Version("1.0")) == .same)
        #expect(try Version(String(repeating: "é", count: 64)).isOpaque)
    }

    @Test("V1: no text traps, and each is the same as itself")
    func anyText() throws {
        let pieces = ["1", "0", ".", "-", "~", "+", " ", "(", ")", ":", "v", "rc", "a", "dev", "x", "٣", "é", "`", "_"]
        var random = SeededGenerator(seed: 7)
        var parsed: [Version] = []
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                .joined()
            guard let version = try? Version(text) else { continue }
            #expect(version.change(from: version) == .same)
            if !version.isOpaque { parsed.append(version) }
        }
        #expect(parsed.count > 500)
        for _ in 0..<20_000 {
            guard let first = parsed.randomElement(using: &random), let second = parsed.randomElement(using: &random),
                let third = parsed.randomElement(using: &random)
            else { break }
            #expect(!(first.isHigher(than: second) && second.isHigher(than: first)))
            if first.isHigher(than: second) && second.isHigher(than: third) {
                #expect(first.isHigher(than: third), "\(first) > \(second) > \(third)")
            }
        }
    }

    @Test("V4: significances compare by size")
    func significances() {
        #expect(
            [Significance.epoch, .patch, .major, .prerelease, .minor].sorted() == [.prerelease, .patch, .minor, .major, .epoch])
    }
}

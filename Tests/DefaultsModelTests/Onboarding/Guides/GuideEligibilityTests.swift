import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Which guides are due")
struct GuideEligibilityTests {
    private let desk = GuideDesk()

    private func whatsNew(_ version: String, _ entries: [(String, Value)] = []) throws {
        try desk.define("new-\(version)", [("kind", .string("whatsnew")), ("since_version", .string(version))] + entries)
    }

    private func explained(_ guide: String) throws -> [Gate: GateCheck] {
        let gates = try desk.explain(guide)
        return Dictionary(uniqueKeysWithValues: gates.checks.map { ($0.gate, $0) })
    }

    @Test("G6: nothing is due before a launch is on record: not_recorded")
    func notRecorded() throws {
        try desk.define()
        #expect(try desk.pending().isEmpty)
        let presented = try desk.present()
        #expect(presented.reason == "not_recorded" && presented.guide.text("state") == "new" && desk.rows == 0)
        #expect { try desk.present("nope") } throws: { ($0 as? ModelError)?.code == .notFound }
    }

    @Test("P9: after a loss of data nothing is due until it is acknowledged: unknown_launch")
    func unknownLaunch() throws {
        try desk.define()
        var history = LaunchHistory()
        _ = history.record(try Version("1.0"), storeLostData: true, at: .start)
        let stored = history.stored
        try desk.perform { _ in Outcome(changes: [.onboarding(GuideDesk.app, OnboardingID(.launches), stored)]) }
        #expect(try desk.explain(storeLostData: true).checks.filter { !$0.isPassed }.map(\.gate) == [.unknownLaunch])
        #expect(try desk.view.pendingGuides(GuideDesk.app, storeLostData: true).isEmpty)
        #expect(try desk.pending() == ["welcome"])
        #expect(try desk.present().show)
    }

    @Test("G5: 1.7 to 1.10 with what's new in 1.8, 1.9 and 1.10: three pending, newest first (scenario 20)")
    func newestFirst() throws {
        try desk.define("b")
        try desk.define("a")
        for version in ["1.9", "1.10", "1.8", "1.7", "1.11"] { try whatsNew(version) }
        #expect(try desk.launch("1.7") == ["a", "b"])
        #expect(try desk.launch("1.10") == ["a", "b", "new-1.10", "new-1.9", "new-1.8"])
        #expect(try desk.present("new-1.7").reason == "audience")
        #expect(try desk.present("new-1.11").reason == "version")
        try desk.finish(desk.present("new-1.9").run)
        #expect(try desk.pending() == ["a", "b", "new-1.10", "new-1.8"])
    }

    @Test("G5: at most ten of what's new")
    func ten() throws {
        try desk.launch("1.0")
        for minor in 1...12 { try whatsNew("1.\(minor)") }
        #expect(try desk.launch("1.12") == (3...12).reversed().map { "new-1.\($0)" })
    }

    @Test("G5: the order of Define and Record doesn't matter, nor that what runs is a process later")
    func anyOrder() throws {
        try desk.launch("1.0")
        #expect(try desk.launch("1.1") == [])
        try whatsNew("1.1")
        #expect(try desk.pending() == ["new-1.1"])
        #expect(try desk.launch("1.1.1") == ["new-1.1"])
    }

    @Test("L3: an adopted user isn't fresh, and what's new counts from the baseline (scenario 19)")
    func adopted() throws {
        try desk.define("welcome", [("audience", .string("fresh"))])
        for version in ["1.4", "1.5", "1.6", "2.0"] { try whatsNew(version) }
        let options = LaunchOptions(existingUser: true, baselineVersion: try Version("1.4"))
        #expect(try desk.launch("1.6", options: options) == ["new-1.6", "new-1.5"])
        #expect(try desk.present("welcome").reason == "audience")
        try desk.define("all", [("kind", .string("whatsnew"))])
        #expect(try desk.pending() == ["new-1.6", "new-1.5", "all"], "adopting at 1.6 is an upgrade from 1.4")
    }

    @Test("L3: adopted without a baseline has had everything up to its first version")
    func adoptedWithoutBaseline() throws {
        for version in ["1.5", "1.6"] { try whatsNew(version) }
        #expect(try desk.launch("1.6", options: LaunchOptions(existingUser: true)) == [])
        #expect(try desk.launch("1.7") == [])
        try whatsNew("1.7")
        #expect(try desk.pending() == ["new-1.7"])
    }

    @Test("G6: fresh never went beyond its first version, upgrade did")
    func audience() throws {
        for audience in ["fresh", "upgrade", "both"] {
            try desk.define(audience, [("audience", .string(audience))])
        }
        #expect(try desk.launch("1.0") == ["both", "fresh"])
        try desk.finish(desk.present("both").run)
        try desk.define("late", [("audience", .string("fresh"))])
        #expect(try desk.launch("1.1") == ["fresh", "late", "upgrade"], "what was due stays so")
        try desk.define("later", [("audience", .string("fresh"))])
        #expect(try desk.present("later").reason == "audience")
    }

    @Test("G6: what's new asks for a minor upgrade; a patch isn't enough, and a smaller minimum takes it")
    func significance() throws {
        try desk.launch("1.0")
        try whatsNew("1.0.1")
        try whatsNew("1.0.2", [("minimum_significance", .string("patch"))])
        try desk.define("any", [("kind", .string("whatsnew")), ("minimum_significance", .string("prerelease"))])
        #expect(try desk.launch("1.0.2") == ["new-1.0.2", "any"])
        #expect(try desk.present("new-1.0.1").reason == "significance")
        #expect(try explained("new-1.0.1")[.significance]?.why == "minimum_significance minor; from 1.0 to 1.0.2")
    }

    @Test("G6: onboarding is due again after an upgrade at least as big as it asks for, and not after a smaller one")
    func again() throws {
        try desk.launch("1.0")
        try desk.define("tour", [("minimum_significance", .string("minor"))])
        try desk.define("classic", [("minimum_significance", .string("prerelease"))])
        try desk.define("plain")
        for guide in ["tour", "classic", "plain"] { try desk.finish(desk.present(guide).run) }
        #expect(try desk.launch("1.0") == [])
        #expect(try desk.present("classic").reason == "seen")
        #expect(try desk.launch("1.0.1") == ["classic"])
        #expect(try desk.present("tour").reason == "significance")
        #expect(try desk.present("plain").reason == "seen")
        #expect(try desk.launch("1.1") == ["classic", "tour"])
        let again = try desk.present("tour")
        #expect(again.show && again.guide.number("attempts") == 1 && again.guide.number("page") == 0)
        try desk.finish(again.run)
        #expect(try desk.pending() == ["classic"])
    }

    @Test("G6: where the launches were forgotten since it was seen, the next upgrade counts all the same")
    func forgotten() throws {
        try desk.define("classic", [("minimum_significance", .string("prerelease"))])
        for _ in 0..<5 { try desk.launch("1.0") }
        try desk.finish(desk.present("classic").run)
        try desk.perform { _ in Outcome(changes: [.onboarding(GuideDesk.app, OnboardingID(.launches), nil)]) }
        #expect(try desk.launch("1.0") == [])
        #expect(try desk.launch("1.1") == ["classic"])
    }

    @Test("L4: nothing is due after a downgrade; going up again brings back only what wasn't seen (scenario 18)")
    func downgrade() throws {
        try desk.launch("2.0")
        try whatsNew("2.1")
        try desk.define("classic", [("minimum_significance", .string("prerelease"))])
        try desk.define()
        #expect(try desk.launch("2.1") == ["classic", "welcome", "new-2.1"])
        for guide in ["new-2.1", "classic"] { try desk.finish(desk.present(guide).run) }
        #expect(try desk.launch("1.5") == [])
        #expect(try desk.launch("1.5") == [], "starting the older version again doesn't change that")
        #expect(try desk.launch("1.5+2") == [], "nor does another build of it")
        #expect(try desk.present().reason == "version")
        #expect(try desk.launch("2.1") == ["welcome"], "a revisit: nothing is shown twice")
        #expect(try desk.launch("2.2") == ["classic", "welcome"])
    }

    @Test("L5: 6.2.0 to 6.3.80-dev to 6.3.0: what's new in 6.3 is still pending (scenario 18)")
    func prerelease() throws {
        try whatsNew("6.3.0")
        try desk.launch("6.2.0")
        #expect(try desk.launch("6.3.80-dev") == ["new-6.3.0"])
        #expect(try desk.launch("6.3.0") == ["new-6.3.0"])
        try desk.finish(desk.present("new-6.3.0").run)
        #expect(try desk.launch("6.3.1") == [])
    }

    @Test("L5: a pre-release and back to the release is a downgrade: nothing pending")
    func backFromPrerelease() throws {
        try desk.define()
        try desk.launch("2.0.0")
        try desk.launch("2.1.0-beta")
        #expect(try desk.launch("2.0.0") == [])
    }

    @Test("V5: between versions that don't compare any change is the smallest")
    func opaque() throws {
        let options = LaunchOptions(scheme: .opaque)
        try desk.launch("spring", options: options)
        try desk.define("any", [("kind", .string("whatsnew")), ("minimum_significance", .string("prerelease"))])
        try desk.define("minor", [("kind", .string("whatsnew"))])
        try whatsNew("autumn", [("minimum_significance", .string("prerelease"))])
        #expect(try desk.launch("autumn", options: options) == ["new-autumn", "any"])
    }

    @Test("G6: what became due stays so on disk, though the history would not make it so any more")
    func marked() throws {
        try desk.launch("1.0")
        try desk.define("welcome", [("audience", .string("fresh"))])
        #expect(try desk.pending() == ["welcome"])
        #expect(try desk.launch("2.0") == ["welcome"])
        #expect(try explained("welcome")[.audience]?.why == "revision 1 became due at an earlier launch and stays so")
        try desk.finish(desk.present().run)
        try desk.define("welcome", [("audience", .string("fresh")), ("revision", .uint32(2))])
        #expect(try desk.present().reason == "audience")
    }

    @Test("S2, S4: the reason is the first gate that is closed; Explain has them all, in their order, with the data used")
    func explain() throws {
        try whatsNew("3.0", [("audience", .string("fresh")), ("minimum_significance", .string("major"))])
        #expect(try desk.present("new-3.0").reason == "not_recorded")
        try desk.launch("1.0")
        try desk.launch("2.0")
        #expect(try desk.present("new-3.0").reason == "version")
        let gates = try desk.explain("new-3.0")
        #expect(
            gates.checks.map(\.gate) == [
                .policy, .notRecorded, .unknownLaunch, .seen, .abandoned, .version, .audience, .significance, .inhibited, .busy,
            ])
        #expect(gates.checks.filter { !$0.isPassed }.map(\.gate) == [.version, .audience, .significance])
        let why = try explained("new-3.0")
        #expect(why[.version]?.why == "the running version is 2.0, since_version 3.0")
        #expect(why[.audience]?.why.contains("audience fresh; the first launch was of kind first from 1.0") == true)
        #expect(why[.abandoned]?.why == "attempts 0, at most 3")
    }
}

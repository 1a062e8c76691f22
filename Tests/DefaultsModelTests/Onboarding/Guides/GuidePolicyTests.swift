import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Guides and policy")
struct GuidePolicyTests {
    private let desk = GuideDesk()

    init() throws {
        try desk.launch("1.0")
        try desk.define()
    }

    private func policy(_ mode: OnboardingPolicy.Mode?) -> FileLayers {
        FileLayers(policy: OnboardingPolicy(machine: .init(onboarding: mode)))
    }

    @Test("S3: deny shows nothing and writes no state; lifted, the guide is due (scenario 28)")
    func deny() throws {
        try desk.take(policy(.deny))
        let denied = try desk.present()
        #expect(denied.reason == "policy" && desk.rows == 0 && denied.guide.text("state") == "new")
        #expect(try desk.present("welcome", GuideOptions(isReplay: true)).reason == "policy")
        #expect(try desk.launch("1.1") == [])
        #expect(desk.rows == 1, "the launch itself")
        try desk.take(policy(nil))
        #expect(try desk.pending() == ["welcome"])
        #expect(try desk.present().show)
    }

    @Test("S3: baseline counts as seen: at Present, at Define and at Record")
    func baseline() throws {
        try desk.define("recorded")
        try desk.take(policy(.baseline))
        #expect(try desk.pending().isEmpty)
        #expect(try desk.present().reason == "policy")
        #expect(try desk.listed()?.text("outcome") == "policy")
        #expect(try desk.listed()?.text("state") == "finished")
        #expect(try desk.listed("recorded")?.text("state") == "new")
        #expect(try desk.launch("1.1") == [])
        #expect(try desk.listed("recorded")?.text("outcome") == "policy")
        try desk.define("defined")
        try desk.define("ahead", [("since_version", .string("2.0"))])
        try desk.take(policy(nil))
        for guide in ["welcome", "recorded", "defined"] { #expect(try desk.present(guide).reason == "seen") }
        #expect(try desk.launch("2.0") == ["ahead"], "what has not come yet wasn't seen")
        try desk.define("welcome", [("revision", .uint32(2))])
        #expect(try desk.pending() == ["ahead", "welcome"])
    }

    @Test("S3: the closest entry counts: the application's of the kind first, the machine's onboarding last")
    func scopes() throws {
        var policy = OnboardingPolicy(machine: .init(onboarding: .deny))
        policy.apps[GuideDesk.app] = .init(kinds: [.guide: .allow])
        try desk.take(FileLayers(policy: policy))
        #expect(try desk.pending() == ["welcome"])
        policy.apps[GuideDesk.app] = .init(onboarding: .allow, kinds: [.guide: .deny])
        try desk.take(FileLayers(policy: policy))
        #expect(try desk.present().reason == "policy")
        let gates = try desk.explain()
        #expect(gates.checks.first?.why == "policy entry apps.org.example.App.guides is \"deny\"")
    }

    @Test("S3: turned to deny, it ends a live run as released at no attempt, and its countdown as policy")
    func live() throws {
        try desk.define("timed", [("countdown", .vardict([("duration", .uint64(10_000))]))])
        let run = try desk.present("timed").run
        try desk.goTo(run, 1)
        try desk.take(policy(.deny))
        #expect(desk.signals == ["finished released", "ends policy"])
        #expect(try desk.listed("timed")?.number("attempts") == 0)
        try desk.take(policy(.allow))
        #expect(try desk.present("timed").guide.number("page") == 1)
    }

    @Test("S2: inhibited comes after what is permanent and before busy")
    func inhibited() throws {
        try desk.perform { view throws(ModelError) in try view.inhibiting(by: GuideDesk.caller(9), reason: "a talk") }
        #expect(
            try desk.present().reason == "inhibited"
                && desk.present("welcome", GuideOptions(isReplay: true)).reason == "inhibited")
        #expect(try desk.pending() == ["welcome"], "it is due all the same")
        try desk.perform { view throws(ModelError) in Outcome(changes: view.removingInhibitors { _ in true }) }
        try desk.finish(desk.present().run)
        try desk.perform { view throws(ModelError) in try view.inhibiting(by: GuideDesk.caller(9), reason: "") }
        #expect(try desk.present().reason == "seen")
    }
}

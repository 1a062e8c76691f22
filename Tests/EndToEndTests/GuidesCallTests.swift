import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Guides: calls and signals")
struct GuidesCallTests {
    @Test("From Define to Finish: what is due comes with the launch, and is due no more at the end (G1, G5)")
    func life() throws {
        let time = try TimedDaemon()
        let client = time.client
        #expect(try client.defineGuide())
        #expect(try !client.defineGuide())
        #expect(try client.pendingGuides() == [])
        #expect(try client.presentGuide().reason == "not_recorded")
        #expect(try client.pendingAfterLaunch("1.0") == ["welcome"])
        #expect(try client.query(guideApp)["pending"] == .array(["welcome"]))
        #expect(try client.pendingAfterLaunch("1.0") == ["welcome"], "the same connection again")
        let presented = try client.presentGuide()
        let guide = presented.guide
        #expect(presented.show)
        #expect(presented.run > 0)
        #expect(guide.text("state") == "presenting")
        #expect(guide.count("page") == 0)
        #expect(guide.count("count") == 3)
        #expect(guide.flag("is_first") == true)
        #expect(guide.flag("button_visible") == false)
        #expect(guide.count("attempts") == 1)
        #expect(guide["countdown"] == .objectPath("/"))
        #expect(guide["pages"] == guidePages(3))
        #expect(try client.advanceGuide(presented.run, by: 2).flag("is_last") == true)
        #expect(try client.advanceGuide(presented.run).text("outcome") == "completed")
        #expect(try client.finishGuide(presented.run, "dismissed").text("outcome") == "completed")
        try client.drain()
        #expect(client.guideEvents() == ["page 2/3", "finished completed"])
        #expect(try client.pendingGuides() == [])
        #expect(try client.presentGuide().reason == "seen")
        let listed = try #require(try client.listedGuide())
        #expect(listed.text("state") == "finished")
        #expect(listed.text("source") == "bus")
        #expect(listed.count("furthest") == 2)
        #expect(try client.query(guideApp)["pending"] == .array([String]()))
    }

    @Test("A wrong definition, id, option, outcome, page or run is named, and changes nothing")
    func errors() throws {
        let time = try TimedDaemon()
        let client = time.client
        let page = Value.vardict([("image", .int32(1))])
        let pages = Value.array(ArrayValue(unchecked: [page], of: .dictionary(key: .string, value: .variant)))
        let wrong = try client.error { try client.defineGuide("welcome", [("pages", pages)]) }
        #expect(wrong?.name == ErrorNames.invalidArgument)
        #expect(wrong?.message.contains("\"pages[0].image\" is of type i; it must be a string (s)") == true, "\(wrong as Any)")
        #expect(try client.error { try client.defineGuide("") }?.name == ErrorNames.invalidName)
        #expect(try client.error { try client.defineGuide(app: "global") }?.name == ErrorNames.invalidName)
        #expect(try client.listedGuide() == nil)
        #expect(try client.error { try client.presentGuide("nope") }?.name == ErrorNames.notFound)
        for member in [GuidesInterface.remove, GuidesInterface.reset] {
            #expect(try client.error { try client.guides(member, .string(guideApp), .string("no")) }?.name == ErrorNames.notFound)
        }
        try client.defineGuide()
        try client.record("1.0", app: guideApp)
        let option = try client.error { try client.presentGuide("welcome", [("again", .boolean(true))]) }
        #expect(option?.name == ErrorNames.invalidArgument)
        let run = try client.showGuide()
        #expect(try client.error { try client.goToPage(run, 3) }?.name == ErrorNames.notFound)
        #expect(try client.error { try client.finishGuide(run, "timed_out") }?.name == ErrorNames.invalidArgument)
        #expect(try client.error { try client.finishGuide(run + 1) }?.name == ErrorNames.notFound)
        #expect(try client.goToPage(run, 0).text("state") == "presenting")
        try client.drain()
        #expect(client.guideEvents().isEmpty)
    }

    @Test("Signals reach the presenter and those who watch the application, each once and after the reply; nobody else")
    func signals() throws {
        let time = try TimedDaemon()
        let (watcher, bystander) = (try Client(on: time.bus), try Client(on: time.bus))
        try watcher.preferences(PreferencesInterface.watch, .string(guideApp))
        try time.client.preferences(PreferencesInterface.watch, .string(guideApp))
        try time.client.record("1.0", app: guideApp)
        try time.client.defineGuide()
        let run = try time.client.showGuide()
        let turn = time.client.begin(GuidesInterface.name, GuidesInterface.advance, .uint64(run), .int32(1))
        try time.client.finish(turn)
        try time.client.wait("the page") { $0.member == GuidesInterface.pageChanged }
        let place = try #require(time.client.signals.firstIndex { $0.member == GuidesInterface.pageChanged })
        #expect(turn.position <= place, "the reply comes first")
        try watcher.finishGuide(run, "skipped")
        let expected = ["page 1/3", "finished skipped"]
        #expect(try time.client.waitForEnd(ofRun: run) == expected)
        #expect(try watcher.waitForEnd(ofRun: run) == expected)
        try bystander.drain()
        #expect(bystander.guideEvents().isEmpty)
        let words = time.client.signals.filter { $0.member == GuidesInterface.finished }.map(\.words)
        #expect(words == ["Finished \(guideApp) welcome \(run) skipped"])
    }

    @Test("G3, S1: a second window, the same one again and another application get busy; the holder's end lets the next in")
    func busy() throws {
        let time = try TimedDaemon()
        let second = try Client(on: time.bus)
        for app in [guideApp, "org.example.Other"] {
            try second.defineGuide(app: app)
            try second.record("1.0", app: app)
        }
        let run = try time.client.showGuide()
        #expect(try second.presentGuide().reason == "busy")
        #expect(try time.client.presentGuide().reason == "busy")
        #expect(try second.presentGuide(app: "org.example.Other").reason == "busy")
        #expect(try second.presentGuide().guide.text("state") == "presenting")
        try time.client.finishGuide(run)
        #expect(try second.presentGuide(app: "org.example.Other").show)
    }

    @Test("G7: twenty turns at once from two windows: signals on edges only, and every reply is of one of the pages")
    func racingTurns() throws {
        let time = try TimedDaemon()
        let second = try Client(on: time.bus)
        try time.client.defineGuide("welcome", [("completion", .string("button"))])
        try time.client.record("1.0", app: guideApp)
        let run = try time.client.showGuide()
        let replies = (0..<10).flatMap { _ in
            [time.client, second].map { client in
                (client, client.begin(GuidesInterface.name, GuidesInterface.advance, .uint64(run), .int32(1)))
            }
        }
        for (client, reply) in replies { try client.finish(reply) }
        try time.client.drain()
        #expect(time.client.guideEvents() == ["page 1/3", "page 2/3"])
        #expect(try second.goToPage(run, 2).flag("button_visible") == true)
    }

    @Test("Policy.onboarding tells what the files say; a broken policy file keeps what it said before (P16)")
    func policyProperty() throws {
        let time = try TimedDaemon()
        let folder = ConfigurationFolder(time.bus)
        #expect(try time.client.policy()?.text("onboarding") == "allow")
        for text in [#"{"onboarding": "deny"}"#, "{"] {
            try folder.replace("policy.d/kiosk.json", text)
            try time.client.reloadConfiguration()
            #expect(try time.client.policy()?.text("onboarding") == "deny")
        }
        let errors = try time.client.policy()?["errors"]?.get(as: [String].self)
        #expect(errors?.count == 1)
    }
}

import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Recipes: guides")
struct RecipeGuideTests {
    @Test(
        "Recipe 1, slide past the last page: shown on first start and each update, once; over a crash, a second window, an update"
    )
    func launchGuideSwipe() throws {
        let recipe = try Recipe("org.example.LaunchGuide")
        let first = try recipe.launch("1.0")
        #expect(first.pending == ["button", "swipe"])
        let begun = try first.window.presentGuide("swipe", app: recipe.app)
        #expect(begun.guide["attributes"]?.dictionary?.text("current_colour") == "#ffffff")
        #expect(begun.guide["attributes"]?.dictionary?.number("fade") == 500)
        // A second window shows nothing of its own.
        let second = try recipe.launch("1.0")
        #expect(try second.window.presentGuide("swipe", app: recipe.app).reason == "busy")
        #expect(try first.window.advanceGuide(begun.run).count("page") == 1)
        // The indicator's colours change while it is shown.
        try recipe.install { $0.replacing(each: "#ffffff", by: "#ff0000") }
        let changed = try first.window.wait("Changed") { $0.member == GuidesInterface.changed }
        let colours = changed.last?.arguments.last?.dictionary?["attributes"]?.dictionary
        #expect(colours?.text("current_colour") == "#ff0000")
        #expect(try first.window.advanceGuide(begun.run).flag("is_last") == true)
        // It crashes on the last page and comes back as the next version: on that page, and not from the start.
        try recipe.crash(first.window, "swipe")
        let updated = try recipe.launch("1.0.1")
        #expect(updated.pending == ["button", "swipe"])
        let resumed = try updated.window.presentGuide("swipe", app: recipe.app)
        #expect(resumed.guide.count("page") == 2)
        #expect(resumed.guide.count("attempts") == 2)
        #expect(resumed.guide.flag("button_visible") == false)
        #expect(try updated.window.advanceGuide(resumed.run).text("outcome") == "completed")
        // What scrolls on after the end hides nothing twice.
        #expect(try updated.window.advanceGuide(resumed.run).text("outcome") == "completed")
        #expect(try updated.window.finishGuide(resumed.run, "dismissed").text("outcome") == "completed")
        #expect(try updated.window.waitForEnd(ofRun: resumed.run) == ["finished completed"])
        #expect(try recipe.launch("1.0.1").pending == ["button"])
        // The classic recipe shows it after a downgrade too, and takes 1.0.1 and 1.0.1.0 for two versions.
        #expect(try recipe.launch("1.0.1.0").pending == ["button"])
        #expect(try recipe.launch("0.9").pending == [])
        #expect(try recipe.launch("1.0.1").pending == ["button"])
        #expect(try recipe.launch("1.0.2").pending == ["button", "swipe"])
    }

    @Test("Recipe 1, a button on the last page: sliding on hides nothing, the button does, with its image and frame")
    func launchGuideButton() throws {
        let recipe = try Recipe("org.example.LaunchGuide")
        let window = try recipe.launch("1.0").window
        let presented = try window.presentGuide("button", app: recipe.app)
        let frame = presented.guide["attributes"]?.dictionary?["button_frame"]
        #expect(frame == .structure([.double(112.5), .double(560), .double(150), .double(44)]))
        #expect(presented.guide.flag("button_visible") == false)
        for _ in 0..<4 { try window.advanceGuide(presented.run) }
        #expect(try window.advanceGuide(presented.run).flag("button_visible") == true)
        try window.drain()
        #expect(window.guideEvents() == ["page 1/3", "page 2/3"])
        #expect(try window.finishGuide(presented.run).text("outcome") == "completed")
        // The other form is a guide of its own, and due all the same.
        #expect(try window.pendingGuides(recipe.app) == ["swipe"])
    }

    @Test(
        "Recipe 2: four pages, told of on edges only; the button on the last; then an opaque next screen; over crash and update")
    func fourPages() throws {
        let recipe = try Recipe("org.example.FourPages")
        let first = try recipe.launch("2.0")
        #expect(first.pending == ["guidance"])
        let run = try first.window.showGuide("guidance", app: recipe.app)
        // A scroll view tells the page on every event.
        for page in [0, 0, 1, 1, 1, 0, 1, 2, 2] as [UInt32] {
            #expect(try first.window.goToPage(run, page).flag("button_visible") == false)
        }
        try first.window.drain()
        #expect(first.window.guideEvents() == ["page 1/4", "page 0/4", "page 1/4", "page 2/4"])
        let second = try recipe.launch("2.0")
        #expect(try second.window.presentGuide("guidance", app: recipe.app).reason == "busy")
        try recipe.crash(first.window, "guidance")
        // The update brings a fifth page: nobody counts pages but the daemon.
        try recipe.install {
            $0.replacing(each: #""title": "Start"}"#, by: #""title": "Start"}, {"image": "Guidance5", "title": "Go"}"#)
        }
        let updated = try recipe.launch("2.1")
        let resumed = try updated.window.presentGuide("guidance", app: recipe.app)
        #expect(resumed.guide.count("page") == 2)
        #expect(resumed.guide.count("count") == 5)
        #expect(try updated.window.goToPage(resumed.run, 3).flag("button_visible") == false)
        #expect(try updated.window.goToPage(resumed.run, 4).flag("button_visible") == true)
        #expect(try updated.window.goToPage(resumed.run, 3).flag("button_visible") == false)
        try updated.window.goToPage(resumed.run, 4)
        let ended = try updated.window.finishGuide(resumed.run)
        #expect(ended["attributes"]?.dictionary?.text("next_screen") == "login")
        #expect(try second.window.presentGuide("guidance", app: recipe.app).reason == "seen")
        #expect(try recipe.launch("2.1").pending == [])
        #expect(try recipe.launch("2.2").pending == ["guidance"])
    }

    @Test("Recipe 3: 10 s skip: labels 10 to 0 and the end at 10 s; skip, slide and time-out each end both, and nothing follows")
    func skipGuide() throws {
        let recipe = try Recipe("org.example.SkipGuide")
        let window = try recipe.launch("1.0").window
        let begun = try window.presentGuide("splash", app: recipe.app)
        let attributes = try #require(begun.guide["attributes"]?.dictionary)
        #expect(attributes.flag("skip_button") == true)
        #expect(attributes.flag("page_control") == false)
        let path = try #require(begun.guide["countdown"]?.get(as: ObjectPath.self))
        // A second window asks while it counts: no second timer.
        #expect(try recipe.launch("1.0").window.presentGuide("splash", app: recipe.app).reason == "busy")
        for _ in 0..<10 {
            try TestClock(window.connection).advance(milliseconds: 1_000)
            try window.drain()
        }
        let labels = window.events(of: path).filter { $0.hasPrefix("Tick") }.map { $0.split(separator: " ")[1] }
        #expect(labels == (0...10).reversed().map { "\($0)" })
        #expect(window.events(of: path).last == "Finished elapsed 0")
        #expect(try window.waitForEnd(ofRun: begun.run) == ["finished timed_out"])
        #expect(try window.finishGuide(begun.run, "skipped")["attributes"]?.dictionary?.text("next_screen") == "root")
        // The button's and the page control's flags mean what they say.
        let quiet = try window.presentGuide("quiet", app: recipe.app)
        #expect(quiet.guide["countdown"] == .objectPath("/"))
        #expect(quiet.guide["attributes"]?.dictionary?.flag("page_control") == true)
        try window.finishGuide(quiet.run)

        // The next revision: it crashes at 7 s, comes back updated with ten seconds of its own, and is skipped.
        try recipe.install { $0.replacing(each: #""completion": "swipe","#, by: #""revision": 2, "completion": "swipe","#) }
        let crashing = try recipe.launch("1.0").window
        let run = try crashing.showGuide("splash", app: recipe.app)
        try crashing.goToPage(run, 1)
        try recipe.time.advance(3_000)
        try recipe.crash(crashing, "splash")
        let updated = try recipe.launch("1.1").window
        let resumed = try updated.presentGuide("splash", app: recipe.app)
        #expect(resumed.guide.count("page") == 1)
        let next = try #require(resumed.guide["countdown"]?.get(as: ObjectPath.self))
        try recipe.time.advance(1_000)
        try updated.countdown(CountdownInterface.skip, at: next)
        #expect(try updated.waitForEnd(ofRun: resumed.run) == ["finished skipped"])
        try recipe.time.advance(60_000)
        try updated.drain()
        #expect(updated.events(of: next) == ["Tick 10 10000 0", "Tick 9 9000 0", "Finished skipped 0"])

        // Slid past the last page: the countdown ends with the guide.
        try recipe.install { $0.replacing(each: #""completion": "swipe","#, by: #""revision": 3, "completion": "swipe","#) }
        let slid = try updated.presentGuide("splash", app: recipe.app)
        let last = try #require(slid.guide["countdown"]?.get(as: ObjectPath.self))
        for _ in 0..<5 { try updated.advanceGuide(slid.run) }
        try recipe.time.advance(60_000)
        try updated.drain()
        #expect(updated.guideEvents(of: slid.run) == ["page 1/3", "page 2/3", "finished completed"])
        #expect(updated.events(of: last) == ["Tick 10 10000 0", "Finished cancelled 0"])
    }

    @Test("Recipe 4: Once is true once over quit, crash and reboot; the guide is marked at its end, not before it is shown")
    func firstLaunch() throws {
        let recipe = try Recipe("org.example.FirstLaunch")
        let first = try recipe.launch("1.0")
        let second = try recipe.launch("1.0")
        #expect(try first.window.once("firstLaunch", app: recipe.app))
        #expect(try !second.window.once("firstLaunch", app: recipe.app))
        let run = try first.window.showGuide("welcome", app: recipe.app)
        #expect(try second.window.presentGuide("welcome", app: recipe.app).reason == "busy")
        try first.window.goToPage(run, 3)
        // Application and daemon go down in the middle: the classic flag says seen by now.
        try recipe.time.daemon.kill9()
        first.window.connection.close()
        try recipe.time.daemon.restart()
        let updated = try recipe.launch("1.1")
        #expect(try !updated.window.once("firstLaunch", app: recipe.app))
        #expect(updated.pending == ["welcome"])
        let resumed = try updated.window.presentGuide("welcome", app: recipe.app)
        #expect(resumed.guide.count("page") == 3)
        #expect(resumed.guide.flag("button_visible") == true)
        #expect(resumed.guide["attributes"]?.dictionary?.text("button_title") == "开启Swift之旅")
        // The last page is scrolled on every event, and ends nothing: the button does, once.
        for _ in 0..<10 { try updated.window.advanceGuide(resumed.run) }
        for _ in 0..<2 { try updated.window.finishGuide(resumed.run) }
        #expect(try updated.window.waitForEnd(ofRun: resumed.run) == ["finished completed"])
        try recipe.time.daemon.kill9()
        try recipe.time.daemon.restart()
        #expect(try recipe.launch("1.1").pending == [])
        #expect(try recipe.launch("2.0").pending == [], "once a revision, and not after every update")
        #expect(try !second.window.once("firstLaunch", app: recipe.app))
    }
}

import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Recipes: the tooltip tour")
struct RecipeTourTests {
    private typealias Members = ToursInterface
    private static let app = "org.example.TooltipTour"
    private static let five = ["search", "scan", "cart", "profile", "news"]

    private let time: TimedDaemon
    private let folder: ConfigurationFolder
    private let recipe: String
    private var watcher: Client { time.client }

    init() throws {
        time = try TimedDaemon()
        folder = ConfigurationFolder(time.bus)
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        recipe = try String(contentsOfFile: "\(root)/Examples/recipes/\(Self.app).json")
        try install(recipe)
        try time.client.watchTours(of: Self.app)
    }

    /// Puts a manifest in place, and waits until it is in effect without complaint.
    private func install(_ text: String) throws {
        try folder.replace("apps/\(Self.app).json", text)
        try watcher.call(MachineInterface.name, MachineInterface.reload)
        guard try watcher.policy()?["errors"]?.get(as: [String].self) == [] else { throw TestFailure("the manifest is wrong") }
    }

    /// The recipe with the lines that have `word` left out or replaced.
    private func update(_ change: (Substring) -> String?) throws {
        try install(recipe.split(separator: "\n").compactMap(change).joined(separator: "\n"))
    }

    private func start(_ window: Client, _ tour: String = "home") throws -> StartedTour {
        try window.startTour(tour, of: Self.app)
    }

    @Test("Recipe 5: dismissing a bubble shows the next; content, image, target and direction come with each; once is enough")
    func walk() throws {
        let window = try Client(on: time.bus)
        let begun = try start(window)
        #expect(begun.show)
        var step = begun.step
        #expect(step["attributes"]?.dictionary?.flag("dim_background") == true)
        for (id, (image, direction)) in zip(
            Self.five,
            [("rem_01", "bottom"), ("rem_01", "bottom"), ("rem_05", "top"), ("rem_03", "top"), ("rem_01", "bottom")])
        {
            #expect(step.text("id") == id && step.text("image") == image && step.text("direction") == direction)
            #expect(step.text("content")?.isEmpty == false && step.text("target")?.isEmpty == false)
            step = try window.next(begun.run, step)
        }
        #expect(step.text("outcome") == "completed")
        #expect(try start(window).reason == "seen")
    }

    @Test("Recipe 5: a double tap, a second window, a crash at the third step, an update: shown on, each step once")
    func crash() throws {
        let first = try Client(on: time.bus)
        let begun = try start(first)
        // Taps on the dimmed background while the bubble fades.
        let second = try first.next(begun.run, begun.step)
        for _ in 0..<3 { #expect(try first.next(begun.run, begun.step).flag("stale") == true) }
        #expect(try start(Client(on: time.bus)).reason == "busy")
        let third = try first.next(begun.run, second)
        #expect(third.text("id") == "cart")
        first.connection.close()
        try watcher.waitForTour("Finished released [search scan cart]")
        // The next version of the application has no cart any more.
        try update { $0.contains("cartTab") ? nil : String($0) }
        let again = try Client(on: time.bus)
        let resumed = try start(again)
        #expect(resumed.show && resumed.step.text("id") == "profile" && resumed.step.count("count") == 4)
        let last = try again.next(resumed.run, resumed.step)
        #expect(try again.next(resumed.run, last).text("outcome") == "completed")
        try watcher.waitForTour("Finished completed [search scan profile news]")
        #expect(try start(again).reason == "seen")
    }

    @Test("Recipe 5: the integer is raised: from the first step again; lowered or the same: not")
    func raised() throws {
        let window = try Client(on: time.bus)
        try window.finish(try start(window).run, "skipped")
        let revision = { (number: Int) in
            { (line: Substring) in line.contains("\"revision\": 1") ? "\"revision\": \(number)," : String(line) }
        }
        try update(revision(2))
        let again = try start(window)
        #expect(again.show && again.step.text("id") == "search")
        try window.finish(again.run, "skipped")
        try update(revision(1))
        #expect(try start(window).reason == "seen")
        try update(revision(2))
        #expect(try start(window).reason == "seen")
    }

    @Test("Recipe 5: the tours of two screens with a step of the same name never collide")
    func screens() throws {
        let window = try Client(on: time.bus)
        let home = try start(window)
        #expect(try start(window, "settings").reason == "busy")
        try window.next(home.run, home.step)
        try window.finish(home.run, "released")
        let settings = try start(window, "settings")
        #expect(settings.step.text("target") == "settingsSearch")
        try window.finish(settings.run, "completed")
        #expect(try start(window).step.text("id") == "scan")
        #expect(try watcher.listed("settings", of: Self.app).text("state") == "finished")
    }

    @Test("Scenario 23: the manifest is read again under a live run: it keeps its steps, its attributes follow")
    func hotReload() throws {
        let window = try Client(on: time.bus)
        let begun = try start(window)
        let second = try window.next(begun.run, begun.step)
        try update { $0.contains("cartTab") ? nil : $0.contains("\"fade\"") ? "\"attributes\": {\"fade\": 0}" : String($0) }
        try window.waitForTour("Changed scan")
        let third = try window.next(begun.run, second)
        #expect(third.text("id") == "cart" && third.count("count") == 5)
        #expect(third["attributes"]?.dictionary?["fade"]?.integer(as: Int.self) == 0)
        window.connection.close()
        try watcher.waitForTour("Finished released [search scan cart]")
        #expect(try start(Client(on: time.bus)).step.text("id") == "profile")
    }
}

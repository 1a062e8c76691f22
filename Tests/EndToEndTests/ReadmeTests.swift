import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("README's recipes")
struct ReadmeTests {
    @Test("a splash screen with busctl alone: a key skips it once it may be skipped, and it ends")
    func splashScreen() throws {
        let recipe = try code(below: "### A splash screen that can be skipped, with busctl alone")
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        // One key after another, also before it may be skipped.
        let keys = "yes | tr -d '\\n' | bash -c \"$0\""
        let command = try Command("bash", ["-c", keys, recipe], environment: bus.clientVariables)
        try client.ask("the countdown") { try !client.listCountdowns().isEmpty }
        let (path, state) = try #require(try client.listCountdowns().first)
        #expect(state.text("purpose") == "Splash screen" && state.flag("skippable") == false)
        try client.countdown(CountdownInterface.watch, at: path)
        #expect(try client.waitForEnd(of: path, until: .after(.seconds(60))).last == "Finished skipped 0")
        let result = try command.finish(until: .after(.seconds(60)))
        #expect(result.code == 0 && result.output.hasSuffix("\nWelcome!\n"), "\(result)")
        #expect(daemon.process.poll() == nil)
    }

    @Test("Typed preferences in Swift: the program is the one that is built here, and it does what it says")
    func swift() throws {
        let source = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
        let program = try String(contentsOfFile: source + "/ReadmeExample/main.swift")
        #expect(try code(below: "### Typed preferences, launches and countdowns in Swift") + "\n" == program)
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus)
        let command = try Command(try Programs.helper("ReadmeExample"), environment: bus.clientVariables)
        let result = try command.finish(until: .after(.seconds(60)))
        let lines = result.output.split(separator: "\n")
        #expect(result.code == 0 && lines.last == "elapsed", "\(result)")
        #expect(lines.prefix(3) == ["first after nothing", "dark 1", "3"])
        #expect(daemon.process.poll() == nil)
    }

    /// The block of code that comes first below a line of README.md.
    private func code(below title: String) throws -> String {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let lines = try String(contentsOfFile: root + "/README.md").split(separator: "\n", omittingEmptySubsequences: false)
        let block = lines.drop { $0 != title }.drop { !$0.hasPrefix("```") }.dropFirst().prefix { $0 != "```" }
        guard !block.isEmpty else { throw TestFailure("README.md has no code below \"\(title)\"") }
        return block.joined(separator: "\n")
    }
}

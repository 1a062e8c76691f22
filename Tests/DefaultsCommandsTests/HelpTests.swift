import DefaultsInterface
import Testing

@testable import DefaultsCommands

@Suite("Help")
struct HelpTests {
    @Test("the program's help, word for word")
    func program() {
        #expect(HelpText.text([]) == HelpSnapshots.program)
    }

    @Test("a command's help, word for word")
    func command() {
        #expect(HelpText.text(["write"]) == HelpSnapshots.write)
        #expect(HelpText.text(["countdown"]) == HelpSnapshots.countdown)
        #expect(HelpText.text(["guide", "present"]) == HelpSnapshots.guidePresent)
        #expect(HelpText.text(["tip", "list"]) == HelpSnapshots.tipList)
        #expect(HelpText.text(["inhibit"]) == HelpSnapshots.inhibit)
    }

    @Test("a launch's help explains every line that is printed, word for word")
    func launchRecord() {
        #expect(HelpText.text(["launch", "record"]) == HelpSnapshots.launchRecord)
        for entry in LaunchEntries.all { #expect(HelpSnapshots.launchRecord.contains("\n  \(entry.name) "), "\(entry.name)") }
    }

    @Test("a group's help has each of its commands")
    func group() {
        let usages = HelpText.text(["launch"]).split(separator: "\n").filter { $0.hasPrefix("Usage: ") }
        #expect(
            usages == [
                "Usage: defaultsctl launch record APP VERSION [--existing-user]", "Usage: defaultsctl launch show APP",
                "Usage: defaultsctl launch history APP", "Usage: defaultsctl launch forget APP",
            ])
    }

    @Test("every command's help fits a page and says how it is typed")
    func all() {
        for command in CommandTable.commands {
            let text = HelpText.text(command.path)
            #expect(text.hasPrefix("Usage: defaultsctl \(command.name)"), "\(command.name)")
            #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"), "\(command.name)")
            for line in text.split(separator: "\n") { #expect(line.count <= 130, "\(line)") }
        }
    }

    @Test("no two commands and no two options of a command are spelt alike")
    func unambiguous() {
        #expect(Set(CommandTable.commands.map(\.path)).count == CommandTable.commands.count)
        for command in CommandTable.commands {
            let names = (command.options + CommandTable.globalOptions).flatMap { [$0.name] + $0.aliases }.filter {
                $0 != "--version"
            }
            #expect(Set(names).count == names.count, "\(command.name)")
        }
    }
}

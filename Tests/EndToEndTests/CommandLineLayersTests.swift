import DBusTypes
import DefaultsInterface
import Glibc
import Support
import Testing

@Suite("defaultsctl on layers and configuration files")
struct CommandLineLayersTests {
    private let app = "org.example.App"

    @Test("machine sets, locks and resets; locked and describe show it; a write to a locked key exits 77")
    func machine() throws {
        try #require(getuid() == 0, "machine is for root")
        let shell = try CommandLine()
        try ConfigurationFolder(shell.bus).replace(
            "apps/org.example.App.json",
            #"{"preferences": {"size": {"type": "i", "default": 12, "maximum": 72, "summary": "Size of text"}}}"#)
        #expect(try shell.run("machine", "reload").status == .exited(0))
        #expect(try shell.run("machine", "set-default", app, "size", "--type", "i", "14").status == .exited(0))
        #expect(try shell.run("read", app, "size").output == "14\n")
        #expect(try shell.run("machine", "set-mandatory", "global", "size", "-int", "9").status == .exited(0))
        #expect(try shell.run("locked", app).output == "size\n")
        #expect(try shell.run("write", app, "size", "-int", "1").status == .exited(77))
        let description = try shell.run("describe", app, "size")
        #expect(
            description.output == """
                default\t12
                domain\tglobal
                layer\tmandatory
                layers\tmandatory\tglobal\t9
                layers\tmachine\torg.example.App\t14
                layers\tregistered\torg.example.App\t12
                locked\ttrue
                maximum\t72
                summary\tSize of text
                type\ti
                value\t9

                """)
        #expect(try shell.run("--json=short", "describe", app, "size").output.hasPrefix(#"{"type":"a{sv}","data":{"default""#))
        #expect(try shell.run("machine", "reset-mandatory", "global", "size").status == .exited(0))
        #expect(try shell.run("machine", "reset-default", app, "size").status == .exited(0))
        #expect(try shell.run("read", app, "size").output == "12\n")
        #expect(try shell.run("locked", app).output.isEmpty)
        #expect(try shell.run("describe", app, "nothing").status == .exited(1))
        #expect(try shell.run("machine", "set-default", app, "k", "-array-add", "x").status == .exited(64))
        let status = try shell.run("status")
        #expect(status.output.contains("policy\tallow\n") && status.output.contains("org.example.App.json"))
    }

    @Test("P16: check needs no daemon, names file, line and column or the entry, and exits 65; 0 where nothing is wrong")
    func check() throws {
        let bus = try PrivateBus()
        let folder = ConfigurationFolder(bus)
        try folder.replace("defaults.d/good.json", #"{"org.example.App": {"k": 1}}"#)
        try folder.replace("mandatory.d/syntax.json", "{\n  \"org.example.App\": {\"k\": 1,}\n}")
        try folder.replace("apps/org.example.App.json", #"{"preferences": {"theme": {"type": "s", "choices": ["a", "b", 3]}}}"#)
        func check(_ names: String...) throws -> Command.Result {
            try Command.run(
                try Programs.path("defaultsctl"), ["check"] + names.map { "\(folder.path)/\($0)" },
                environment: bus.environment.variables)
        }
        let good = try check("defaults.d/good.json")
        #expect(good.status == .exited(0) && good.output.isEmpty)
        let bad = try check("defaults.d/good.json", "mandatory.d/syntax.json", "apps/org.example.App.json", "none.json")
        #expect(bad.status == .exited(65))
        let lines = bad.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("\(folder.path)/mandatory.d/syntax.json:2:") == true)
        #expect(
            lines.dropFirst().first
                == "\(folder.path)/apps/org.example.App.json:1:63: preferences.theme.choices[2]: 3 is no value of type s")
        #expect(lines.last?.contains("none.json: can't be read: No such file") == true)
        #expect(try check().status == .exited(64))
    }

    @Test(
        "P13, V5: check holds imposed values against the manifests beside them, and names a since_version that compares with none"
    )
    func checkTogether() throws {
        let bus = try PrivateBus()
        let folder = ConfigurationFolder(bus)
        try folder.replace(
            "apps/org.example.App.json",
            """
            {"preferences": {
               "theme": {"type": "s", "choices": ["dark", "light"]},
               "size": {"type": "i", "minimum": 1, "maximum": 9}},
             "guides": {
               "old": {"pages": [{}], "since_version": "2.1"},
               "new": {"pages": [{}], "since_version": "summer edition"}}}
            """)
        try folder.replace(
            "mandatory.d/site.json",
            """
            {"org.example.App": {
               "theme": "blue", "size": {"type": "i", "data": 12},
               "other": [1, "x"]},
             "org.example.Other": {"theme": "blue"}}
            """)
        let (manifest, site) = ("\(folder.path)/apps/org.example.App.json", "\(folder.path)/mandatory.d/site.json")
        let result = try Command.run(
            try Programs.path("defaultsctl"), ["check", site, manifest], environment: bus.environment.variables)
        #expect(result.status == .exited(65))
        #expect(
            result.output.split(separator: "\n") == [
                "\(site):2:21: org.example.App.size: Key \"size\" takes at most 9 by its schema, not 12",
                "\(site):2:4: org.example.App.theme: Key \"theme\" takes one of \"dark\", \"light\" by its schema, not \"blue\"",
                "\(manifest):6:27: guides.new.since_version: \"summer edition\" is text that compares with no version; "
                    + "write it as in 2.1 or 3.0-beta1",
            ], "\(result.output)")
        let alone = try Command.run(try Programs.path("defaultsctl"), ["check", site], environment: bus.environment.variables)
        #expect(alone.status == .exited(0), "without the manifest nothing is known against it")
    }
}

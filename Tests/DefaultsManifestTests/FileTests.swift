import DBusTypes
import DefaultsModel
import Support
import Testing

@testable import DefaultsManifest

@Suite("Configuration files")
struct FileTests {
    private static let app = DomainName("org.example.App") ?? .global

    private func key(_ text: String) throws -> PreferenceKey { try #require(PreferenceKey(text)) }

    private func layer(_ text: String) -> ConfigurationFile {
        ConfigurationFile(Array(text.utf8), kind: .defaults, path: "/etc/x/defaults.d/a.json")
    }

    private func manifest(_ text: String, _ name: String = "org.example.App.json") -> ConfigurationFile {
        ConfigurationFile(Array(text.utf8), kind: .application, path: "/etc/x/apps/" + name)
    }

    private func schemas(_ file: ConfigurationFile) throws -> [PreferenceKey: PreferenceSchema] {
        guard case .application(let app, let manifest)? = file.contents else { throw TestFailure("\(file)") }
        #expect(app == Self.app)
        return manifest.schemas
    }

    @Test("P16: wrong entries are left out and named, the rest of the file counts")
    func layerFile() throws {
        let file = layer(
            #"""
            {
              "org.example.App": {"theme": "dark", "none": null, "\u0001": 1, "size": {"type": "i", "data": 3}, "nul": "\u0000"},
              "global": {"n": 1}, "bad": {"k": 1}, "org.example.Other": []
            }
            """#)
        let expected: FileLayers.Values = [
            Self.app: [try key("theme"): .string("dark"), try key("size"): .int32(3)], .global: [try key("n"): .int64(1)],
        ]
        #expect(file.contents == .values(expected))
        #expect(
            file.diagnostics.map(\.path) == [
                "org.example.App.none", #"org.example.App["\u0001"]"#, "org.example.App.nul", "bad", "org.example.Other",
            ])
        #expect(file.diagnostics[0].description.hasPrefix("/etc/x/defaults.d/a.json: org.example.App.none: null"))
    }

    @Test("P16: a file that doesn't parse has no contents, which isn't the same as empty ones")
    func syntax() throws {
        let file = layer("{\n  \"org.example.App\": {\n")
        #expect(file.contents == nil)
        let diagnostic = try #require(file.diagnostics.first)
        #expect(diagnostic.position?.line == 3 && diagnostic.description.hasPrefix("/etc/x/defaults.d/a.json:3:"))
        #expect(layer("[]").contents == nil && layer("").contents == nil)
        #expect(layer("{}").contents == .values([:]) && layer("{}").diagnostics.isEmpty)
    }

    @Test("P13: a manifest's types, defaults, choices, ranges and texts, in plain form by the type that the key has")
    func manifestFile() throws {
        let file = manifest(
            #"""
            {"preferences": {
              "theme": {"type": "s", "default": "light", "choices": ["light", "dark"], "summary": "Colours", "description": "All."},
              "size": {"type": "i", "default": 12, "minimum": 6, "maximum": 72},
              "list": {"type": "as", "default": []},
              "map": {"type": "a{sv}", "default": {"type": "s", "data": 1}},
              "typed": {"type": "t", "default": {"type": "t", "data": "5"}}
            }, "guides": {}, "tours": {}, "tips": {}}
            """#)
        #expect(file.diagnostics.isEmpty, "\(file.diagnostics)")
        let schemas = try schemas(file)
        #expect(
            schemas[try key("theme")]
                == PreferenceSchema(
                    type: .string, defaultValue: .string("light"), choices: [.string("light"), .string("dark")],
                    summary: "Colours", description: "All."))
        #expect(
            schemas[try key("size")]
                == PreferenceSchema(type: .int32, defaultValue: .int32(12), minimum: .int32(6), maximum: .int32(72)))
        #expect(schemas[try key("list")]?.defaultValue == .array([String]()))
        #expect(schemas[try key("map")]?.defaultValue == .vardict([("type", .string("s")), ("data", .int64(1))]))
        #expect(schemas[try key("typed")]?.defaultValue == .uint64(5))
    }

    @Test("P13, P16: what is wrong in a manifest is named by its path and left out")
    func wrongManifest() throws {
        let file = manifest(
            #"""
            {"preferences": {
              "theme": {"type": "s", "choices": ["light", "dark", 3], "default": "blue", "colour": 1},
              "size": {"type": "i", "minimum": 9, "maximum": 3, "default": 1},
              "none": {"default": 1}, "two": {"type": "ii"}, "text": {"type": "s", "minimum": "a", "summary": 4}, "array": []
            }, "guides": [], "extra": 1}
            """#)
        #expect(
            Set(file.diagnostics.map(\.path)) == [
                "preferences.theme.choices[2]", "preferences.theme.default", "preferences.theme.colour",
                "preferences.size.maximum", "preferences.size.default", "preferences.none.type", "preferences.two.type",
                "preferences.text.minimum", "preferences.text.summary", "preferences.array", "guides", "extra",
            ])
        let schemas = try schemas(file)
        #expect(schemas[try key("theme")] == PreferenceSchema(type: .string, choices: [.string("light"), .string("dark")]))
        #expect(schemas[try key("size")] == PreferenceSchema(type: .int32, minimum: .int32(9)))
        #expect(schemas[try key("text")] == PreferenceSchema(type: .string))
        #expect(schemas.count == 3)
        let blue = try #require(file.diagnostics.first { $0.path == "preferences.theme.default" })
        #expect(blue.message == #"Key "theme" takes one of "light", "dark" by its schema, not "blue""#)
    }

    @Test("A manifest is named after its application", arguments: ["global.json", "App.json", "org.example.App.txt", ".json"])
    func manifestName(name: String) {
        let file = manifest("{}", name)
        #expect(file.contents == nil && file.diagnostics.count == 1)
    }

    @Test("A document that is changed keeps what isn't touched, also what is wrong, and sorts by name")
    func document() throws {
        let text = #"{"org.example.B": {"k": null, "big": 18446744073709551615}, "odd": 5, "org.example.App": {"a": 1}}"#
        var document = try LayerDocument(Array(text.utf8), path: "x")
        #expect(document.set(Self.app, try key("theme"), to: .string("dark")))
        #expect(document.set(Self.app, try key("a"), to: nil))
        #expect(!document.set(Self.app, try key("a"), to: nil))
        #expect(!document.set(Self.app, try key("theme"), to: .string("dark")))
        #expect(document.set(Self.app, try key("n"), to: .int32(4)))
        #expect(!document.set(Self.app, try key("n"), to: .int32(4)))
        let expected = """
            {
              "odd": 5,
              "org.example.App": {
                "n": {
                  "type": "i",
                  "data": 4
                },
                "theme": "dark"
              },
              "org.example.B": {
                "k": null,
                "big": 18446744073709551615
              }
            }

            """
        #expect(document.text == expected)
        #expect(document.set(Self.app, try key("n"), to: nil))
        #expect(document.set(Self.app, try key("theme"), to: nil))
        #expect(!document.text.contains("org.example.App"))
        #expect(throws: Diagnostic.self) { try LayerDocument(Array("{".utf8), path: "x") }
    }
}

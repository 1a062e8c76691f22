import DBusTypes
import DefaultsModel
import Support
import Testing

@testable import DefaultsManifest

@Suite("Junk in configuration files")
struct JunkTests {
    private static let sample = #"""
        {"preferences": {"theme": {"type": "s", "default": "é🇺🇦", "choices": ["a\n", "b"], "minimum": -1.5e3},
          "list": {"type": "a{sv}", "default": {"k": [1, true, null, {"type": "ay", "data": "hex:00ff"}], "n": 18446744073709551615}}},
         "guides": {"welcome": {"pages": [{"title": "\u00e9"}], "revision": 2}}, "onboarding": "deny", "apps": {"org.example.App": {"tips": "allow"}}, "org.example.App": {"theme": {"type": "(is)", "data": [1, "x"]}}}
        """#

    /// Reads a text as each kind of file; every one has contents or says why not.
    private func read(_ text: [UInt8]) {
        for kind in ConfigurationFile.Kind.allCases {
            let file = ConfigurationFile(text, kind: kind, path: "/x/org.example.App.json")
            #expect(file.contents != nil || !file.diagnostics.isEmpty)
            for diagnostic in file.diagnostics { #expect(!diagnostic.message.isEmpty) }
        }
    }

    @Test("P16: cut at every byte, a file is read or reported")
    func truncated() {
        let text = Array(Self.sample.utf8)
        for end in 0...text.count { read(Array(text[..<end])) }
        let whole = ConfigurationFile(text, kind: .application, path: "/x/org.example.App.json")
        #expect(whole.contents != nil)
    }

    @Test("P16: 20,000 files with bytes changed, and random ones, are read or reported")
    func damaged() {
        var generator = SeededGenerator(seed: 5)
        let text = Array(Self.sample.utf8)
        for _ in 0..<20_000 {
            var damaged = text
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<damaged.count, using: &generator)
                // Bytes that mean something in JSON find more than any would.
                damaged[place] =
                    Bool.random(using: &generator)
                    ? Array("{}[],:\"\\0123456789-.eutfn ".utf8).randomElement(using: &generator) ?? 0
                    : UInt8.random(in: 0...255, using: &generator)
            }
            read(damaged)
        }
        for _ in 0..<2_000 {
            read((0..<Int.random(in: 0...200, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
    }
}

import DBusTypes
import DefaultsModel
import Support
import Testing

@testable import DefaultsManifest

@Suite("Manifests and policy files")
struct OnboardingFileTests {
    private static let app = DomainName("org.example.App") ?? .global

    private func definitions(_ text: String) throws -> (ManifestDefinitions, [Diagnostic]) {
        let file = ConfigurationFile(Array(text.utf8), kind: .application, path: "/etc/x/apps/org.example.App.json")
        guard case .application(Self.app, let manifest)? = file.contents else { throw TestFailure("\(file)") }
        return (manifest.definitions, file.diagnostics)
    }

    private func policy(_ text: String) throws -> (OnboardingPolicy, [Diagnostic]) {
        let file = ConfigurationFile(Array(text.utf8), kind: .policy, path: "/etc/x/policy.d/a.json")
        guard case .policy(let policy)? = file.contents else { throw TestFailure("\(file)") }
        return (policy, file.diagnostics)
    }

    @Test("A manifest's guide is what Define takes, with numbers as JSON has them")
    func guide() throws {
        let (definitions, diagnostics) = try definitions(
            #"""
            {"guides": {"welcome": {"revision": 3, "completion": "button", "countdown": {"duration": 5000},
              "pages": [{"title": "One", "image": "1.gif"}, {"title": "Two", "zoom": 1.5}],
              "attributes": {"dots": {"type": "(ii)", "data": [1, 2]}}}}}
            """#)
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        let guide = try #require(Identifier("welcome").flatMap { definitions.guides[$0] })
        #expect(guide.revision == 3 && guide.completion == .button && guide.pageCount == 2)
        #expect(guide.countdown?.duration == 5000)
        #expect(guide.entries["attributes"]?.dictionary?["dots"] == .structure([.int32(1), .int32(2)]))
    }

    @Test("P16: a definition with a wrong entry is left out, and the entry named by its path; the others count")
    func wrongGuides() throws {
        let (definitions, diagnostics) = try definitions(
            #"""
            {"guides": {
              "good": {"pages": [{}]}, "image": {"pages": [{}, {"image": "a"}, {"image": 3}]}, "none": {}, "array": [],
              "typed": {"type": "s", "data": "x"}, "null": {"pages": [{"title": null}]}, "": {"pages": [{}]},
              "tick": {"pages": [{}], "countdown": {"tick": 1}}, "v": {"pages": [{}], "since_version": " "},
              "odd name": {"pages": [{}], "colour": 1}
            }, "tours": 3, "tips": []}
            """#)
        #expect(definitions.guides.keys.map(\.text) == ["good"])
        #expect(
            diagnostics.map(\.path) == [
                "guides.image.pages[2].image", "guides.none.pages", "guides.array", "guides.typed",
                "guides.null.pages[0].title", #"guides[""]"#, "guides.tick.countdown.tick", "guides.v.since_version",
                #"guides["odd name"].colour"#, "tours", "tips",
            ])
        #expect(
            diagnostics.first?.description
                == "/etc/x/apps/org.example.App.json: guides.image.pages[2].image: is of type x; it must be a string (s)")
    }

    @Test("S3: a policy file says what holds for the machine, a kind, an application")
    func policyFile() throws {
        let (policy, diagnostics) = try policy(
            #"""
            {"onboarding": "deny", "tours": "allow", "statistics": false,
             "apps": {"org.example.App": {"guides": "baseline", "tips": "allow", "statistics": true}}}
            """#)
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        #expect(
            policy
                == OnboardingPolicy(
                    machine: .init(onboarding: .deny, kinds: [.tour: .allow], statistics: false),
                    apps: [Self.app: .init(kinds: [.guide: .baseline, .tip: .allow], statistics: true)]))
        #expect(policy.mode(Self.app, .guide).mode == .baseline && policy.mode(Self.app, .tour).mode == .allow)
    }

    @Test("P16: what is wrong in a file is as it was before, and the rest is as it is now")
    func overlay() throws {
        func contents(_ text: String, _ kind: ConfigurationFile.Kind) throws -> ConfigurationFile.Contents {
            try #require(ConfigurationFile(Array(text.utf8), kind: kind, path: "/x/\(kind.folder)/org.example.App.json").contents)
        }
        let policy = try contents(#"{"onboarding": "dney", "tips": "deny"}"#, .policy)
            .overlaying(try contents(#"{"onboarding": "deny", "tips": "allow"}"#, .policy))
        #expect(try policy == contents(#"{"onboarding": "deny", "tips": "deny"}"#, .policy))
        let mandatory = try contents(#"{"global": {"a": null, "b": 2}}"#, .mandatory)
            .overlaying(try contents(#"{"global": {"a": 1, "b": 1}}"#, .mandatory))
        #expect(try mandatory == contents(#"{"global": {"a": 1, "b": 2}}"#, .mandatory))
        let manifest = try contents(
            #"{"guides": {"welcome": {"pages": [{}], "completion": "buton"}, "b": {"pages": [{}]}}}"#, .application
        )
        .overlaying(try contents(#"{"guides": {"welcome": {"pages": [{}]}}}"#, .application))
        #expect(try manifest == contents(#"{"guides": {"welcome": {"pages": [{}]}, "b": {"pages": [{}]}}}"#, .application))
    }

    @Test("P16: a wrong entry of a policy is left out and named; the rest of the file counts")
    func wrongPolicy() throws {
        let (policy, diagnostics) = try policy(
            #"""
            {"onboarding": "never", "guides": 1, "statistics": "no", "tours": "deny", "preferences": {},
             "apps": {"global": {}, "org.example.App": {"apps": {}, "tips": "deny"}, "org.example.Other": "deny"}}
            """#)
        #expect(policy == OnboardingPolicy(machine: .init(kinds: [.tour: .deny]), apps: [Self.app: .init(kinds: [.tip: .deny])]))
        #expect(
            diagnostics.map(\.path) == [
                "onboarding", "guides", "statistics", "preferences", "apps.global", "apps.org.example.App.apps",
                "apps.org.example.Other",
            ])
        #expect(diagnostics.first?.message == #""never" is no policy; it must be one of "allow", "deny", "baseline""#)
    }

    @Test(
        "A file's kind is told by its folder, else by its name, else by what is in it",
        arguments: [
            ("/x/policy.d/org.example.App.json", "{}", "policy"), ("policy.json", #"{"onboarding": "deny"}"#, "policy"),
            ("x.json", #"{"apps": {}}"#, "policy"), ("x.json", #"{"global": {"a": 1}}"#, "values"), ("x.json", "{}", "values"),
            ("org.example.App.json", #"{"guides": {}}"#, "application"), ("/x/mandatory.d/policy.json", "{}", "values"),
        ])
    func kinds(path: String, text: String, kind: String) throws {
        let file = ConfigurationFile(Array(text.utf8), path: path)
        let found =
            switch try #require(file.contents) {
            case .values: "values"
            case .application: "application"
            case .policy: "policy"
            }
        #expect(found == kind && file.diagnostics.isEmpty)
    }
}

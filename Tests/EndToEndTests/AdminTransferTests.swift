import DBusTypes
import DefaultsInterface
import DefaultsManifest
import Glibc
import LibDBus
import Support
import Testing

@Suite("Export, import, forget")
struct AdminTransferTests {
    private static let app = "org.example.App"
    private let bus: PrivateBus
    private let daemon: Daemon

    init() throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus)
    }

    private func export(_ client: Client, _ options: [(String, Value)] = []) throws -> String {
        let reply = try client.call(AdminInterface.name, AdminInterface.export, .vardict(options))
        guard case .unixFD(let file)? = reply.first else { throw TestFailure("Export answered \(reply)") }
        #expect(MemoryFile.problem(file.number) == nil)
        return String(decoding: try MemoryFile.read(file.number), as: UTF8.self)
    }

    @discardableResult
    private func importText(_ client: Client, _ text: String, _ mode: String = "merge") throws -> DictionaryValue? {
        let file = UnixFD(owning: try MemoryFile.make(Array(text.utf8), name: "test")) { close($0) }
        return try client.call(AdminInterface.name, AdminInterface.importFile, .unixFD(file), .string(mode)).first?.dictionary
    }

    @Test(
        "P3, scenario 8: every value goes through an export and an import with its type and bits; the same state, the same bytes")
    func roundTrip() throws {
        let client = try Client(on: bus)
        let values: [(String, Value)] = [
            ("nan", .double(Double(bitPattern: 0x7FF8_0000_0000_0001))), ("zero", .double(-0.0)), ("inf", .double(-.infinity)),
            ("min", .int64(.min)), ("max", .uint64(.max)), ("empty", .string("")), ("strings", .array([String]())),
            ("numbers", .array([Int32]())), ("dict", .vardict([])), ("bytes", .bytes([0, 255])), ("flag", .string("🇺🇦 é\t\u{1}")),
            ("nested", .array(ArrayValue(unchecked: [.variant(.array([Int32(1), 2])), .variant(.string("x"))], of: .variant))),
            ("k.with/slash é", .structure([.byte(1), .objectPath("/a"), .signature("a{sv}")])), ("double", .double(0.1)),
        ]
        for (key, value) in values { try client.set(Self.app, key, value) }
        try client.set("global", "theme", .string("dark"))
        try client.launches(LaunchesInterface.record, .string(Self.app), .string("1.0"), .vardict([]))
        try client.launches(LaunchesInterface.once, .string(Self.app), .string("welcome"))
        let text = try export(client, [("onboarding", .boolean(true))])
        #expect(try export(client, [("onboarding", .boolean(true))]) == text)

        let other = try PrivateBus()
        let otherDaemon = try Daemon(on: other)
        let target = try Client(on: other)
        let counts = try #require(try importText(target, text))
        #expect(counts["keys"] == .uint64(UInt64(values.count + 1)) && counts["domains"] == .uint64(2))
        for (key, value) in values { #expect(try target.get(Self.app, key) == value, "\(key)") }
        #expect(try export(target, [("onboarding", .boolean(true))]) == text)
        #expect(try target.launches(LaunchesInterface.once, .string(Self.app), .string("welcome")) == [.boolean(false)])
        try otherDaemon.kill9()
        try otherDaemon.restart()
        #expect(try export(try Client(on: other), [("onboarding", .boolean(true))]) == text)
    }

    @Test("Import: merge leaves other keys, replace removes them; one signal a domain, one revision; again: nothing")
    func modes() throws {
        let client = try Client(on: bus)
        for key in ["a", "b"] { try client.set(Self.app, key, .int32(1)) }
        try client.preferences(PreferencesInterface.watch, .string(Self.app))
        let text = #"{"format": 1, "preferences": {"org.example.App": {"a": {"type": "i", "data": 2}, "c": true}}}"#
        try importText(client, text)
        try client.wait("the change") { $0.member == PreferencesInterface.changed }
        #expect(try client.get(Self.app, "b") == .int32(1))
        #expect(try importText(client, text)?["keys"] == .uint64(0))
        #expect(try importText(client, text, "replace")?["removed"] == .uint64(1))
        #expect(try client.get(Self.app, "b") == nil)
        try client.drain()
        #expect(client.signals.filter { $0.member == PreferencesInterface.changed }.count == 2)
    }

    @Test(
        "An import that is wrong anywhere changes nothing, and says where",
        arguments: [
            ("{", "line 1"), (#"{"format": 2}"#, "format"), (#"{"preferences": {}}"#, "format"),
            (#"{"format": 1, "more": 1}"#, "more"), (#"{"format": 1, "preferences": {"bad": {}}}"#, "preferences.bad"),
            (
                #"{"format": 1, "preferences": {"org.example.App": {"ok": 1, "k": {"type": "i", "data": "x"}}}}"#,
                "org.example.App"
            ),
            (#"{"format": 1, "onboarding": {"org.example.App": {"flag": {"f": 1}}}}"#, "flag"),
            (#"{"format": 1, "onboarding": {"org.example.App": {"configuration": {"": 1}}}}"#, "configuration"),
            (#"{"format": 1, "preferences": {"a.b": {}, "a.b": {}}}"#, "a.b"),
        ])
    func refused(text: String, named: String) throws {
        let client = try Client(on: bus)
        let error = try #require(try client.error { try importText(client, text) })
        #expect(error.name == ErrorNames.invalidArgument && error.message.contains(named), "\(error)")
        #expect(try client.get(Self.app, "ok") == nil)
    }

    @Test(
        "What can't be imported is said in a sentence that stands alone, with line, column and path",
        arguments: [
            (
                "{\"format\": 1,\n  \"onboarding\": []}",
                "line 2, column 3: onboarding: an array is no object of applications and their records."
            ),
            ("[]", "line 1, column 1: an array is no object of format, preferences and onboarding."),
            ("{\"format\": 2}", "line 1, column 2: format: 2 is not 1, the format that can be read."),
            (
                "{\"format\": 1, \"preferences\": {\"a.b\": 3}}",
                "line 1, column 31: preferences.a.b: 3 is no object of keys and values."
            ),
        ])
    func wording(text: String, said: String) throws {
        let client = try Client(on: bus)
        let error = try #require(try client.error { try importText(client, text) })
        #expect(error.name == ErrorNames.invalidArgument && error.message == "The file can't be imported: \(said)", "\(error)")
    }

    @Test("P12: an import with more than an application may have is LimitExceeded naming what, and changes nothing")
    func limits() throws {
        let client = try Client(on: bus)
        let flags = (0...1_024).map { #""f\#($0)": {"format": {"type": "u", "data": 1}, "when": 7}"# }.joined(separator: ",")
        let text =
            #"{"format": 1, "preferences": {"org.example.App": {"k": 1}}, "onboarding": {"org.example.App": {"flag": {"#
            + flags + "}}}}"
        let error = try #require(try client.error { try importText(client, text) })
        #expect(
            error.name == ErrorNames.limitExceeded && error.message.contains("1025 records of flag; at most 1024"), "\(error)")
        #expect(try client.get(Self.app, "k") == nil)
        let long = String(repeating: "x", count: 1 << 20)
        let large = try #require(
            try client.error {
                try importText(client, #"{"format": 1, "preferences": {"org.example.App": {"j": 1, "k": "\#(long)"}}}"#)
            })
        #expect(large.name == ErrorNames.limitExceeded && large.message.contains("org.example.App.k: "), "\(large)")
        #expect(try client.get(Self.app, "j") == nil)
    }

    @Test("Import takes sealed memory only, and a known mode")
    func descriptors() throws {
        let client = try Client(on: bus)
        let file = UnixFD(owning: open("/dev/null", O_RDONLY | O_CLOEXEC)) { close($0) }
        let error = try #require(
            try client.error { try client.call(AdminInterface.name, AdminInterface.importFile, .unixFD(file), .string("merge")) })
        #expect(error.name == ErrorNames.invalidArgument && error.message.contains("F_SEAL_WRITE"))
        let mode = try #require(try client.error { try importText(client, #"{"format": 1}"#, "both") })
        #expect(mode.message.contains("\"merge\" or \"replace\""))
    }

    @Test("P6: Export without waiting comes after the caller's Set, and before its next")
    func order() throws {
        let client = try Client(on: bus)
        try client.set("org.example.Other", "x", .int32(1))
        try daemon.kill9()
        try daemon.restart()
        let pipeline = try Client(on: bus)
        var text: String?
        func send(
            _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value], _ then: @escaping ([Value]) -> Void = { _ in }
        ) {
            pipeline.connection.send(WellKnown.busName, WellKnown.rootPath, interface, member, arguments) { result in
                if case .success(let values) = result { then(values) }
            }
        }
        send(PreferencesInterface.name, PreferencesInterface.set, [.string(Self.app), .string("k"), .variant(.int32(1))])
        send(AdminInterface.name, AdminInterface.export, [.vardict([])]) { values in
            if case .unixFD(let file)? = values.first {
                text = (try? MemoryFile.read(file.number)).map { String(decoding: $0, as: UTF8.self) }
            }
        }
        send(PreferencesInterface.name, PreferencesInterface.set, [.string(Self.app), .string("k"), .variant(.int32(2))])
        try Await.until("the export", on: pipeline.loop) { text != nil }
        #expect(text?.contains(#""data": 1"#) == true && text?.contains("org.example.Other") == true, "\(text ?? "")")
    }

    @Test("Forget removes preferences, launches and flags of one app, with one signal")
    func forget() throws {
        let client = try Client(on: bus)
        try client.set(Self.app, "k", .int32(1))
        try client.set("org.example.Other", "k", .int32(1))
        try client.launches(LaunchesInterface.record, .string(Self.app), .string("1.0"), .vardict([]))
        try client.preferences(PreferencesInterface.watch, .string(Self.app))
        try client.call(AdminInterface.name, AdminInterface.forget, .string(Self.app))
        #expect(try client.get(Self.app, "k") == nil)
        #expect(try client.get("org.example.Other", "k") == .int32(1))
        #expect(try client.error { try client.launches(LaunchesInterface.query, .string(Self.app)) }?.name == ErrorNames.notFound)
        try client.drain()
        #expect(client.signals.count == 1)
        let record = try client.launches(LaunchesInterface.record, .string(Self.app), .string("1.0"), .vardict([]))
        #expect(record.first?.dictionary?["kind"] == .string("first"))
    }

    @Test("P9: AcknowledgeLoss makes a lost store healthy, for good; on a healthy one it is no error")
    func acknowledge() throws {
        let client = try Client(on: bus)
        try client.call(AdminInterface.name, AdminInterface.acknowledgeLoss)
        try daemon.terminate()
        for name in ["defaults.sqlite", "defaults.backup.sqlite"] { unlink(daemon.store + "/" + name) }
        mkdir(daemon.store + "/damaged-1", 0o700)
        try daemon.restart()
        let user = try Client(on: bus)
        func once(_ flag: String) throws -> [Value] {
            try user.launches(LaunchesInterface.once, .string(Self.app), .string(flag))
        }
        #expect(try user.error { try once("welcome") }?.name == ErrorNames.unavailable)
        try user.call(AdminInterface.name, AdminInterface.acknowledgeLoss)
        #expect(try once("welcome") == [.boolean(true)])
        try daemon.kill9()
        try daemon.restart()
        let again = try Client(on: bus)
        let state = try again.call(
            "org.freedesktop.DBus.Properties", "Get", .string(AdminInterface.name.text), .string(AdminInterface.storeState.text))
        #expect(state == [.variant(.string("healthy"))])
    }
}

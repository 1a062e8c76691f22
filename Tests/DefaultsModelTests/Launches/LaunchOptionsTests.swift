import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Options of Record, and sticky answers")
struct LaunchOptionsTests {
    private func error(_ entries: [(String, Value)]) -> ModelError? {
        #expect(throws: ModelError.self) { try LaunchOptions(DictionaryValue(entries)) }
    }

    @Test("No options are the defaults, and an empty baseline_version is none")
    func defaults() throws {
        for entries: [(String, Value)] in [[], [("baseline_version", .string(""))], [("scheme", .string("auto"))]] {
            let options = try LaunchOptions(DictionaryValue(entries))
            #expect(options.scheme == .auto && !options.existingUser && options.baselineVersion == nil)
        }
    }

    @Test("All options are taken; the baseline is read by the scheme")
    func all() throws {
        let options = try LaunchOptions(
            DictionaryValue([
                ("baseline_version", .string("1.0")), ("existing_user", .boolean(true)), ("scheme", .string("opaque")),
            ]))
        #expect(options.scheme == .opaque && options.existingUser)
        #expect(options.baselineVersion?.text == "1.0" && options.baselineVersion?.isOpaque == true)
    }

    @Test("An unknown entry, a wrong type and a wrong word are InvalidArgument naming it")
    func invalid() {
        let unknown = error([("shceme", .string("auto"))])
        #expect(unknown?.code == .invalidArgument && unknown?.message.contains("\"shceme\"") == true)
        #expect(unknown?.message.contains("existing_user") == true, "it says what would be right")
        let type = error([("existing_user", .string("yes"))])
        #expect(type?.code == .invalidArgument && type?.message.contains("\"existing_user\" is of type s") == true)
        let number = error([("existing_user", .uint32(1))])
        #expect(number?.code == .invalidArgument)
        let word = error([("scheme", .string("semver"))])
        #expect(word?.message.contains("\"scheme\" is \"semver\"") == true && word?.message.contains("\"opaque\"") == true)
        #expect(error([("scheme", .variant(.string("auto")))])?.code == .invalidArgument, "a variant in a variant is no string")
        #expect(error([("scheme", .string("auto")), ("scheme", .string("opaque"))])?.message.contains("twice") == true)
        let baseline = error([("baseline_version", .string("1\n"))])
        #expect(baseline?.code == .invalidVersion && baseline?.message.contains("baseline_version") == true)
        #expect(error([("baseline_version", .uint32(1))])?.code == .invalidArgument)
    }
}

@Suite("Sticky answers")
struct StickyAnswersTests {
    private let app: DomainName
    private let other: DomainName
    private let launch: Launch

    init() throws {
        app = try #require(DomainName("org.example.App"))
        other = try #require(DomainName("org.example.Other"))
        var history = LaunchHistory()
        launch = try history.record(Version("1.0"), at: .start)
    }

    @Test("L2: the same connection asking again for the same version gets the same answer")
    func same() throws {
        var sticky = StickyAnswers()
        #expect(try sticky.answer(caller: ":1.1", app: app, version: Version("1.0")) == nil)
        try sticky.remember(launch, caller: ":1.1", app: app, version: Version("1.0"))
        #expect(try sticky.answer(caller: ":1.1", app: app, version: Version("1.0")) == launch)
        #expect(try sticky.answer(caller: ":1.1", app: app, version: Version("v1.0.0")) == launch)
        #expect(try sticky.answer(caller: ":1.1", app: app, version: Version("1.0 (2)")) == nil)
        #expect(try sticky.answer(caller: ":1.1", app: app, version: Version("1.1")) == nil)
        #expect(try sticky.answer(caller: ":1.1", app: other, version: Version("1.0")) == nil)
        #expect(try sticky.answer(caller: ":1.2", app: app, version: Version("1.0")) == nil)
    }

    @Test("L2: a connection that asked for another version meanwhile records a launch of its own")
    func latest() throws {
        var sticky = StickyAnswers()
        try sticky.remember(launch, caller: ":1.1", app: app, version: Version("1.0"))
        try sticky.remember(launch, caller: ":1.1", app: app, version: Version("2.0"))
        #expect(try sticky.answer(caller: ":1.1", app: app, version: Version("1.0")) == nil)
    }

    @Test("L2: answers go with the connection, and with Forget")
    func forget() throws {
        var sticky = StickyAnswers()
        for caller: BusName in [":1.1", ":1.2"] {
            for app in [app, other] { try sticky.remember(launch, caller: caller, app: app, version: Version("1.0")) }
        }
        sticky.forget(caller: ":1.1")
        #expect(try sticky.answer(caller: ":1.1", app: app, version: Version("1.0")) == nil)
        #expect(try sticky.answer(caller: ":1.2", app: app, version: Version("1.0")) == launch)
        sticky.forget(app: app)
        #expect(try sticky.answer(caller: ":1.2", app: app, version: Version("1.0")) == nil)
        #expect(try sticky.answer(caller: ":1.2", app: other, version: Version("1.0")) == launch)
        sticky.forget(app: other)
        #expect(sticky.callerCount == 0)
    }

    @Test("A connection is remembered for 64 applications")
    func bound() throws {
        var sticky = StickyAnswers()
        let apps = try (0..<65).map { try #require(DomainName("org.example.App\($0)")) }
        for app in apps { try sticky.remember(launch, caller: ":1.1", app: app, version: Version("1.0")) }
        #expect(try sticky.answer(caller: ":1.1", app: apps[0], version: Version("1.0")) == nil)
        #expect(try sticky.answer(caller: ":1.1", app: apps[1], version: Version("1.0")) == launch)
        #expect(try sticky.answer(caller: ":1.1", app: apps[64], version: Version("1.0")) == launch)
    }
}

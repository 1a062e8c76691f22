import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

@Suite("Calls that no client library would make")
struct PreferencesRawCallTests {
    private static let app = "org.example.App"
    private let bus: PrivateBus
    private let daemon: Daemon
    private let client: Client

    init() throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus)
        client = try Client(on: bus)
        try client.set(Self.app, "kept", .string("intact"))
    }

    /// Checks that nothing has happened to the daemon and what it had.
    private func expectUnharmed(revision: UInt64 = 2, keys: [String] = ["kept"]) throws {
        #expect(daemon.process.poll() == nil)
        #expect(try client.get(Self.app, "kept") == .string("intact"))
        #expect(try client.listKeys(Self.app) == keys)
        #expect(try client.revision(Self.app) == revision)
        let lines = daemon.log.split(separator: "\n").filter { !$0.contains(" met a limit: ") }
        #expect(lines.count == 1, "\(daemon.log)")
    }

    private func call(_ member: MemberName, _ arguments: [Value]) throws -> [Value] {
        try client.connection.call(
            WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, member, arguments, timeout: 10_000)
    }

    @Test("Scenario 7: every method with no arguments, too many, or of wrong types is InvalidArgs that names the right ones")
    func wrongSignatures() throws {
        for method in PreferencesInterface.description.methods {
            var wrong: [[Value]] = [
                [.variant(.int64(1))], [.bytes([1])], [.structure([.int32(1), .int32(2)])], [.vardict([])],
                method.inputs.map { _ in .double(0) } + [.string("one more")],
            ]
            if !method.inputs.isEmpty { wrong.append([]) }
            for arguments in wrong {
                let error = try client.error { try call(method.name, arguments) }
                #expect(error?.name == ErrorNames.invalidArgs, "\(method.name) \(arguments)")
                for input in method.inputs { #expect(error?.message.contains(input.name) == true, "\(error?.message ?? "")") }
            }
        }
        try expectUnharmed()
    }

    @Test("Scenario 7: values of unusual types are stored exactly")
    func unusualValues() throws {
        let variants = (0..<15).reduce(Value.int64(7)) { inner, _ in .variant(inner) }
        for value in [
            Value.vardict([("a", .vardict([("b", .bytes([1, 2]))]))]), .bytes([0, 1, 255]), .structure([.int32(1), .int32(2)]),
            variants,
        ] {
            try client.set(Self.app, "odd", value)
            #expect(try call(PreferencesInterface.get, [.string(Self.app), .string("odd")]) == [.variant(value)])
        }
        try expectUnharmed(revision: 6, keys: ["kept", "odd"])
    }

    @Test("Scenario 7: variants nested 60 deep are LimitExceeded with the depth, in every method that takes a value")
    func deepVariants() throws {
        // The argument is a variant itself, and Apply has it in an a{sv}; D-Bus takes 64 levels in all.
        let deep = (0..<60).reduce(Value.int64(7)) { inner, _ in .variant(inner) }
        let domain = Value.string(Self.app)
        let calls: [(MemberName, [Value])] = [
            (PreferencesInterface.set, [domain, .string("deep"), .variant(deep)]),
            (PreferencesInterface.setIfAbsent, [domain, .string("deep"), .variant(deep)]),
            (PreferencesInterface.compareAndSet, [domain, .string("kept"), .variant(.string("intact")), .variant(deep)]),
            (PreferencesInterface.apply, [domain, .vardict([("deep", deep)]), .array([String]()), .uint64(0)]),
        ]
        for (member, arguments) in calls {
            let error = try client.error { try call(member, arguments) }
            #expect(error?.name == ErrorNames.limitExceeded, "\(member) \(error?.message ?? "no error")")
            #expect(error?.message.contains("60") == true)
        }
        try expectUnharmed()
    }

    @Test("Scenario 7: a file descriptor is no value: InvalidValue, and none stays open")
    func descriptors() throws {
        let descriptors = "/proc/\(daemon.process.identifier)/fd"
        let before = try descriptors.namesInFolder().count
        let file = UnixFD(owning: open("/dev/null", O_RDONLY | O_CLOEXEC)) { close($0) }
        for value in [
            Value.unixFD(file), .array(ArrayValue(unchecked: [.unixFD(file)], of: .unixFD)),
            .array(ArrayValue(unchecked: [], of: .unixFD)), .structure([.int32(1), .variant(.unixFD(file))]),
            .vardict([("a", .unixFD(file))]),
            .dictionary(DictionaryValue(unchecked: [], key: .string, value: .unixFD)),
            .array(ArrayValue(unchecked: [], of: .structure([.string, .unixFD]))),
            .array(ArrayValue(unchecked: [.array(ArrayValue(unchecked: [], of: .unixFD))], of: .array(of: .unixFD))),
        ] {
            for _ in 0..<3 {
                let error = try client.error { try client.set(Self.app, "file", value) }
                #expect(error?.name == ErrorNames.invalidValue, "\(value.type.text)")
            }
        }
        try expectUnharmed()
        #expect(try descriptors.namesInFolder().count <= before)
    }

    @Test("Scenario 7: a dictionary with a key twice is InvalidValue that names it")
    func duplicateKeys() throws {
        for value in [
            Value.vardict([("twice", .int64(1)), ("twice", .int64(2))]),
            .structure([.vardict([("a", .vardict([("twice", .int64(1)), ("x", .int64(1)), ("twice", .int64(1))]))])]),
        ] {
            let error = try client.error { try client.set(Self.app, "dict", value) }
            #expect(error?.name == ErrorNames.invalidValue)
            #expect(error?.message.contains("\"twice\"") == true)
        }
        try expectUnharmed()
    }

    @Test("A call that wants no reply takes effect all the same, and one with an error is answered to no one")
    func noReplyWanted() throws {
        try client.connection.post(
            WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, PreferencesInterface.set,
            [.string(Self.app), .string("posted"), .variant(.int64(1))])
        try client.connection.post(
            WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, PreferencesInterface.set, [.int64(1)])
        #expect(try client.get(Self.app, "posted") == .int64(1))
        try expectUnharmed(revision: 3, keys: ["kept", "posted"])
    }

    @Test("A caller that leaves at once after its call has its write stored")
    func callerThatLeaves() throws {
        try client.watch(Self.app)
        for number in 0..<20 {
            let leaver = try Client(on: bus)
            try leaver.connection.post(
                WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, PreferencesInterface.set,
                [.string(Self.app), .string("from \(number)"), .variant(.int64(1))])
            leaver.connection.flush()
            leaver.connection.close()
        }
        try client.wait(for: 20, "the leavers' writes") { Change($0) != nil }
        #expect(try client.listKeys(Self.app)?.count == 21)
    }
}

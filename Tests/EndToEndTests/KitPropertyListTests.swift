import DBusTypes
import DefaultsKit
import Support
import Testing

extension Kit {
    @Suite("taking over a UserDefaults property list")
    struct KitPropertyListTests {
        private let fixture: KitFixture
        private let folder: TemporaryFolder
        private var defaults: Defaults { fixture.defaults }

        init() throws {
            fixture = try KitFixture()
            folder = try TemporaryFolder()
        }

        /// Writes a property list as Python has it, in one of its two formats.
        private func write(_ format: String) throws -> String {
            let path = folder.path("org.example.Kit.plist")
            let script = """
                import datetime, plistlib
                plistlib.dump({"b": True, "i": 1, "big": 2**64 - 1, "r": 1.5, "whole": 2.0, "s": "é", "d": datetime.datetime(1970, 1, 2), "data": b"\\x01\\x02",
                    "list": ["a", "b"], "mixed": [1, "a"], "empty": [], "dict": {"k": 0, "f": False}, "count": 7, "theme": "dark"},
                    open("\(path)", "wb"), fmt=plistlib.\(format))
                """
            let result = try Command("/usr/bin/python3", ["-c", script], environment: fixture.bus.clientVariables).finish()
            guard result.code == 0 else { throw TestFailure("\(result)") }
            return path
        }

        @Test(
            "Each value comes over in its native type, once, and nothing that was set since is lost",
            arguments: ["FMT_XML", "FMT_BINARY"])
        func takeOver(format: String) async throws {
            let path = try write(format)
            try await defaults.register(defaults: ["theme": "light"]).onDisk()
            try await defaults.set(3, for: .count).onDisk()
            #expect(try await defaults.importPropertyList(at: path) == 13)
            let expected: [(String, Value)] = [
                ("b", .boolean(true)), ("i", .int64(1)), ("big", .uint64(.max)), ("r", .double(1.5)), ("whole", .int64(2)),
                ("s", .string("é")),
                ("d", .int64(86_400_000_000)), ("data", .bytes([1, 2])), ("list", .array(["a", "b"])),
                ("mixed", .array([Value.int64(1), .string("a")])), ("empty", .array([Value]())),
                ("dict", .vardict([("k", .int64(0)), ("f", .boolean(false))])), ("count", .int64(3)), ("theme", .string("dark")),
            ]
            for (key, value) in expected { #expect(try fixture.stored(key) == value, "\(key)") }
            #expect(defaults[Key<Double>("whole", default: 0)] == 2)
            try await defaults.set(8, forKey: "i").onDisk()
            #expect(try await fixture.other.importPropertyList(at: path) == 0)
            #expect(try fixture.stored("i") == .int64(8))
        }

        @Test("A file that is none, or isn't there, is an error and changes nothing")
        func noFile() async throws {
            let path = folder.path("none.plist")
            await #expect(throws: (any Error).self) { try await defaults.importPropertyList(at: path) }
            try "no property list".write(toNewFile: path)
            await #expect(throws: (any Error).self) { try await defaults.importPropertyList(at: path) }
            #expect(defaults.dictionaryRepresentation().isEmpty)
        }
    }
}

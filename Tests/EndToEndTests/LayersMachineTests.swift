import DBusTypes
import DefaultsInterface
import Glibc
import Support
import Testing

@Suite("The administrator's values")
struct LayersMachineTests {
    private let bus: PrivateBus
    private let folder: ConfigurationFolder
    private let app = "org.example.App"

    init() throws {
        bus = try PrivateBus()
        folder = ConfigurationFolder(bus)
    }

    @Test(
        "Machine sets and resets in 50-admin.json, in effect before the reply and after a restart; the same again writes nothing")
    func setAndReset() throws {
        try #require(getuid() == 0, "Machine is for root")
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        try client.watch(app)
        func machine(_ member: MemberName, _ arguments: Value...) throws {
            _ = try client.connection.call(
                WellKnown.busName, WellKnown.rootPath, MachineInterface.name, member, arguments, timeout: 10_000)
        }
        try machine(MachineInterface.setDefault, .string(app), .string("k"), .variant(.int32(1)))
        #expect(try client.get(app, "k") == .int32(1))
        try machine(MachineInterface.setMandatory, .string("global"), .string("k"), .variant(.uint64(.max)))
        #expect(try client.get(app, "k") == .uint64(.max) && client.locked(app) == ["k"])
        let file = folder.path + "/mandatory.d/50-admin.json"
        #expect(try String(contentsOfFile: file) == "{\n  \"global\": {\n    \"k\": 18446744073709551615\n  }\n}\n")
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o644)
        let inode = status.st_ino
        try machine(MachineInterface.setMandatory, .string("global"), .string("k"), .variant(.uint64(.max)))
        #expect(stat(file, &status) == 0 && status.st_ino == inode)
        try client.drain()
        #expect(client.signals(PreferencesInterface.changed).count == 2)
        #expect(client.signals(PreferencesInterface.locksChanged).count == 1)

        try daemon.kill9()
        try daemon.restart()
        let second = try Client(on: bus)
        #expect(try second.get(app, "k") == .uint64(.max))
        try second.call(MachineInterface.name, MachineInterface.resetMandatory, .string("global"), .string("k"))
        try second.call(MachineInterface.name, MachineInterface.resetMandatory, .string("global"), .string("absent"))
        #expect(try second.get(app, "k") == .int32(1) && second.locked(app) == [])
        try second.call(MachineInterface.name, MachineInterface.resetDefault, .string(app), .string("k"))
        try second.call(MachineInterface.name, MachineInterface.reload)
        #expect(try second.get(app, "k") == nil)
        #expect(try String(contentsOfFile: file) == "{}\n")
    }

    @Test("A broken 50-admin.json is not written over, and what can't be stored is refused before anything is")
    func refused() throws {
        try #require(getuid() == 0, "Machine is for root")
        let broken = "{\"org.example.App\": {\"k\": 1},"
        try folder.replace("defaults.d/50-admin.json", broken)
        let daemon = try Daemon(on: bus)
        let client = try Client(on: bus)
        func error(_ key: String, _ value: Value) throws -> ErrorName? {
            try client.error {
                try client.call(
                    MachineInterface.name, MachineInterface.setDefault, .string(app), .string(key), .variant(value))
            }?.name
        }
        #expect(try error("k", .int32(1)) == ErrorNames.storageFailed)
        #expect(try folder.text("defaults.d/50-admin.json") == broken)
        #expect(try error("", .int32(1)) == ErrorNames.invalidName)
        #expect(try error("k", .bytes([UInt8](repeating: 0, count: 1 << 20))) == ErrorNames.limitExceeded)
        // Once mended it can be changed.
        try folder.replace("defaults.d/50-admin.json", "{}")
        #expect(try error("k", .int32(1)) == nil)
        #expect(try daemon.terminate() == .exited(0))
    }

    @Test("A folder that can't be written is AccessDenied, with the file's name")
    func notWritable() throws {
        // A file system in which not even root can make a folder.
        let daemon = try Daemon(on: bus, arguments: ["--config=/sys/defaultsd-test"])
        let client = try Client(on: bus)
        let error = try #require(
            try client.error {
                try client.call(
                    MachineInterface.name, MachineInterface.setDefault, .string(app), .string("k"), .variant(.int32(1)))
            })
        #expect(error.name == ErrorNames.accessDenied && error.message.contains("/sys/defaultsd-test"), "\(error)")
        #expect(try daemon.terminate() == .exited(0))
    }
}

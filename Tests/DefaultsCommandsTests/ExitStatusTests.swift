import DBusTypes
import DefaultsInterface
import LibDBus
import Testing

@testable import DefaultsCommands

@Suite("Exit statuses")
struct ExitStatusTests {
    @Test(
        "each error name has the status that the manual gives it",
        arguments: [
            ("NoSuchKey", 1), ("NotFound", 1), ("InvalidName", 65), ("InvalidValue", 65), ("InvalidArgument", 65),
            ("InvalidVersion", 65),
            ("TypeMismatch", 65), ("OutOfRange", 65), ("LimitExceeded", 65), ("Unavailable", 69), ("StorageFull", 74),
            ("StorageFailed", 74), ("StorageReadOnly", 74), ("RevisionMismatch", 75), ("AlreadyExists", 75),
            ("AlreadyFinished", 75),
            ("NotYetSkippable", 75), ("Locked", 77), ("SomethingNew", 69),
        ] as [(String, Int32)])
    func daemon(name: String, status: Int32) throws {
        let error = DBusError(try #require(ErrorName("org.defaultsd1.Error." + name)), "why")
        #expect(Failure(error).status.rawValue == status)
        #expect(Failure(error).message == "why")
    }

    @Test(
        "errors of the bus and the way to it",
        arguments: [
            ("ServiceUnknown", 69), ("NameHasNoOwner", 69), ("NoReply", 69), ("Timeout", 69), ("TimedOut", 69),
            ("Disconnected", 69),
            ("NoServer", 69), ("FileNotFound", 69), ("Spawn.ChildExited", 69), ("UnknownMethod", 69), ("UnknownInterface", 69),
            ("UnknownProperty", 69), ("UnknownObject", 1), ("InvalidArgs", 65), ("LimitsExceeded", 65), ("AccessDenied", 77),
            ("PropertyReadOnly", 77), ("BadAddress", 64),
        ] as [(String, Int32)])
    func bus(name: String, status: Int32) throws {
        #expect(
            Failure(DBusError(try #require(ErrorName("org.freedesktop.DBus.Error." + name)), "why")).status.rawValue == status)
    }

    @Test("every error that the daemon can answer has a status of its own choosing, none is taken for a broken bus")
    func complete() {
        let unavailable = ErrorNames.all.filter { ExitStatus($0) == .unavailable }
        #expect(
            unavailable == [
                ErrorNames.unavailable, ErrorNames.unknownMethod, ErrorNames.unknownInterface, ErrorNames.unknownProperty,
            ])
    }

    @Test("a message can't move the cursor, and one that is missing is made up for")
    func messages() {
        #expect(Failure(DBusError(ErrorNames.locked, "a\u{1B}[2Jb")).message == "a\\u001b[2Jb")
        #expect(
            Failure(DBusError(ErrorNames.locked, "")).message
                == "defaultsd answered org.defaultsd1.Error.Locked without saying why")
    }
}

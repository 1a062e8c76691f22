import DBusTypes
import LibDBus
import Support
import Testing

@Suite("Calls")
struct CallTests {
    @Test("a method's answer and its error both come back under their names")
    func answers() throws {
        let pair = try Pair()
        #expect(try pair.ask(EchoHandler.interface, "Add", [.int32(40), .int32(2)]) == [.int32(42)])
        let error = try pair.error(EchoHandler.interface, "Add", [.int32(.max), .int32(1)])
        #expect(error == DBusError("org.example.Error.Overflow", "2147483647 + 1 is no int32"))
    }

    @Test("a waiting call works without a loop")
    func waiting() throws {
        let bus = try PrivateBus()
        let connection = try BusConnection(address: bus.address)
        let names = try connection.call(.bus, .bus, .bus, "ListNames")
        let texts: [String]? = names.first?.get()
        #expect(texts?.contains(connection.uniqueName.text) == true)
        let busID = try connection.busID()
        #expect(busID.utf8.count == 32)
        #expect(try connection.busID() == busID)
    }
}

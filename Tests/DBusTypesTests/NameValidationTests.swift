import CDBus
import DBusTypes
import Support
import Testing

/// libdbus ends the process on a name that it holds to be invalid, so the newtypes must let nothing through that it refuses.
@Suite("Names against libdbus")
struct NameValidationTests {
    static let fixed = [
        "", "/", "//", "/a", "/a/", "a", "a.b", ".a.b", "a..b", "a.b.", ":1.42", ":", ":1", ":.1", "a-b.c", "1.a", "a.1", "a b.c",
        "é.é", "_._", "-.-", "a.-", "A.B.C", "/é", "/a-b", "/A_9", "Get", "9Get", "_", "Ge.t", "Ge t", "a{sv}", "a{vs}", "()",
        "(i)", "((i)", "a", "aa", "ai", "a{s}", "{sv}", "a{siv}", "z", "m", "r", "e", "a(i", "ii", "h", "a{hv}",
        String(repeating: "a", count: 254) + ".b", "a." + String(repeating: "b", count: 253),
        "a." + String(repeating: "b", count: 254), String(repeating: "a", count: 255), String(repeating: "a", count: 256),
        String(repeating: "i", count: 255), String(repeating: "i", count: 256), "/" + String(repeating: "a", count: 70_000),
        String(repeating: "a", count: 32) + "i", String(repeating: "a", count: 33) + "i",
        String(repeating: "(", count: 32) + "i" + String(repeating: ")", count: 32),
        String(repeating: "(", count: 33) + "i" + String(repeating: ")", count: 33),
        String(repeating: "a(", count: 32) + "i" + String(repeating: ")", count: 32),
        String(repeating: "a{s", count: 32) + "i" + String(repeating: "}", count: 32),
        String(repeating: "a{s", count: 33) + "i" + String(repeating: "}", count: 33),
        String(repeating: "(", count: 31) + "a{si}" + String(repeating: ")", count: 31),
        String(repeating: "(", count: 32) + "a{si}" + String(repeating: ")", count: 32),
    ]

    @Test("the newtypes agree with dbus_validate_* on every edge", arguments: fixed)
    func edges(_ text: String) { compare(text) }

    @Test("the newtypes agree with dbus_validate_* on 20,000 random texts")
    func random() {
        var generator = SeededGenerator(seed: 4)
        let alphabets = ["/ab_9-.", ".ab_9-: ", ":1.23", "aAzZ_09é", "aybnqiuxtdsoghv(){}", "a(){}sv"].map { [Character]($0) }
        for _ in 0..<20_000 {
            let alphabet = alphabets[Int.random(in: 0..<alphabets.count, using: &generator)]
            let count = Int.random(in: 0...10, using: &generator)
            compare(String((0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }))
        }
    }

    private func compare(_ text: String) {
        #expect((ObjectPath(text) != nil) == (dbus_validate_path(text, nil) != 0), "path \(text)")
        // libdbus lets anything dotted or not follow the colon of a unique name; the specification wants two elements.
        if text.hasPrefix(":") {
            #expect(BusName(text) == nil || dbus_validate_bus_name(text, nil) != 0, "bus name \(text)")
        } else {
            #expect((BusName(text) != nil) == (dbus_validate_bus_name(text, nil) != 0), "bus name \(text)")
        }
        #expect((InterfaceName(text) != nil) == (dbus_validate_interface(text, nil) != 0), "interface \(text)")
        #expect((MemberName(text) != nil) == (dbus_validate_member(text, nil) != 0), "member \(text)")
        #expect((ErrorName(text) != nil) == (dbus_validate_error_name(text, nil) != 0), "error name \(text)")
        #expect((Signature(text) != nil) == (dbus_signature_validate(text, nil) != 0), "signature \(text)")
    }

    @Test("U+0000, at which C would stop reading, is in no name", arguments: ["/a\0", "a.b\0", "a\0", "i\0", "\0"])
    func null(_ text: String) {
        #expect(ObjectPath(text) == nil)
        #expect(BusName(text) == nil)
        #expect(InterfaceName(text) == nil)
        #expect(ErrorName(text) == nil)
        #expect(MemberName(text) == nil)
        #expect(Signature(text) == nil)
    }
}

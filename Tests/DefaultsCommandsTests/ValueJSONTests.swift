import DBusTypes
import Testing

@testable import DefaultsCommands

@Suite("Values as JSON")
struct ValueJSONTests {
    private func short(_ value: Value) -> String { JSONStyle.short.text(value) }

    @Test("types, nesting and escapes are busctl's")
    func likeBusctl() throws {
        // Each as `busctl --json=short` of systemd 252 prints it, but for the array that busctl puts around a message's arguments.
        let cases: [(String, [String], String)] = [
            ("s", ["a\u{1}\t\"\\/é\n€"], #"{"type":"s","data":"a\u0001\t\"\\/é\n€"}"#),
            ("ay", ["3", "1", "2", "255"], #"{"type":"ay","data":[1,2,255]}"#),
            ("ay", ["0"], #"{"type":"ay","data":[]}"#),
            ("(sib)", ["a", "1", "true"], #"{"type":"(sib)","data":["a",1,true]}"#),
            ("v", ["v", "s", "x"], #"{"type":"v","data":{"type":"v","data":{"type":"s","data":"x"}}}"#),
            ("av", ["2", "s", "a", "i", "1"], #"{"type":"av","data":[{"type":"s","data":"a"},{"type":"i","data":1}]}"#),
            ("a(ss)", ["1", "a", "b"], #"{"type":"a(ss)","data":[["a","b"]]}"#),
            ("as", ["0"], #"{"type":"as","data":[]}"#),
            ("a{sv}", ["0"], #"{"type":"a{sv}","data":{}}"#),
            ("o", ["/a"], #"{"type":"o","data":"/a"}"#),
            ("g", ["ai"], #"{"type":"g","data":"ai"}"#),
            ("t", ["18446744073709551615"], #"{"type":"t","data":18446744073709551615}"#),
            ("x", ["-9223372036854775808"], #"{"type":"x","data":-9223372036854775808}"#),
            ("aai", ["2", "1", "1", "2", "1", "3"], #"{"type":"aai","data":[[1],[1,3]]}"#),
        ]
        for (signature, words, text) in cases {
            #expect(short(try SignatureWords.value(signature: signature, words: words)) == text)
        }
    }

    @Test("objects are sorted, and keys that are no texts become some")
    func objects() throws {
        #expect(
            short(try SignatureWords.value(signature: "a{ss}", words: ["2", "b", "1", "a", "2"]))
                == #"{"type":"a{ss}","data":{"a":"2","b":"1"}}"#)
        #expect(
            short(try SignatureWords.value(signature: "a{ib}", words: ["2", "10", "no", "-2", "yes"]))
                == #"{"type":"a{ib}","data":{"-2":true,"10":false}}"#)
    }

    @Test("P3: doubles keep every bit, also those that JSON has no number for")
    func doubles() {
        #expect(short(.double(0.1)) == #"{"type":"d","data":0.1}"#)
        #expect(short(.double(3)) == #"{"type":"d","data":3.0}"#)
        #expect(short(.double(-0.0)) == #"{"type":"d","data":-0.0}"#)
        #expect(short(.double(.leastNonzeroMagnitude)) == #"{"type":"d","data":5e-324}"#)
        #expect(short(.double(.infinity)) == #"{"type":"d","data":"inf"}"#)
        #expect(short(.double(-.infinity)) == #"{"type":"d","data":"-inf"}"#)
        #expect(short(.double(.nan)) == #"{"type":"d","data":"nan:7ff8000000000000"}"#)
        #expect(short(.double(Double(bitPattern: 0xFFF0_0000_0000_0001))) == #"{"type":"d","data":"nan:fff0000000000001"}"#)
    }

    @Test("pretty is busctl's layout")
    func pretty() throws {
        let value = try SignatureWords.value(signature: "(asa{sv}ay)", words: ["2", "a", "b", "1", "k", "i", "1", "0"])
        let text = """
            {
            \t"type" : "(asa{sv}ay)",
            \t"data" : [
            \t\t[
            \t\t\t"a",
            \t\t\t"b"
            \t\t],
            \t\t{
            \t\t\t"k" : {
            \t\t\t\t"type" : "i",
            \t\t\t\t"data" : 1
            \t\t\t}
            \t\t},
            \t\t[]
            \t]
            }
            """
        #expect(JSONStyle.pretty.text(value) == text)
    }
}

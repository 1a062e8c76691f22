import DBusTypes
import DefaultsModel

/// Inputs to begin with, from which libFuzzer makes others: each shows what a parser takes.
enum Seeds {
    static func inputs(of target: String) -> [[UInt8]] {
        switch target {
        case "files": texts([manifest, values, policy])
        case "transfer": texts([transfer])
        case "versions": texts(["1.9\01.10", "6.3.80-dev\06.3.0", "2:1.0~rc1+b7\0v1.0 (7)", "1.1.1w\0nightly", "2.1\02.1.0"])
        case "wire": wireValues.map { Array($0.type.text.utf8) + [0] + $0.marshalled() }
        case "dictionaries": definitions.map { Value.vardict($0).marshalled() }
        case "records": records.map { $0.marshalled() }
        case "words": texts(["a{sv}\n1\nkey\ns\nvalue", "2026-01-31T12:00:00Z", "read\norg.example.App\ntheme\n--json=short"])
        default: []
        }
    }

    private static func texts(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static let manifest = #"""
        {"preferences": {"theme": {"type": "s", "default": "light", "choices": ["light", "dark"], "summary": "é"}},
         "guides": {"welcome": {"revision": 2, "pages": [{"title": "a"}, {"title": "b"}], "countdown": {"duration": 10000}}},
         "tours": {"main": {"steps": [{"id": "s1", "direction": "top"}, {"id": "s2", "since_revision": 2}]}},
         "tips": {"save": {"rules": [{"key": "n", "operator": ">=", "value": 3}, {"event": "e", "operator": ">", "count": 2, "window": 60000}]}}}
        """#
    private static let values =
        #"{"org.example.App": {"a": [1, 2], "b": {"type": "ay", "data": "hex:00ff"}, "c": -1.5e3}, "global": {}}"#
    private static let policy =
        #"{"onboarding": "deny", "tips": "baseline", "statistics": false, "apps": {"org.example.App": {"guides": "allow"}}}"#
    private static let transfer =
        #"{"format":1,"preferences":{"org.example.App":{"a":{"type":"t","data":"18446744073709551615"}}},"onboarding":{"org.example.App":{"flag":{"x":{"type":"a{sv}","data":{"format":{"type":"u","data":1},"when":{"type":"x","data":7}}}}}}}"#

    private static let wireValues: [Value] = [
        .string("é"), .array([Int64.min, 0, .max]), .bytes([0, 255]), .structure([.byte(1), .double(.nan)]),
        .vardict([("a", .boolean(true)), ("b", .variant(.uint16(7)))]),
    ]

    private static let definitions: [[(String, Value)]] = [
        [("duration", .uint32(10_000)), ("tick", .int64(50)), ("start", .string("when_ready"))],
        [("scheme", .string("opaque")), ("existing_user", .boolean(true)), ("baseline_version", .string("1.0"))],
        [
            ("revision", .uint32(2)), ("kind", .string("whatsnew")), ("since_version", .string("1.8")),
            ("pages", dictionaries([[("title", .string("a"))], []])), ("countdown", .vardict([("duration", .uint32(5))])),
        ],
        [("steps", dictionaries([[("id", .string("s1"))], [("id", .string("s2")), ("direction", .string("top"))]]))],
        [("rules", dictionaries([[("key", .string("n")), ("operator", .string("in")), ("value", .array(["a"]))]]))],
    ]

    private static let records: [Value] = {
        var records: [Value] = []
        var history = LaunchHistory()
        for version in ["1.0", "1.1-rc1", "1.1", "nightly"] {
            guard let version = try? Version(version) else { continue }
            _ = history.record(version, at: Instant(boottime: 1, monotonic: 1, wall: 1))
            if let stored = history.stored { records.append(stored) }
        }
        return records
    }()

    private static func dictionaries(_ dictionaries: [[(String, Value)]]) -> Value {
        .array(
            ArrayValue(
                unchecked: dictionaries.map { .vardict($0) }, of: .dictionary(key: .string, value: .variant)))
    }
}

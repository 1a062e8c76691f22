import DBusTypes

@testable import DefaultsCommands

/// Answers as the daemon gives them.
enum PlayerSamples {
    static func guide(
        page: UInt32 = 0, state: String = "presenting", outcome: String = "", completion: String = "swipe",
        countdown: ObjectPath = "/"
    ) -> DictionaryValue {
        let pages: [[String: String]] = [
            ["title": "Welcome", "text": "To begin with."], ["title": "Files", "image": "files.png", "alt": "A folder"],
            ["title": "Done", "text": "Have fun."],
        ]
        let values = pages.map { page in Value.vardict(page.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }) }
        return DictionaryValue([
            ("state", .string(state)), ("page", .uint32(page)), ("count", .uint32(3)), ("is_first", .boolean(page == 0)),
            ("is_last", .boolean(page == 2)), ("button_visible", .boolean(completion == "button" && page == 2)),
            ("furthest", .uint32(page)), ("attempts", .uint32(0)), ("outcome", .string(outcome)),
            ("countdown", .objectPath(countdown)), ("completion", .string(completion)),
            ("pages", .array(ArrayValue(unchecked: values, of: .dictionary(key: .string, value: .variant)))),
        ])
    }

    static func step(_ index: UInt32 = 0, sequence: UInt64 = 1, state: String = "presenting", outcome: String = "")
        -> DictionaryValue
    {
        DictionaryValue([
            ("id", .string(["open", "save"][Int(index)])), ("index", .uint32(index)), ("count", .uint32(2)),
            ("sequence", .uint64(sequence)), ("is_first", .boolean(index == 0)), ("is_last", .boolean(index == 1)),
            ("state", .string(state)), ("outcome", .string(outcome)), ("stale", .boolean(false)), ("changed", .boolean(true)),
            ("content", .string("Open a file here.")), ("target", .string("#open")), ("direction", .string("bottom")),
        ])
    }

    static func tip(state: String = "presenting", outcome: String = "") -> DictionaryValue {
        DictionaryValue([
            ("id", .string("undo")), ("state", .string(state)), ("outcome", .string(outcome)), ("display_count", .uint32(1)),
            ("display_duration", .uint64(0)), ("title", .string("Undo")), ("message", .string("Shake to undo.")),
        ])
    }
}

extension PlayerSamples {
    static func listed(state: String, outcome: String) -> DictionaryValue {
        DictionaryValue([
            ("state", .string(state)), ("outcome", .string(outcome)), ("revision", .uint32(1)), ("attempts", .uint32(0)),
            ("furthest", .uint32(2)), ("source", .string("bus")),
        ])
    }

    static func list(_ rows: [(id: String, entries: DictionaryValue)]) -> Value {
        let values = rows.map { Value.structure([.string($0.id), .dictionary($0.entries)]) }
        return .array(ArrayValue(unchecked: values, of: .structure([.string, .dictionary(key: .string, value: .variant)])))
    }
}

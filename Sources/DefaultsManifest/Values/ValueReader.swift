import DBusTypes

/// JSON to values, as files write them.
///
/// Plain: true and false are b, integers x, or t above Int64.max, other numbers d, strings s, arrays of one type aX, mixed or
/// empty ones av, objects a{sv}. `{"type": SIGNATURE, "data": …}` gives any type.
enum ValueReader {
    /// Deeper than any value may nest, and shallow enough for every stack.
    private static let maximumDepth = 64

    /// Reads a value in either form.
    static func value(_ node: JSONNode, at path: JSONPath) throws(EntryError) -> Value {
        guard path.depth <= maximumDepth else { throw EntryError(path, "nests too deeply") }
        switch node {
        case .null: throw EntryError(path, "null is no value; leave the entry out instead")
        case .boolean(let value): return .boolean(value)
        case .number(let text): return try number(text, at: path)
        case .string(let text): return .string(text)
        case .array(let elements): return try plainArray(elements, at: path)
        case .object(let members):
            if let (type, data) = typedForm(node) { return try typed(type, data, at: path) }
            var entries: [(String, Value)] = []
            entries.reserveCapacity(members.count)
            for member in members { entries.append((member.name, try value(member.value, at: path.member(member.name)))) }
            return .vardict(entries)
        }
    }

    /// The parts of `{"type": …, "data": …}`, whose type is a string; nil for anything else.
    private static func typedForm(_ node: JSONNode) -> (type: String, data: JSONNode)? {
        guard case .object(let members) = node, members.count == 2, case .string(let type)? = node["type"],
            let data = node["data"]
        else { return nil }
        return (type, data)
    }

    private static func typed(_ text: String, _ data: JSONNode, at path: JSONPath) throws(EntryError) -> Value {
        try value(data, of: try type(text, at: path.member("type")), at: path.member("data"))
    }

    /// Reads the signature of a value that can be stored.
    static func type(_ text: String, at path: JSONPath) throws(EntryError) -> DBusType {
        guard let type = DBusType(text) else {
            throw EntryError(path, "\(JSONNode.string(text).kind) is no signature of one complete type, such as \"as\"")
        }
        guard !text.utf8.contains(UInt8(ascii: "h")) else {
            throw EntryError(path, "a file descriptor (type h) can't be stored")
        }
        return type
    }

    private static func number(_ text: String, at path: JSONPath) throws(EntryError) -> Value {
        if text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) {
            guard let number = Double(text), number.isFinite else { throw EntryError(path, "\(text) is no number") }
            return .double(number)
        }
        if let number = Int64(text) { return .int64(number) }
        if let number = UInt64(text) { return .uint64(number) }
        throw EntryError(path, "\(JSONNode.number(text).kind) doesn't fit 64 bits")
    }

    private static func plainArray(_ elements: [JSONNode], at path: JSONPath) throws(EntryError) -> Value {
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() { values.append(try value(element, at: path.element(index))) }
        if let type = values.first?.type, values.allSatisfy({ $0.type == type }) {
            return .array(ArrayValue(unchecked: values, of: type))
        }
        return .array(ArrayValue(unchecked: values.map { .variant($0) }, of: .variant))
    }

    // MARK: By type

    /// Reads the data of a value whose type is known.
    static func value(_ node: JSONNode, of type: DBusType, at path: JSONPath) throws(EntryError) -> Value {
        guard path.depth <= maximumDepth else { throw EntryError(path, "nests too deeply") }
        switch type {
        case .variant: return .variant(try value(node, at: path))
        case .array(let element): return try array(node, of: element, at: path)
        case .structure(let fields): return try structure(node, fields, at: path)
        case .dictionary(let key, let element): return try dictionary(node, key, element, at: path)
        case .boolean:
            guard case .boolean(let value) = node else { throw mismatch(node, type, path) }
            return .boolean(value)
        case .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double:
            guard let value = BasicReader.number(node, type) else { throw mismatch(node, type, path) }
            return value
        case .string, .objectPath, .signature:
            guard case .string(let text) = node, let value = BasicReader.value(text, type) else {
                throw mismatch(node, type, path)
            }
            return value
        case .unixFD: throw EntryError(path, "a file descriptor (type h) can't be stored")
        }
    }

    /// Reads the data of a value whose type is known, also where it stands as `{"type", "data"}` of that type.
    static func value(_ node: JSONNode, inEitherForm type: DBusType, at path: JSONPath) throws(EntryError) -> Value {
        guard let (text, data) = typedForm(node), let found = DBusType(text), type == found || !Self.takesObjects(type) else {
            return try value(node, of: type, at: path)
        }
        guard type == found else { throw EntryError(path, "is of type \(text), the key of type \(type.text)") }
        return try value(data, of: type, at: path.member("data"))
    }

    /// Whether an object may be the data itself.
    private static func takesObjects(_ type: DBusType) -> Bool {
        switch type {
        case .dictionary, .variant: true
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
            .unixFD, .array, .structure:
            false
        }
    }

    private static func mismatch(_ node: JSONNode, _ type: DBusType, _ path: JSONPath) -> EntryError {
        EntryError(path, "\(node.kind) is no value of type \(type.text)")
    }

    private static func array(_ node: JSONNode, of element: DBusType, at path: JSONPath) throws(EntryError) -> Value {
        if element == .byte, case .string(let text) = node {
            guard let bytes = BasicReader.bytes(text) else { throw mismatch(node, .array(of: .byte), path) }
            return .bytes(bytes)
        }
        guard case .array(let elements) = node else { throw mismatch(node, .array(of: element), path) }
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for (index, node) in elements.enumerated() { values.append(try value(node, of: element, at: path.element(index))) }
        return .array(ArrayValue(unchecked: values, of: element))
    }

    private static func structure(_ node: JSONNode, _ fields: [DBusType], at path: JSONPath) throws(EntryError) -> Value {
        guard case .array(let elements) = node else { throw mismatch(node, .structure(fields), path) }
        guard elements.count == fields.count else {
            throw EntryError(
                path, "has \(elements.count) elements; a value of type \(DBusType.structure(fields).text) has \(fields.count)")
        }
        var values: [Value] = []
        for (index, (node, field)) in zip(elements, fields).enumerated() {
            values.append(try value(node, of: field, at: path.element(index)))
        }
        return .structure(values)
    }

    private static func dictionary(
        _ node: JSONNode, _ key: DBusType, _ element: DBusType, at path: JSONPath
    ) throws(EntryError) -> Value {
        guard case .object(let members) = node else { throw mismatch(node, .dictionary(key: key, value: element), path) }
        var entries: [DictionaryValue.Entry] = []
        entries.reserveCapacity(members.count)
        for member in members {
            let path = path.member(member.name)
            guard let name = BasicReader.value(member.name, key) else { throw mismatch(.string(member.name), key, path) }
            entries.append(DictionaryValue.Entry(name, try value(member.value, of: element, at: path)))
        }
        let dictionary = DictionaryValue(unchecked: entries, key: key, value: element)
        guard dictionary.duplicateKey == nil else { throw EntryError(path, "has a key twice, spelt in two ways") }
        return .dictionary(dictionary)
    }
}

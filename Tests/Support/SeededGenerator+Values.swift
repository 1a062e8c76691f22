import DBusTypes

extension SeededGenerator {
    /// A type without file descriptors, containers nested `depth` deep at most.
    public mutating func type(depth: Int) -> DBusType {
        let basic = basicType()
        guard depth > 0 else { return basic }
        switch Int.random(in: 0..<8, using: &self) {
        case 0: return .variant
        case 1: return .array(of: type(depth: depth - 1))
        case 2: return .structure((0..<Int.random(in: 1...3, using: &self)).map { _ in type(depth: depth - 1) })
        case 3: return .dictionary(key: basic, value: type(depth: depth - 1))
        default: return basic
        }
    }

    private mutating func basicType() -> DBusType {
        let types: [DBusType] = [
            .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
        ]
        return types[Int.random(in: 0..<types.count, using: &self)]
    }

    /// Any value of a type.
    public mutating func value(_ type: DBusType, depth: Int) -> Value {
        switch type {
        case .byte: return .byte(.random(in: .min ... .max, using: &self))
        case .boolean: return .boolean(.random(using: &self))
        case .int16: return .int16(.random(in: .min ... .max, using: &self))
        case .uint16: return .uint16(.random(in: .min ... .max, using: &self))
        case .int32: return .int32(.random(in: .min ... .max, using: &self))
        case .uint32: return .uint32(.random(in: .min ... .max, using: &self))
        case .int64: return .int64(.random(in: .min ... .max, using: &self))
        case .uint64: return .uint64(.random(in: .min ... .max, using: &self))
        case .double: return .double(Double(bitPattern: next()))
        case .string: return .string(text())
        case .objectPath: return .objectPath(["/", "/a", "/org/example/x_1"][Int.random(in: 0..<3, using: &self)])
        case .signature: return .signature(["", "a{sv}", "(iis)ay"][Int.random(in: 0..<3, using: &self)])
        case .unixFD: preconditionFailure("random types have no file descriptors")
        case .variant:
            let inner = self.type(depth: max(depth - 1, 0))
            return .variant(value(inner, depth: depth - 1))
        case .array(let element):
            let count = Int.random(in: 0...4, using: &self)
            return .array(ArrayValue(unchecked: (0..<count).map { _ in value(element, depth: depth - 1) }, of: element))
        case .structure(let types): return .structure(types.map { value($0, depth: depth - 1) })
        case .dictionary(let key, let element):
            let count = Int.random(in: 0...3, using: &self)
            let entries = (0..<count).map { _ in
                DictionaryValue.Entry(value(key, depth: 0), value(element, depth: depth - 1))
            }
            return .dictionary(DictionaryValue(unchecked: entries, key: key, value: element))
        }
    }

    private mutating func text() -> String {
        let scalars: [Unicode.Scalar] = [
            "a", " ", "\u{1}", "é", "\u{301}", "🇺🇦".unicodeScalars.first ?? "u", "\u{FFFE}", "\n", "'",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...9, using: &self) {
            text.unicodeScalars.append(scalars[Int.random(in: 0..<scalars.count, using: &self)])
        }
        return text
    }
}

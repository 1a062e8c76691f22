extension Value {
    /// Whether the value is of a type; `type == other` without making the type.
    public func hasType(_ other: DBusType) -> Bool {
        switch (self, other) {
        case (.byte, .byte), (.boolean, .boolean), (.int16, .int16), (.uint16, .uint16), (.int32, .int32), (.uint32, .uint32),
            (.int64, .int64), (.uint64, .uint64), (.double, .double), (.string, .string), (.objectPath, .objectPath),
            (.signature, .signature), (.unixFD, .unixFD), (.variant, .variant):
            return true
        case (.array(let array), .array(let element)): return array.element == element
        case (.dictionary(let dictionary), .dictionary(let key, let value)):
            return dictionary.keyType == key && dictionary.valueType == value
        case (.structure(let fields), .structure(let types)):
            guard fields.count == types.count else { return false }
            for (field, type) in zip(fields, types) where !field.hasType(type) { return false }
            return true
        default: return false
        }
    }
}

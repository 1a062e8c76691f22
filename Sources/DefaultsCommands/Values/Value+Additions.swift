import DBusTypes

extension Value {
    /// This value with more elements at its end; `current` nil begins an array.
    ///
    /// The elements must fit the array's type: an integer fits any width that holds it, and everything fits an array of variants.
    static func array(_ current: Value?, appending additions: [Value]) throws(Failure) -> Value {
        guard let current else { return .array(WriteExpression.array(additions)) }
        guard case .array(let array) = current else {
            throw Failure("-array-add needs an array, and the value is of type \(current.type.text)", status: .invalid)
        }
        if array.isEmpty, array.element == .string { return .array(WriteExpression.array(additions)) }
        var elements = array.values
        for addition in additions {
            guard let element = addition.fitted(to: array.element) else {
                throw Failure.misfit(addition, element: array.element, of: current, flag: "-array-add")
            }
            elements.append(element)
        }
        return .array(ArrayValue(unchecked: elements, of: array.element))
    }

    /// This value with more entries, which replace those with the same key; `current` nil begins an `a{sv}`.
    static func dictionary(_ current: Value?, adding additions: [(key: String, value: Value)]) throws(Failure) -> Value {
        guard let current else { return .vardict(additions.map { ($0.key, $0.value) }) }
        guard case .dictionary(let dictionary) = current, dictionary.keyType == .string else {
            throw Failure(
                "-dict-add needs a dictionary whose keys are texts, and the value is of type \(current.type.text)",
                status: .invalid)
        }
        var entries = dictionary.entries
        for addition in additions {
            guard let value = addition.value.fitted(to: dictionary.valueType) else {
                throw Failure.misfit(addition.value, element: dictionary.valueType, of: current, flag: "-dict-add")
            }
            let entry = DictionaryValue.Entry(.string(addition.key), value)
            if let index = entries.firstIndex(where: { $0.key == entry.key }) {
                entries[index] = entry
            } else {
                entries.append(entry)
            }
        }
        return .dictionary(DictionaryValue(unchecked: entries, key: .string, value: dictionary.valueType))
    }

    /// The value as one of `type`, where that changes nothing about it: wrapped in a variant, or an integer in another width.
    func fitted(to type: DBusType) -> Value? {
        if type == .variant { return .variant(self) }
        if self.type == type { return self }
        return switch type {
        case .byte: integer(as: UInt8.self).map(Value.byte)
        case .int16: integer(as: Int16.self).map(Value.int16)
        case .uint16: integer(as: UInt16.self).map(Value.uint16)
        case .int32: integer(as: Int32.self).map(Value.int32)
        case .uint32: integer(as: UInt32.self).map(Value.uint32)
        case .int64: integer(as: Int64.self).map(Value.int64)
        case .uint64: integer(as: UInt64.self).map(Value.uint64)
        case .boolean, .double, .string, .objectPath, .signature, .unixFD, .variant, .array, .structure, .dictionary: nil
        }
    }
}

extension Failure {
    fileprivate static func misfit(_ value: Value, element: DBusType, of current: Value, flag: String) -> Failure {
        Failure(
            "\(flag) can't put \(ValueText.line(value)), of type \(value.type.text), into a value of type \(current.type.text): "
                + "that holds \(element.text)", status: .invalid)
    }
}

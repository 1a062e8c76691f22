import DBusTypes

extension PreferenceWrites {
    /// Adds in the integer type of `old`; the result is given back in that type and as an int64.
    static func sum(_ old: Value, _ amount: Int64, _ key: PreferenceKey) throws(ModelError) -> (Value, Int64) {
        switch old {
        case .byte(let old): try sum(old, amount, key, Value.byte)
        case .int16(let old): try sum(old, amount, key, Value.int16)
        case .uint16(let old): try sum(old, amount, key, Value.uint16)
        case .int32(let old): try sum(old, amount, key, Value.int32)
        case .uint32(let old): try sum(old, amount, key, Value.uint32)
        case .int64(let old): try sum(old, amount, key, Value.int64)
        case .uint64(let old): try sum(old, amount, key, Value.uint64)
        case .boolean, .double, .string, .objectPath, .signature, .unixFD, .array, .structure, .dictionary, .variant:
            throw ModelError(
                .typeMismatch,
                "Key \"\(key)\" holds a value of type \(old.type.text); only integers (y n q i u x t) can be incremented.")
        }
    }

    private static func sum<T: FixedWidthInteger & Sendable>(
        _ old: T, _ amount: Int64, _ key: PreferenceKey, _ wrap: (T) -> Value
    ) throws(ModelError) -> (Value, Int64) {
        // A 128-bit sum of two 64-bit numbers can't overflow.
        let sum = Int128(old) + Int128(amount)
        guard let new = T(exactly: sum), let result = Int64(exactly: sum) else {
            throw ModelError(
                .outOfRange,
                "Key \"\(key)\" holds \(old); adding \(amount) gives \(sum), outside \(T.min)…\(min(Int128(T.max), Int128(Int64.max)))."
            )
        }
        return (wrap(new), result)
    }
}

import CDBus
import DBusTypes
import Glibc

/// Takes the values out of a message, which libdbus has checked as it arrived.
struct MessageReader {
    /// Elements of a fixed width cost this much less than others: they are read in one go.
    private static let packedPerValue = 8

    /// How many values may still be read: a few bytes of a message can become a value many times their size.
    private var valuesLeft = Int.max
    private var lastSignature = ""
    private var lastType = DBusType.variant

    /// The arguments of a message.
    ///
    /// - Parameters:
    ///   - types: the types of the arguments where the signature was already compared with them.
    ///   - limit: how many values they may hold, those in containers counted, packed numbers eight for one.
    static func arguments(
        of message: OpaquePointer, types: [DBusType]? = nil, limit: Int = .max
    ) throws(DBusError) -> [Value] {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
        let known: [DBusType]
        if let types {
            known = types
        } else {
            guard let text = dbus_message_get_signature(message), let signature = Signature(String(cString: text)) else {
                throw DBusError(.invalidArgs, "the message has no valid signature")
            }
            known = signature.types
        }
        var reader = MessageReader(valuesLeft: limit)
        var values: [Value] = []
        values.reserveCapacity(known.count)
        for type in known {
            values.append(try reader.read(type, &iterator))
            dbus_message_iter_next(&iterator)
        }
        return values
    }

    private init(valuesLeft: Int) { self.valuesLeft = valuesLeft }

    private mutating func spend(_ count: Int) throws(DBusError) {
        valuesLeft -= count
        if valuesLeft < 0 { throw DBusError(.limitsExceeded, "the message holds too many values") }
    }

    private mutating func read(_ type: DBusType, _ iterator: inout DBusMessageIter) throws(DBusError) -> Value {
        try spend(1)
        switch type {
        case .byte: return .byte(Self.number(0, &iterator))
        case .boolean: return .boolean(Self.number(UInt32(0), &iterator) != 0)
        case .int16: return .int16(Self.number(0, &iterator))
        case .uint16: return .uint16(Self.number(0, &iterator))
        case .int32: return .int32(Self.number(0, &iterator))
        case .uint32: return .uint32(Self.number(0, &iterator))
        case .int64: return .int64(Self.number(0, &iterator))
        case .uint64: return .uint64(Self.number(0, &iterator))
        case .double: return .double(Self.number(0, &iterator))
        case .string: return .string(Self.text(&iterator))
        case .objectPath: return .objectPath(ObjectPath(unchecked: Self.text(&iterator)))
        case .signature:
            guard let signature = Signature(Self.text(&iterator)) else {
                throw DBusError(.invalidArgs, "the message holds an invalid signature")
            }
            return .signature(signature)
        case .unixFD: return .unixFD(try Self.descriptor(&iterator))
        case .variant: return .variant(try readVariant(&iterator))
        case .array(let element): return .array(try readArray(of: element, &iterator))
        case .structure(let types):
            var inner = DBusMessageIter()
            dbus_message_iter_recurse(&iterator, &inner)
            var fields: [Value] = []
            fields.reserveCapacity(types.count)
            for type in types {
                fields.append(try read(type, &inner))
                dbus_message_iter_next(&inner)
            }
            return .structure(fields)
        case .dictionary(let key, let value):
            return .dictionary(try readDictionary(key: key, value: value, &iterator))
        }
    }

    private static func number<T: BitwiseCopyable>(_ zero: T, _ iterator: inout DBusMessageIter) -> T {
        var number = zero
        dbus_message_iter_get_basic(&iterator, &number)
        return number
    }

    private static func text(_ iterator: inout DBusMessageIter) -> String {
        var pointer: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &pointer)
        return pointer.map { String(cString: $0) } ?? ""
    }

    /// libdbus hands out a duplicate, which is closed with the last reference to the value.
    private static func descriptor(_ iterator: inout DBusMessageIter) throws(DBusError) -> UnixFD {
        var number: Int32 = -1
        dbus_message_iter_get_basic(&iterator, &number)
        guard number >= 0 else {
            throw DBusError(.limitsExceeded, "a file descriptor of the message can't be opened here: too many are open")
        }
        return UnixFD(owning: number) { Glibc.close($0) }
    }

    private mutating func readVariant(_ iterator: inout DBusMessageIter) throws(DBusError) -> Value {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        if let type = TypeCode.simpleType(dbus_message_iter_get_arg_type(&inner)) { return try read(type, &inner) }
        guard let pointer = dbus_message_iter_get_signature(&inner) else { throw MessageFailure.noMemory.error }
        defer { dbus_free(pointer) }
        let text = String(cString: pointer)
        if text != lastSignature {
            guard let type = DBusType(text) else {
                throw DBusError(.invalidArgs, "the message holds a variant of the invalid type \(text)")
            }
            lastSignature = text
            lastType = type
        }
        return try read(lastType, &inner)
    }

    private mutating func readArray(
        of element: DBusType, _ iterator: inout DBusMessageIter
    ) throws(DBusError) -> ArrayValue {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        switch element {
        case .byte: return ArrayValue(bytes: Array(Self.packed(UInt8.self, &inner)))
        case .boolean: return try array(UInt32.self, of: element, &inner) { .boolean($0 != 0) }
        case .int16: return try array(Int16.self, of: element, &inner) { .int16($0) }
        case .uint16: return try array(UInt16.self, of: element, &inner) { .uint16($0) }
        case .int32: return try array(Int32.self, of: element, &inner) { .int32($0) }
        case .uint32: return try array(UInt32.self, of: element, &inner) { .uint32($0) }
        case .int64: return try array(Int64.self, of: element, &inner) { .int64($0) }
        case .uint64: return try array(UInt64.self, of: element, &inner) { .uint64($0) }
        case .double: return try array(Double.self, of: element, &inner) { .double($0) }
        case .string, .objectPath, .signature, .unixFD, .variant, .array, .structure, .dictionary:
            var values: [Value] = []
            while dbus_message_iter_get_arg_type(&inner) != TypeCode.invalid {
                values.append(try read(element, &inner))
                dbus_message_iter_next(&inner)
            }
            return ArrayValue(unchecked: values, of: element)
        }
    }

    /// The elements of a fixed-width array where they lie in the message.
    private static func packed<T: BitwiseCopyable>(_ type: T.Type, _ iterator: inout DBusMessageIter) -> UnsafeBufferPointer<T> {
        var base: UnsafePointer<T>?
        var count: Int32 = 0
        dbus_message_iter_get_fixed_array(&iterator, &base, &count)
        return UnsafeBufferPointer(start: base, count: base == nil ? 0 : Int(count))
    }

    private mutating func array<T: BitwiseCopyable>(
        _ type: T.Type, of element: DBusType, _ iterator: inout DBusMessageIter, _ value: (T) -> Value
    ) throws(DBusError) -> ArrayValue {
        let elements = Self.packed(type, &iterator)
        try spend(elements.count / Self.packedPerValue)
        return ArrayValue(unchecked: elements.map(value), of: element)
    }

    private mutating func readDictionary(
        key: DBusType, value: DBusType, _ iterator: inout DBusMessageIter
    ) throws(DBusError) -> DictionaryValue {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        var entries: [DictionaryValue.Entry] = []
        while dbus_message_iter_get_arg_type(&inner) != TypeCode.invalid {
            var pair = DBusMessageIter()
            dbus_message_iter_recurse(&inner, &pair)
            let entryKey = try read(key, &pair)
            dbus_message_iter_next(&pair)
            entries.append(DictionaryValue.Entry(entryKey, try read(value, &pair)))
            dbus_message_iter_next(&inner)
        }
        return DictionaryValue(unchecked: entries, key: key, value: value)
    }
}

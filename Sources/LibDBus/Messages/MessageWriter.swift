import CDBus
import DBusTypes
import Glibc

/// Appends values to a message, and refuses whatever would make libdbus abort or the bus hang up.
///
/// The size of the body is counted along, so that a message over the limit is known before it has grown there.
struct MessageWriter {
    /// What dbus-daemon lets through by default; more would end the connection.
    static let maximumDescriptors = 16

    private let messageLimit: Int
    /// Where the body must have ended: the message's limit, or nearer, that of the array being written.
    private var limit: Int
    private var arrayIsLimit = false
    private var position = 0
    private var depth = 0
    private var descriptors = 0

    private init(limit: Int) {
        messageLimit = limit
        self.limit = limit
    }

    /// Appends arguments, and returns how many bytes they take; the message is of no use after a failure.
    @discardableResult
    static func append(_ values: [Value], to message: OpaquePointer, limit: Int) throws(MessageFailure) -> Int {
        guard !values.isEmpty else { return 0 }
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message, &iterator)
        var writer = MessageWriter(limit: limit)
        var signatureLength = 0
        for value in values {
            let type = value.type
            if !type.isBasic { try checkExpressible(type) }
            signatureLength += type.textLength
            guard signatureLength <= Signature.maximumLength else { throw .signatureTooLong }
            try writer.append(value, &iterator)
        }
        return writer.position
    }

    private static func checkExpressible(_ type: DBusType) throws(MessageFailure) {
        switch type {
        case .variant: return
        case .array(let element) where element.isBasic || element == .variant: return
        case .dictionary(let key, let value) where key.isBasic && (value.isBasic || value == .variant): return
        default: guard Signature(type.text) != nil else { throw .signatureTooLong }
        }
    }

    private mutating func advance(alignment: Int, by count: Int) throws(MessageFailure) {
        position = ((position + alignment - 1) & ~(alignment - 1)) + count
        guard position <= limit else { throw arrayIsLimit ? .arrayTooLong : .tooLarge(limit: messageLimit) }
    }

    private mutating func append(_ value: Value, _ iterator: inout DBusMessageIter) throws(MessageFailure) {
        switch value {
        case .byte(let value): try append(number: value, TypeCode.byte, &iterator)
        case .boolean(let value): try append(number: UInt32(value ? 1 : 0), TypeCode.boolean, &iterator)
        case .int16(let value): try append(number: value, TypeCode.int16, &iterator)
        case .uint16(let value): try append(number: value, TypeCode.uint16, &iterator)
        case .int32(let value): try append(number: value, TypeCode.int32, &iterator)
        case .uint32(let value): try append(number: value, TypeCode.uint32, &iterator)
        case .int64(let value): try append(number: value, TypeCode.int64, &iterator)
        case .uint64(let value): try append(number: value, TypeCode.uint64, &iterator)
        case .double(let value): try append(number: value, TypeCode.double, &iterator)
        case .string(let text):
            try advance(alignment: 4, by: 5 + text.utf8.count)
            try append(text: text, TypeCode.string, &iterator)
        case .objectPath(let path):
            try advance(alignment: 4, by: 5 + path.text.utf8.count)
            try append(text: path.text, TypeCode.objectPath, &iterator)
        case .signature(let signature):
            try advance(alignment: 1, by: 2 + signature.text.utf8.count)
            try append(text: signature.text, TypeCode.signature, &iterator)
        case .unixFD(let descriptor): try append(descriptor, &iterator)
        case .array(let array): try append(array, &iterator)
        case .structure(let fields):
            try advance(alignment: 8, by: 0)
            try container(TypeCode.structure, nil, levels: 1, &iterator) { (writer, fieldIterator) throws(MessageFailure) in
                for field in fields { try writer.append(field, &fieldIterator) }
            }
        case .dictionary(let dictionary): try append(dictionary, &iterator)
        case .variant(let value):
            let type = value.type
            if !type.isBasic { try Self.checkExpressible(type) }
            let text = type.text
            try advance(alignment: 1, by: 2 + text.utf8.count)
            try container(TypeCode.variant, text, levels: 1, &iterator) { (writer, inner) throws(MessageFailure) in
                try writer.append(value, &inner)
            }
        }
    }

    private mutating func append<T: BitwiseCopyable>(
        number: T, _ code: Int32, _ iterator: inout DBusMessageIter
    ) throws(MessageFailure) {
        try advance(alignment: MemoryLayout<T>.size, by: MemoryLayout<T>.size)
        var number = number
        guard dbus_message_iter_append_basic(&iterator, code, &number) != 0 else { throw .noMemory }
    }

    /// A Swift string is valid UTF-8, but U+0000 in it would cut it short in silence.
    private func append(text: String, _ code: Int32, _ iterator: inout DBusMessageIter) throws(MessageFailure) {
        var length = 0
        let appended = text.withCString { (pointer: UnsafePointer<CChar>) in
            length = strlen(pointer)
            guard length == text.utf8.count else { return true }
            var pointer: UnsafePointer<CChar>? = pointer
            return dbus_message_iter_append_basic(&iterator, code, &pointer) != 0
        }
        guard length == text.utf8.count else { throw .embeddedNull }
        guard appended else { throw .noMemory }
    }

    private mutating func append(_ descriptor: UnixFD, _ iterator: inout DBusMessageIter) throws(MessageFailure) {
        guard descriptors < Self.maximumDescriptors else { throw .tooManyDescriptors }
        descriptors += 1
        try advance(alignment: 4, by: 4)
        var number = descriptor.number
        // libdbus duplicates the descriptor; the caller keeps its own.
        guard number >= 0, dbus_message_iter_append_basic(&iterator, TypeCode.unixFD, &number) != 0 else {
            throw .descriptorNotDuplicated
        }
    }

    private mutating func container(
        _ code: Int32, _ contents: String?, levels: Int, _ iterator: inout DBusMessageIter,
        _ body: (inout MessageWriter, inout DBusMessageIter) throws(MessageFailure) -> Void
    ) throws(MessageFailure) {
        guard depth + levels <= WireLimits.nesting else { throw .nestedTooDeeply }
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&iterator, code, contents, &inner) != 0 else { throw .noMemory }
        depth += levels
        do {
            try body(&self, &inner)
        } catch {
            dbus_message_iter_abandon_container(&iterator, &inner)
            throw error
        }
        depth -= levels
        guard dbus_message_iter_close_container(&iterator, &inner) != 0 else { throw .noMemory }
    }

    /// Opens an array, whose elements may take 64 MiB at most: libdbus aborts on a longer one.
    private mutating func array(
        of contents: String, alignment: Int, levels: Int, _ iterator: inout DBusMessageIter,
        _ body: (inout MessageWriter, inout DBusMessageIter) throws(MessageFailure) -> Void
    ) throws(MessageFailure) {
        try advance(alignment: 4, by: 4)
        try advance(alignment: alignment, by: 0)
        let outer = (limit, arrayIsLimit)
        if position + WireLimits.arrayBytes < limit {
            limit = position + WireLimits.arrayBytes
            arrayIsLimit = true
        }
        try container(TypeCode.array, contents, levels: levels, &iterator, body)
        (limit, arrayIsLimit) = outer
    }

    private mutating func append(_ dictionary: DictionaryValue, _ iterator: inout DBusMessageIter) throws(MessageFailure) {
        let contents = "{" + dictionary.keyType.text + dictionary.valueType.text + "}"
        try array(of: contents, alignment: 8, levels: 2, &iterator) { (writer, entryIterator) throws(MessageFailure) in
            for entry in dictionary.entries {
                precondition(
                    entry.key.hasType(dictionary.keyType) && entry.value.hasType(dictionary.valueType),
                    "the entries of a dictionary have the dictionary's types")
                try writer.advance(alignment: 8, by: 0)
                try writer.container(TypeCode.dictionaryEntry, nil, levels: 0, &entryIterator) {
                    (writer, pair) throws(MessageFailure) in
                    try writer.append(entry.key, &pair)
                    try writer.append(entry.value, &pair)
                }
            }
        }
    }

    private mutating func append(_ array: ArrayValue, _ iterator: inout DBusMessageIter) throws(MessageFailure) {
        let element = array.element
        try self.array(of: element.text, alignment: element.alignment, levels: 1, &iterator) {
            (writer, elements) throws(MessageFailure) in
            if let bytes = array.bytes {
                try writer.append(packed: bytes, TypeCode.byte, &elements)
                return
            }
            switch element {
            case .int16: try writer.append(packed: Self.packed(array, Int16.self), TypeCode.int16, &elements)
            case .uint16: try writer.append(packed: Self.packed(array, UInt16.self), TypeCode.uint16, &elements)
            case .int32: try writer.append(packed: Self.packed(array, Int32.self), TypeCode.int32, &elements)
            case .uint32: try writer.append(packed: Self.packed(array, UInt32.self), TypeCode.uint32, &elements)
            case .int64: try writer.append(packed: Self.packed(array, Int64.self), TypeCode.int64, &elements)
            case .uint64: try writer.append(packed: Self.packed(array, UInt64.self), TypeCode.uint64, &elements)
            case .double: try writer.append(packed: Self.packed(array, Double.self), TypeCode.double, &elements)
            case .byte, .boolean, .string, .objectPath, .signature, .unixFD, .variant, .array, .structure, .dictionary:
                for value in array.values {
                    precondition(value.hasType(element), "the elements of an array have the array's element type")
                    try writer.append(value, &elements)
                }
            }
        }
    }

    private static func packed<T: ValueConvertible>(_ array: ArrayValue, _ type: T.Type) -> [T] {
        array.values.map { value in
            guard let element = T(dbusValue: value) else {
                preconditionFailure("the elements of an array have the array's element type")
            }
            return element
        }
    }

    private mutating func append<T: BitwiseCopyable>(
        packed values: [T], _ code: Int32, _ iterator: inout DBusMessageIter
    ) throws(MessageFailure) {
        guard !values.isEmpty else { return }
        try advance(alignment: MemoryLayout<T>.size, by: values.count * MemoryLayout<T>.size)
        let appended = values.withUnsafeBytes { buffer in
            var base = buffer.baseAddress
            return dbus_message_iter_append_fixed_array(&iterator, code, &base, Int32(values.count))
        }
        guard appended != 0 else { throw .noMemory }
    }
}

/// Reads values from bytes that may be anything.
struct WireReader {
    private let buffer: UnsafeRawBufferPointer
    private(set) var position = 0
    /// Where the value, or the array around it, must have ended.
    private var end: Int

    init(_ buffer: UnsafeRawBufferPointer) {
        self.buffer = buffer
        end = buffer.count
    }

    mutating func readAll(_ type: DBusType) throws(MarshallingError) -> Value {
        let value = try read(type, depth: 0)
        guard position == buffer.count else { throw failure(.trailingBytes) }
        return value
    }

    private func failure(_ reason: MarshallingError.Reason) -> MarshallingError {
        MarshallingError(reason: reason, offset: position)
    }

    /// - Parameter depth: the number of containers around the value.
    private mutating func read(_ type: DBusType, depth: Int) throws(MarshallingError) -> Value {
        switch type {
        case .byte: return .byte(try readInteger())
        case .boolean:
            let number: UInt32 = try readInteger()
            guard number <= 1 else { throw failure(.booleanNotZeroOrOne) }
            return .boolean(number == 1)
        case .int16: return .int16(try readInteger())
        case .uint16: return .uint16(try readInteger())
        case .int32: return .int32(try readInteger())
        case .uint32: return .uint32(try readInteger())
        case .int64: return .int64(try readInteger())
        case .uint64: return .uint64(try readInteger())
        case .double: return .double(Double(bitPattern: try readInteger()))
        case .string: return .string(try readText(length: Int(try readInteger() as UInt32)))
        case .objectPath:
            guard let path = ObjectPath(try readText(length: Int(try readInteger() as UInt32))) else {
                throw failure(.invalidObjectPath)
            }
            return .objectPath(path)
        case .signature: return .signature(try readSignature())
        case .unixFD: throw failure(.fileDescriptor)
        case .variant:
            let depth = try deeper(depth, by: 1)
            guard let type = try readSignature().singleType else { throw failure(.invalidSignature) }
            return .variant(try read(type, depth: depth))
        case .structure(let types):
            let depth = try deeper(depth, by: 1)
            try skipPadding(to: 8)
            var fields: [Value] = []
            fields.reserveCapacity(types.count)
            for type in types { fields.append(try read(type, depth: depth)) }
            return .structure(fields)
        case .array(.byte):
            _ = try deeper(depth, by: 1)
            let length = try beginArray(alignment: 1)
            defer { position += length }
            return .bytes(Array(buffer[position..<position + length]))
        case .array(let element):
            let depth = try deeper(depth, by: 1)
            var values: [Value] = []
            try readArray(alignment: element.alignment) { (reader) throws(MarshallingError) in
                values.append(try reader.read(element, depth: depth))
            }
            return .array(ArrayValue(unchecked: values, of: element))
        case .dictionary(let key, let value):
            let depth = try deeper(depth, by: 2)
            var entries: [DictionaryValue.Entry] = []
            try readArray(alignment: 8) { (reader) throws(MarshallingError) in
                try reader.skipPadding(to: 8)
                let key = try reader.read(key, depth: depth)
                entries.append(DictionaryValue.Entry(key, try reader.read(value, depth: depth)))
            }
            return .dictionary(DictionaryValue(unchecked: entries, key: key, value: value))
        }
    }

    private func deeper(_ depth: Int, by levels: Int) throws(MarshallingError) -> Int {
        guard depth + levels <= WireLimits.nesting else { throw failure(.nestedTooDeeply) }
        return depth + levels
    }

    /// Reads an array's length and the padding after it; the elements are known to lie within the bytes.
    private mutating func beginArray(alignment: Int) throws(MarshallingError) -> Int {
        let length = Int(try readInteger() as UInt32)
        guard length <= WireLimits.arrayBytes else { throw failure(.arrayTooLong) }
        try skipPadding(to: alignment)
        guard length <= end - position else { throw failure(.truncated) }
        return length
    }

    /// Every element takes at least one byte, so the number of elements is bounded by the bytes that are there.
    private mutating func readArray(
        alignment: Int, element: (inout WireReader) throws(MarshallingError) -> Void
    ) throws(MarshallingError) {
        let length = try beginArray(alignment: alignment)
        let outerEnd = end
        end = position + length
        while position < end { try element(&self) }
        // No element can have gone beyond the end: reading there is `truncated`.
        end = outerEnd
    }

    private mutating func readInteger<T: FixedWidthInteger & BitwiseCopyable>() throws(MarshallingError) -> T {
        try skipPadding(to: MemoryLayout<T>.size)
        guard MemoryLayout<T>.size <= end - position else { throw failure(.truncated) }
        defer { position += MemoryLayout<T>.size }
        return T(littleEndian: buffer.loadUnaligned(fromByteOffset: position, as: T.self))
    }

    private mutating func readSignature() throws(MarshallingError) -> Signature {
        guard let signature = Signature(try readText(length: Int(try readInteger() as UInt8))) else {
            throw failure(.invalidSignature)
        }
        return signature
    }

    private mutating func readText(length: Int) throws(MarshallingError) -> String {
        guard length < end - position else { throw failure(.truncated) }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[position..<position + length])
        guard buffer[position + length] == 0 else { throw failure(.missingNull) }
        guard !bytes.contains(0) else { throw failure(.embeddedNull) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw failure(.notUTF8) }
        position += length + 1
        return text
    }

    private mutating func skipPadding(to alignment: Int) throws(MarshallingError) {
        let next = position.aligned(to: alignment)
        guard next <= end else { throw failure(.truncated) }
        while position < next {
            guard buffer[position] == 0 else { throw failure(.paddingNotZero) }
            position += 1
        }
    }
}

extension Value {
    /// Reads what `marshalled()` wrote, and nothing else: every rule of the wire format is checked, no input traps.
    public init(marshalled bytes: [UInt8], type: DBusType) throws(MarshallingError) {
        // Typed errors don't come through the standard library's closure.
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(MarshallingError) in try Value(marshalled: buffer, type: type) }
        }
        self = try result.get()
    }

    /// Reads bytes that need to stay only meanwhile.
    public init(marshalled bytes: UnsafeRawBufferPointer, type: DBusType) throws(MarshallingError) {
        var reader = WireReader(bytes)
        self = try reader.readAll(type)
    }
}

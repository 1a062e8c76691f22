extension Value {
    /// The value in the D-Bus wire format: little-endian, alignment counted from the first byte.
    ///
    /// The type isn't part of it; keep `type.text` beside the bytes. A file descriptor becomes the number that counts the
    /// descriptors before it, as in a message, and can't be read back. Limits of size and depth are the reader's business; a
    /// variant whose type no `Signature` can express is a bug and traps.
    public func marshalled() -> [UInt8] {
        let size = marshalledSize
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var writer = WireWriter(UnsafeMutableRawBufferPointer(buffer))
            writer.write(self)
            precondition(writer.position == size, "a value marshals to the size that was computed for it")
            count = size
        }
    }

    /// The number of bytes that `marshalled()` gives.
    public var marshalledSize: Int { marshalledEnd(from: 0) }

    /// How deep containers nest: 0 for a scalar, 1 for an array of scalars, 2 for a variant in a structure.
    ///
    /// Array, structure, dictionary and variant each count one. An empty array is as deep as one without its elements.
    public var depth: Int {
        switch self {
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
            .unixFD:
            return 0
        case .array(let array):
            // Packed bytes, and anything else that can't be a container, need no look at the elements.
            if array.element.isBasic { return 1 }
            var deepest = 0
            for value in array.values { deepest = max(deepest, value.depth) }
            return 1 + deepest
        case .structure(let fields):
            var deepest = 0
            for field in fields { deepest = max(deepest, field.depth) }
            return 1 + deepest
        case .dictionary(let dictionary):
            if dictionary.valueType.isBasic { return 1 }
            var deepest = 0
            for entry in dictionary.entries { deepest = max(deepest, entry.value.depth) }
            return 1 + deepest
        case .variant(let value):
            return 1 + value.depth
        }
    }

    /// The position after this value when it begins at or after `start`.
    func marshalledEnd(from start: Int) -> Int {
        switch self {
        case .byte: return start + 1
        case .int16, .uint16: return start.aligned(to: 2) + 2
        case .boolean, .int32, .uint32, .unixFD: return start.aligned(to: 4) + 4
        case .int64, .uint64, .double: return start.aligned(to: 8) + 8
        case .string(let text): return start.aligned(to: 4) + 4 + text.utf8.count + 1
        case .objectPath(let path): return start.aligned(to: 4) + 4 + path.text.utf8.count + 1
        case .signature(let signature): return start + 1 + signature.text.utf8.count + 1
        case .structure(let fields):
            var end = start.aligned(to: 8)
            for field in fields { end = field.marshalledEnd(from: end) }
            return end
        case .variant(let value):
            return value.marshalledEnd(from: start + 1 + value.type.textLength + 1)
        case .array(let array):
            let begin = (start.aligned(to: 4) + 4).aligned(to: array.element.alignment)
            if array.bytes != nil { return begin + array.count }
            if let width = array.element.fixedWidth { return begin + width * array.count }
            var end = begin
            for value in array.values { end = value.marshalledEnd(from: end) }
            return end
        case .dictionary(let dictionary):
            var end = (start.aligned(to: 4) + 4).aligned(to: 8)
            for entry in dictionary.entries {
                end = entry.value.marshalledEnd(from: entry.key.marshalledEnd(from: end.aligned(to: 8)))
            }
            return end
        }
    }
}

extension Int {
    /// The next multiple of a power of two.
    func aligned(to alignment: Int) -> Int { (self + alignment - 1) & ~(alignment - 1) }
}

extension DBusType {
    /// The size in bytes of every value of this type; nil where it varies.
    ///
    /// An array of such values has no gaps.
    var fixedWidth: Int? {
        switch self {
        case .byte: 1
        case .int16, .uint16: 2
        case .boolean, .int32, .uint32, .unixFD: 4
        case .int64, .uint64, .double: 8
        case .string, .objectPath, .signature, .variant, .array, .structure, .dictionary: nil
        }
    }

    /// The length of `text` in bytes, without making it.
    package var textLength: Int {
        switch self {
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
            .unixFD, .variant:
            return 1
        case .array(let element): return 1 + element.textLength
        case .dictionary(let key, let value): return 3 + key.textLength + value.textLength
        case .structure(let fields):
            var length = 2
            for field in fields { length += field.textLength }
            return length
        }
    }
}

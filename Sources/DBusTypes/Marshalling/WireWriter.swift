/// Writes values into memory that is exactly as large as they need.
struct WireWriter {
    private let buffer: UnsafeMutableRawBufferPointer
    private(set) var position = 0
    private var descriptors: UInt32 = 0

    init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    mutating func write(_ value: Value) {
        switch value {
        case .byte(let value): write(integer: value)
        case .boolean(let value): write(integer: UInt32(value ? 1 : 0))
        case .int16(let value): write(integer: value)
        case .uint16(let value): write(integer: value)
        case .int32(let value): write(integer: value)
        case .uint32(let value): write(integer: value)
        case .int64(let value): write(integer: value)
        case .uint64(let value): write(integer: value)
        case .double(let value): write(integer: value.bitPattern)
        case .string(let text): write(text: text)
        case .objectPath(let path): write(text: path.text)
        case .signature(let signature): write(signature: signature.text)
        case .unixFD:
            write(integer: descriptors)
            descriptors += 1
        case .structure(let fields):
            pad(to: 8)
            for field in fields { write(field) }
        case .variant(let value):
            write(signature: value.type.text)
            write(value)
        case .array(let array): write(array)
        case .dictionary(let dictionary):
            writeArray(alignment: 8) { writer in
                for entry in dictionary.entries {
                    writer.pad(to: 8)
                    writer.write(entry.key)
                    writer.write(entry.value)
                }
            }
        }
    }

    private mutating func write(_ array: ArrayValue) {
        writeArray(alignment: array.element.alignment) { writer in
            if let bytes = array.bytes {
                writer.write(bytes: bytes)
            } else {
                for value in array.values { writer.write(value) }
            }
        }
    }

    /// The length doesn't count the padding before the first element, which is there in an empty array too.
    private mutating func writeArray(alignment: Int, _ elements: (inout WireWriter) -> Void) {
        pad(to: 4)
        let lengthPosition = position
        position += 4
        pad(to: alignment)
        let begin = position
        elements(&self)
        buffer.storeBytes(of: UInt32(position - begin).littleEndian, toByteOffset: lengthPosition, as: UInt32.self)
    }

    private mutating func write(integer: some FixedWidthInteger & BitwiseCopyable) {
        let size = integer.bitWidth / 8
        pad(to: size)
        buffer.storeBytes(of: integer.littleEndian, toByteOffset: position, as: type(of: integer.littleEndian))
        position += size
    }

    private mutating func write(text: String) {
        write(integer: UInt32(text.utf8.count))
        writeWithNull(text)
    }

    private mutating func write(signature: String) {
        write(integer: UInt8(signature.utf8.count))
        writeWithNull(signature)
    }

    private mutating func writeWithNull(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            UnsafeMutableRawBufferPointer(rebasing: buffer[position..<position + bytes.count])
                .copyMemory(from: UnsafeRawBufferPointer(bytes))
            position += bytes.count
        }
        write(integer: UInt8(0))
    }

    private mutating func write(bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: buffer[position..<position + bytes.count]).copyMemory(from: bytes)
        }
        position += bytes.count
    }

    private mutating func pad(to alignment: Int) {
        let end = position.aligned(to: alignment)
        while position < end {
            buffer[position] = 0
            position += 1
        }
    }
}

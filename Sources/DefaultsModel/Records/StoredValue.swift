import DBusTypes

/// A value as it is kept in memory: a container marshalled, as the store's row has it, and anything else as it is.
///
/// The elements of a container are values of their own, which take many times what they take marshalled: a user's quota of such would be more than a
/// machine should have to hold. So a container is taken apart each time it is read, which costs about as much as to put it into a message.
/// Two are equal as their values are (P4).
public struct StoredValue: Sendable {
    private enum Form: Sendable {
        case plain(Value)
        /// A type's notation with the bytes of a value that was read from them, or written to them, before.
        case marshalled(type: String, [UInt8])
    }

    private let form: Form

    /// Keeps a value.
    public init(_ value: Value) {
        form = value.isCompact ? .plain(value) : .marshalled(type: value.type.text, value.marshalled())
    }

    /// Refers to a value that is kept elsewhere as it is.
    public init(unpacked value: Value) { form = .plain(value) }

    /// Keeps what a store has read, where it can be read back; `text` is the notation of `type`, and `bytes` are copied where they are kept.
    public init(_ type: DBusType, _ text: String, marshalled bytes: UnsafeRawBufferPointer) throws(MarshallingError) {
        let value = try Value(marshalled: bytes, type: type)
        form = value.isCompact ? .plain(value) : .marshalled(type: text, Array(bytes))
    }

    /// The value; a container is made anew each time.
    public var value: Value {
        switch form {
        case .plain(let value): return value
        case .marshalled(let text, let bytes):
            guard let type = DBusType(text), let value = try? Value(marshalled: bytes, type: type) else {
                preconditionFailure("what is kept marshalled was a value of type \(text)")
            }
            return value
        }
    }

    /// The notation of its type.
    public var typeText: String {
        switch form {
        case .plain(let value): value.type.text
        case .marshalled(let text, _): text
        }
    }

    /// The value in the D-Bus wire format.
    public func marshalled() -> [UInt8] {
        switch form {
        case .plain(let value): value.marshalled()
        case .marshalled(_, let bytes): bytes
        }
    }

    /// The number of bytes that `marshalled()` gives.
    public var marshalledSize: Int {
        switch form {
        case .plain(let value): value.marshalledSize
        case .marshalled(_, let bytes): bytes.count
        }
    }
}

extension StoredValue: Hashable {
    /// Type and bits; the entries of dictionaries compare as a set (P4).
    public static func == (left: StoredValue, right: StoredValue) -> Bool {
        switch (left.form, right.form) {
        case (.plain(let left), .plain(let right)): return left == right
        case (.marshalled(let leftType, let leftBytes), .marshalled(let rightType, let rightBytes)):
            guard leftType.utf8.elementsEqual(rightType.utf8) else { return false }
            if leftBytes == rightBytes { return true }
            // Only a dictionary can be written in several ways, and a variant may have one in it.
            guard leftType.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "v") }) else { return false }
        case (.plain, .marshalled), (.marshalled, .plain): break
        }
        return left.value == right.value
    }

    /// Agrees with `==`.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Value {
    /// Whether it takes about as much in memory as marshalled: what is no container, and bytes.
    fileprivate var isCompact: Bool {
        switch self {
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
            .unixFD:
            true
        case .array(let array): array.bytes != nil
        case .structure, .dictionary, .variant: false
        }
    }
}

import DBusTypes

/// How much a client can make the store hold (P12).
///
/// Sizes count the key's UTF-8 and the marshalled value, in bytes.
public enum PreferenceLimits {
    /// Containers nested in one value: deeper than any real setting, well within what the wire allows.
    public static let valueDepth = 16
    /// The size of one value.
    public static let valueBytes = 1 << 20
    /// The size of one domain: a `GetAll` of it must fit the system bus's 32 MiB messages.
    public static let domainBytes = 16 << 20
    /// The number of keys of one domain, over all stored layers.
    public static let domainKeys = 10_000
    /// The size of all domains of one user.
    public static let userBytes = 64 << 20
    /// The number of keys of all domains of one user: each takes some 160 bytes in memory and 40 on disk that no size counts, so that the size alone
    /// would let 13 million tiny ones take gigabytes.
    public static let userKeys = 2_000_000

    /// What a preference counts.
    public static func size(_ key: PreferenceKey, _ value: StoredValue) -> Int {
        key.text.utf8.count + value.marshalledSize
    }

    /// Checks what may be stored at all, whatever else is: no descriptor, no NUL, no key twice, depth and size.
    public static func check(_ value: Value, for key: PreferenceKey) throws(ModelError) {
        if let problem = ValueProblem(of: value) {
            throw ModelError(problem.code, "The value for key \"\(key)\" \(problem.reason).")
        }
    }
}

/// Why no store can keep a value.
struct ValueProblem: Error {
    /// `InvalidValue`, or `LimitExceeded` for depth and size.
    let code: ModelError.Code
    /// What follows the value's name in a sentence.
    let reason: String

    /// What is wrong with a value; nil for one that may be stored.
    init?(of value: Value) {
        let depth = value.depth
        if depth > PreferenceLimits.valueDepth {
            self.init(.limitExceeded, "nests \(depth) containers; at most \(PreferenceLimits.valueDepth) are allowed")
            return
        }
        do throws(ValueProblem) {
            try Self.check(value)
        } catch {
            self = error
            return
        }
        let size = value.marshalledSize
        guard size > PreferenceLimits.valueBytes else { return nil }
        self.init(.limitExceeded, "is \(size) bytes long; at most \(PreferenceLimits.valueBytes) bytes are allowed")
    }

    private init(_ code: ModelError.Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    private static func check(_ value: Value) throws(ValueProblem) {
        switch value {
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .objectPath, .signature: break
        case .string(let text):
            guard !text.utf8.contains(0) else {
                throw ValueProblem(.invalidValue, "has a NUL character in a string; D-Bus strings can't")
            }
        case .unixFD: throw holdsDescriptors
        case .array(let array):
            // Also where it is empty: what can't be filled is no value.
            guard !array.element.holdsDescriptors else { throw holdsDescriptors }
            guard array.bytes == nil else { break }
            for element in array.values { try check(element) }
        case .structure(let fields):
            for field in fields { try check(field) }
        case .dictionary(let dictionary):
            guard !dictionary.keyType.holdsDescriptors, !dictionary.valueType.holdsDescriptors else { throw holdsDescriptors }
            for entry in dictionary.entries {
                try check(entry.key)
                try check(entry.value)
            }
            if let duplicate = dictionary.duplicateKey {
                throw ValueProblem(
                    .invalidValue, "is a dictionary in which the key \(duplicate.shortDescription) stands twice")
            }
        case .variant(let inner):
            try check(inner)
        }
    }

    private static let holdsDescriptors = ValueProblem(
        .invalidValue, "is of a type with file descriptors in it (h), which can't be stored")
}

extension DBusType {
    /// Whether values of the type have file descriptors in them, apart from what a variant may hold.
    fileprivate var holdsDescriptors: Bool {
        switch self {
        case .unixFD: true
        case .array(let element): element.holdsDescriptors
        case .structure(let fields): fields.contains(where: \.holdsDescriptors)
        case .dictionary(let key, let value): key.holdsDescriptors || value.holdsDescriptors
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
            .variant:
            false
        }
    }
}

extension Value {
    /// A basic value for an error message, shortened; a container by its type.
    var shortDescription: String {
        switch self {
        case .string(let text): "\"\(text.prefix(64))\""
        case .objectPath(let path): "\"\(path.text.prefix(64))\""
        case .signature(let signature): "\"\(signature.text.prefix(64))\""
        case .boolean(let value): value ? "true" : "false"
        case .double(let value): "\(value)"
        case .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64:
            integer(as: Int64.self).map { "\($0)" } ?? integer(as: UInt64.self).map { "\($0)" } ?? type.text
        case .unixFD, .array, .structure, .dictionary, .variant: "of type \(type.text)"
        }
    }
}

import DBusTypes

/// Reads a value of any type from words as busctl takes them.
///
/// A basic value is one word; an array is its count, then its elements; a dictionary is its count, then keys and values in turn;
/// a structure is its fields; a variant is a signature, then a value of it.
struct SignatureWords {
    /// How deep a value may nest on the wire; the daemon's own limit is lower, and its to tell.
    private static let maximumDepth = 64

    private let words: [String]
    private var position = 0

    private init(_ words: [String]) { self.words = words }

    /// Reads one value of the single complete type `signature` from all of `words`.
    static func value(signature: String, words: [String]) throws(Failure) -> Value {
        let type = try storableType(signature, place: "--type")
        var reader = SignatureWords(words)
        let value = try reader.read(type, depth: 0)
        guard reader.position == words.count else {
            throw .usage("a value of type \(signature) ends before \"\(words[reader.position])\"", ["write"])
        }
        return value
    }

    private static func storableType(_ signature: String, place: String) throws(Failure) -> DBusType {
        guard let type = DBusType(signature) else {
            throw .usage("\(place) takes one complete D-Bus type such as u, as or a{sv}, not \"\(signature)\"", ["write"])
        }
        guard !type.containsFileDescriptor else {
            throw .usage("a file descriptor (h) can't be stored, so \(place) can't be \"\(signature)\"", ["write"])
        }
        return type
    }

    private mutating func next(_ type: DBusType) throws(Failure) -> String {
        guard position < words.count else {
            throw .usage("the words end where a value of type \(type.text) should follow", ["write"])
        }
        position += 1
        return words[position - 1]
    }

    private mutating func read(_ type: DBusType, depth: Int) throws(Failure) -> Value {
        guard depth <= Self.maximumDepth else {
            throw .usage("the value nests deeper than D-Bus allows, \(Self.maximumDepth) levels", ["write"])
        }
        switch type {
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
            .unixFD:
            return try BasicText.value(try next(type), type: type, place: "type \(type.text)")
        case .variant:
            let signature = try next(type)
            let inner = try Self.storableType(signature, place: "a variant's signature")
            return .variant(try read(inner, depth: depth + 1))
        case .array(let element):
            var values: [Value] = []
            for _ in 0..<(try count(of: type)) { values.append(try read(element, depth: depth + 1)) }
            return .array(ArrayValue(unchecked: values, of: element))
        case .structure(let fields):
            var values: [Value] = []
            for field in fields { values.append(try read(field, depth: depth + 1)) }
            return .structure(values)
        case .dictionary(let key, let value):
            var entries: [DictionaryValue.Entry] = []
            for _ in 0..<(try count(of: type)) {
                entries.append(.init(try read(key, depth: depth + 1), try read(value, depth: depth + 1)))
            }
            return .dictionary(DictionaryValue(unchecked: entries, key: key, value: value))
        }
    }

    /// The number of elements; more than there are words left can't be meant.
    private mutating func count(of type: DBusType) throws(Failure) -> Int {
        let word = try next(type)
        guard let count = try? NumberText.integer(word, as: UInt32.self) else {
            throw .usage("\(type.text) begins with the number of its elements, not \"\(word)\"", ["write"])
        }
        guard Int(count) <= words.count - position else {
            throw .usage("\(type.text) has \(count) elements, but only \(words.count - position) more words follow", ["write"])
        }
        return Int(count)
    }
}

extension DBusType {
    /// Whether a file descriptor is anywhere in values of this type, variants aside.
    var containsFileDescriptor: Bool {
        switch self {
        case .unixFD: true
        case .array(let element): element.containsFileDescriptor
        case .structure(let fields): fields.contains(where: \.containsFileDescriptor)
        case .dictionary(let key, let value): key.containsFileDescriptor || value.containsFileDescriptor
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
            .variant:
            false
        }
    }
}

import DBusTypes
import DefaultsModel
import LibDBus

/// Takes a call's arguments, whose types are checked already, and says what is wrong with their contents.
struct Arguments {
    private let values: [Value]

    init(_ call: IncomingCall) { values = call.arguments }

    /// A domain: an application id or `global`.
    func domain(_ index: Int) throws(ModelError) -> DomainName {
        let text = try string(index)
        guard let domain = DomainName(text) else {
            throw ModelError(
                .invalidName,
                "\"\(text.forMessage)\" is no domain; it must be \"global\" or an application id such as \"org.example.App\" (at least two elements of A-Z a-z 0-9 _ - joined by dots, at most 255 bytes)."
            )
        }
        return domain
    }

    /// An application: a domain other than `global`.
    func app(_ index: Int) throws(ModelError) -> DomainName {
        let text = try string(index)
        guard let domain = DomainName(text), !domain.isGlobal else {
            throw ModelError(
                .invalidName,
                "\"\(text.forMessage)\" is no application id; it must have at least two elements of A-Z a-z 0-9 _ - joined by dots, such as \"org.example.App\", and at most 255 bytes."
            )
        }
        return domain
    }

    /// The key of a preference.
    func key(_ index: Int) throws(ModelError) -> PreferenceKey { try Self.key(try string(index)) }

    static func key(_ text: String) throws(ModelError) -> PreferenceKey {
        guard let key = PreferenceKey(text) else {
            throw ModelError(
                .invalidName,
                "\"\(text.forMessage)\" is no key; a key has 1 to 255 bytes of UTF-8 without control characters.")
        }
        return key
    }

    /// Keys of preferences.
    func keys(_ index: Int) throws(ModelError) -> [PreferenceKey] {
        var keys: [PreferenceKey] = []
        for text in try get(index, as: [String].self) { keys.append(try Self.key(text)) }
        return keys
    }

    /// Preferences with their values, an `a{sv}`.
    func preferences(_ index: Int) throws(ModelError) -> [(key: PreferenceKey, value: Value)] {
        var values: [(key: PreferenceKey, value: Value)] = []
        for entry in try dictionary(index).entries {
            guard case .string(let text) = entry.key, case .variant(let value) = entry.value else { continue }
            values.append((try Self.key(text), value))
        }
        return values
    }

    /// The id of a flag, guide, tour, tip or event.
    func identifier(_ index: Int, called what: String) throws(ModelError) -> Identifier {
        let text = try string(index)
        guard let id = Identifier(text) else {
            throw ModelError(
                .invalidName,
                "\"\(text.forMessage)\" is no \(what); it must have 1 to 64 bytes of UTF-8 without control characters.")
        }
        return id
    }

    func string(_ index: Int) throws(ModelError) -> String { try get(index) }

    func get<T: ValueConvertible>(_ index: Int, as type: T.Type = T.self) throws(ModelError) -> T {
        // The server has compared the types with the description: anything else is a description that lies.
        guard index < values.count, let value = values[index].get(as: T.self) else {
            throw ModelError(.invalidArgument, "Argument \(index) is not of type \(T.dbusType.text).")
        }
        return value
    }

    func dictionary(_ index: Int) throws(ModelError) -> DictionaryValue {
        guard index < values.count, let dictionary = values[index].dictionary else {
            throw ModelError(.invalidArgument, "Argument \(index) is not a dictionary.")
        }
        return dictionary
    }
}

extension String {
    /// The text in an error message: shortened, and on one line whatever it holds.
    var forMessage: String {
        var text = ""
        for scalar in unicodeScalars.prefix(80) {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            text += isControl ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return unicodeScalars.count > 80 ? text + "…" : text
    }
}

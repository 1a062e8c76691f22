import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// Takes a call's arguments, and says what is wrong with them in the daemon's words.
struct MemoryArguments {
    private let values: [Value]

    init(_ call: MemoryCall) { values = call.arguments }

    func get<Content: ValueConvertible>(_ index: Int, as type: Content.Type = Content.self) throws(ModelError) -> Content {
        guard index < values.count, let value = values[index].get(as: Content.self) else {
            throw ModelError(.invalidArgument, "Argument \(index) is not of type \(Content.dbusType.text).")
        }
        return value
    }

    func domain(_ index: Int = 0) throws(ModelError) -> DomainName {
        let text: String = try get(index)
        guard let domain = DomainName(text) else { throw ModelError(.invalidName, "\"\(text)\" is no domain.") }
        return domain
    }

    func app() throws(ModelError) -> DomainName {
        let domain = try domain()
        guard !domain.isGlobal else { throw ModelError(.invalidName, "\"global\" is no application id.") }
        return domain
    }

    func key(_ index: Int = 1) throws(ModelError) -> PreferenceKey { try Self.key(try get(index)) }

    private static func key(_ text: String) throws(ModelError) -> PreferenceKey {
        guard let key = PreferenceKey(text) else {
            throw ModelError(.invalidName, "\"\(text)\" is no key; a key has 1 to 255 bytes of UTF-8 without control characters.")
        }
        return key
    }

    func keys(_ index: Int) throws(ModelError) -> [PreferenceKey] {
        var keys: [PreferenceKey] = []
        for text in try get(index, as: [String].self) { keys.append(try Self.key(text)) }
        return keys
    }

    func flag() throws(ModelError) -> Identifier { try identifier(1, called: "flag") }

    func identifier(_ index: Int, called what: String) throws(ModelError) -> Identifier {
        let text: String = try get(index)
        guard let id = Identifier(text) else {
            throw ModelError(
                .invalidName, "\"\(text)\" is no \(what); it must have 1 to 64 bytes of UTF-8 without control characters.")
        }
        return id
    }

    func dictionary(_ index: Int) throws(ModelError) -> DictionaryValue {
        guard index < values.count, let dictionary = values[index].dictionary else {
            throw ModelError(.invalidArgument, "Argument \(index) is not a dictionary.")
        }
        return dictionary
    }

    func preferences(_ index: Int) throws(ModelError) -> [(key: PreferenceKey, value: Value)] {
        var preferences: [(key: PreferenceKey, value: Value)] = []
        for entry in try dictionary(index).entries {
            guard case .string(let text) = entry.key, case .variant(let value) = entry.value else { continue }
            preferences.append((try Self.key(text), value))
        }
        return preferences
    }
}

extension DBusError {
    /// The error on the wire of an error of the model.
    init(_ error: ModelError) {
        let wanted = ".\(error.code.rawValue)"
        self.init(ErrorNames.all.first { $0.text.hasSuffix(wanted) } ?? .failed, error.message)
    }
}

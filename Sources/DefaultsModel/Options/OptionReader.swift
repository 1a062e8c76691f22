import DBusTypes

/// Reads the entries of an `a{sv}` of options, a definition or a spec, and refuses what it doesn't know.
///
/// Integers are accepted in any width that the value fits. Every error is `InvalidArgument` and names the entry by its path, its value
/// and what would be right.
struct OptionReader {
    private let argument: String
    private let path: [EntryStep]
    private var entries: [(name: String, value: Value)] = []

    /// Takes the entries of `dictionary`.
    ///
    /// `argument` is what the interface calls the outermost dictionary and `path` leads from there to this one. `known` are the entries that it
    /// may have, for the errors; nil where it may have any.
    init(
        _ dictionary: DictionaryValue, argument: String, path: [EntryStep] = [], known: [String]?
    ) throws(ModelError) {
        self.argument = argument
        self.path = path
        for entry in dictionary.entries {
            guard case .string(let name) = entry.key, case .variant(let value) = entry.value else {
                let type = Value.dictionary(dictionary).type.text
                throw path.isEmpty
                    ? .invalidArgument("\(argument) is of type \(type); it must be a{sv}")
                    : Self.error(argument, path, "is of type \(type); it must be a{sv}")
            }
            if let known, !known.contains(where: name.hasSameBytes) {
                throw Self.error(
                    argument, path + [.member(name)],
                    "is unknown; \(path.isEmpty ? argument : "it") may have \(known.joined(separator: ", "))")
            }
            guard !entries.contains(where: { $0.name.hasSameBytes(as: name) }) else {
                throw Self.error(argument, path + [.member(name)], "is there twice; each may be there once")
            }
            entries.append((name, value))
        }
    }

    /// The value of an entry; nil where it is absent.
    func value(of name: String) -> Value? { entries.first { $0.name.hasSameBytes(as: name) }?.value }

    /// The entries that `known` doesn't name, in the order sent.
    func others(than known: [String]) -> [(name: String, value: Value)] {
        entries.filter { entry in !known.contains(where: entry.name.hasSameBytes) }
    }

    /// A boolean; false where it is absent.
    func boolean(_ name: String) throws(ModelError) -> Bool {
        guard let value = value(of: name) else { return false }
        guard case .boolean(let boolean) = value else { throw wrongType(name, value, "a boolean (b)") }
        return boolean
    }

    /// A string; empty where it is absent.
    func string(_ name: String) throws(ModelError) -> String {
        guard let value = value(of: name) else { return "" }
        guard case .string(let text) = value else { throw wrongType(name, value, "a string (s)") }
        return text
    }

    /// Several strings; none where they are absent.
    func strings(_ name: String) throws(ModelError) -> [String] {
        guard let value = value(of: name) else { return [] }
        guard let texts = value.get(as: [String].self) else { throw wrongType(name, value, "an array of strings (as)") }
        return texts
    }

    /// One of a few words; the first is the default.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type = Choice.self, default standard: Choice
    ) throws(ModelError) -> Choice where Choice.RawValue == String {
        guard let value = value(of: name) else { return standard }
        let words = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        guard case .string(let text) = value else { throw wrongType(name, value, "a string (s), one of \(words)") }
        guard let choice = Choice(rawValue: text) else {
            throw problem(name, "is \"\(text)\"; it must be one of \(words)")
        }
        return choice
    }

    /// An integer of any width within `range`; `unit` goes into the error.
    func integer(
        _ name: String, in range: ClosedRange<UInt64>, default standard: UInt64, unit: String
    ) throws(ModelError) -> UInt64 {
        guard let value = value(of: name) else { return standard }
        let right = "\(range.lowerBound) to \(range.upperBound)\(unit.isEmpty ? "" : " ")\(unit)"
        guard let number = value.integerText else { throw wrongType(name, value, "an integer (t), \(right)") }
        guard let integer = value.integer(as: UInt64.self), range.contains(integer) else {
            throw problem(name, "is \(number); it must be \(right)")
        }
        return integer
    }

    /// A dictionary `a{sv}`; nil where it is absent.
    func dictionary(_ name: String) throws(ModelError) -> DictionaryValue? {
        guard let value = value(of: name) else { return nil }
        guard case .dictionary(let dictionary) = value, dictionary.keyType == .string, dictionary.valueType == .variant else {
            throw wrongType(name, value, "a dictionary (a{sv})")
        }
        return dictionary
    }

    /// Several dictionaries, `aa{sv}`; none where they are absent.
    ///
    /// An empty array of any type is none too: the ways to write values in JSON and in shells give an empty array no better type.
    func dictionaries(_ name: String) throws(ModelError) -> [DictionaryValue] {
        guard let value = value(of: name) else { return [] }
        guard case .array(let array) = value else { throw wrongType(name, value, "an array of dictionaries (aa{sv})") }
        var dictionaries: [DictionaryValue] = []
        for element in array.values {
            guard case .dictionary(let dictionary) = element, dictionary.keyType == .string, dictionary.valueType == .variant
            else { throw wrongType(name, value, "an array of dictionaries (aa{sv})") }
            dictionaries.append(dictionary)
        }
        return dictionaries
    }

    /// A reader of the dictionary at an entry, or at one of its elements.
    func nested(
        _ dictionary: DictionaryValue, _ name: String, element: Int? = nil, known: [String]?
    ) throws(ModelError) -> OptionReader {
        try OptionReader(dictionary, argument: argument, path: place(name, element: element), known: known)
    }

    /// Where an entry, or one of its elements, is in the outermost dictionary.
    func place(_ name: String, element: Int? = nil) -> [EntryStep] {
        path + [.member(name)] + (element.map { [.element($0)] } ?? [])
    }

    /// The error for an entry; `reason` follows its name in the sentence.
    func problem(_ name: String, element: Int? = nil, _ reason: String) -> ModelError {
        Self.error(argument, place(name, element: element), reason)
    }

    private func wrongType(_ name: String, _ value: Value, _ right: String) -> ModelError {
        problem(name, "is of type \(value.type.text); it must be \(right)")
    }

    private static func error(_ argument: String, _ path: [EntryStep], _ reason: String) -> ModelError {
        ModelError(
            .invalidArgument, "\(argument) entry \"\(path.text)\" \(reason)", entry: WrongEntry(path: path, reason: reason))
    }
}

extension [EntryStep] {
    /// The path as people write it: `pages[2].image`.
    public var text: String {
        reduce("") { text, step in
            switch step {
            case .member(let name): text.isEmpty ? name : "\(text).\(name)"
            case .element(let index): "\(text)[\(index)]"
            }
        }
    }
}

extension Value {
    /// An integer's digits; nil for what is none.
    fileprivate var integerText: String? {
        integer(as: Int64.self).map { "\($0)" } ?? integer(as: UInt64.self).map { "\($0)" }
    }
}

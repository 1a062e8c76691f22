import DBusTypes

/// Reads the entries of an `a{sv}` of options, a definition or a spec, and refuses what it doesn't know.
///
/// Each entry is taken once, with its default where it is absent; `finish` then refuses what is left over. Integers are accepted
/// in any width that the value fits. Every error is `InvalidArgument` and names the entry, its value and what would be right.
struct OptionReader {
    private let argument: String
    private let known: [String]
    private var entries: [(name: String, value: Value)] = []

    /// Takes the entries of `dictionary`.
    ///
    /// `argument` is what the interface calls the dictionary; `known` are the entries that it may have, for the errors.
    init(_ dictionary: DictionaryValue, argument: String, known: [String]) throws(ModelError) {
        self.argument = argument
        self.known = known
        for entry in dictionary.entries {
            guard case .string(let name) = entry.key, case .variant(let value) = entry.value else {
                throw .invalidArgument("\(argument) is of type \(Value.dictionary(dictionary).type.text); it must be a{sv}")
            }
            guard known.contains(where: name.hasSameBytes) else {
                throw .invalidArgument(
                    "\(argument) has an unknown entry \"\(name)\"; it may have \(known.joined(separator: ", "))")
            }
            guard !entries.contains(where: { $0.name == name }) else {
                throw .invalidArgument("\(argument) has the entry \"\(name)\" twice; each may be there once")
            }
            entries.append((name, value))
        }
    }

    private func value(of name: String) -> Value? { entries.first { $0.name == name }?.value }

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
            throw .invalidArgument("\(argument) entry \"\(name)\" is \"\(text)\"; it must be one of \(words)")
        }
        return choice
    }

    /// An integer of any width within `range`; `unit` goes into the error.
    func integer(
        _ name: String, in range: ClosedRange<UInt64>, default standard: UInt64, unit: String
    ) throws(ModelError) -> UInt64 {
        guard let value = value(of: name) else { return standard }
        let right = "\(range.lowerBound) to \(range.upperBound) \(unit)"
        guard let number = value.integerText else { throw wrongType(name, value, "an integer (t), \(right)") }
        guard let integer = value.integer(as: UInt64.self), range.contains(integer) else {
            throw .invalidArgument("\(argument) entry \"\(name)\" is \(number); it must be \(right)")
        }
        return integer
    }

    private func wrongType(_ name: String, _ value: Value, _ right: String) -> ModelError {
        .invalidArgument("\(argument) entry \"\(name)\" is of type \(value.type.text); it must be \(right)")
    }
}

extension Value {
    /// An integer's digits; nil for what is none.
    fileprivate var integerText: String? {
        integer(as: Int64.self).map { "\($0)" } ?? integer(as: UInt64.self).map { "\($0)" }
    }
}

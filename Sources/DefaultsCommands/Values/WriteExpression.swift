import DBusTypes

/// What `write` is to do with a key.
enum WriteExpression: Equatable {
    /// Give it this value.
    case value(Value)
    /// Append these to the array that it has.
    case arrayAdd([Value])
    /// Put these entries into the dictionary that it has.
    case dictionaryAdd([(key: String, value: Value)])

    static func == (left: WriteExpression, right: WriteExpression) -> Bool {
        switch (left, right) {
        case (.value(let left), .value(let right)): left == right
        case (.arrayAdd(let left), .arrayAdd(let right)): left == right
        case (.dictionaryAdd(let left), .dictionaryAdd(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.key == $1.key && $0.value == $1.value }
        case (.value, _), (.arrayAdd, _), (.dictionaryAdd, _): false
        }
    }
}

extension WriteExpression {
    /// Reads what follows DOMAIN and KEY on the command line of `write`.
    init(_ tokens: some Sequence<Token>) throws(Failure) {
        var shape: ValueFlag?
        var signature: String?
        var items: [Item] = []
        for token in tokens {
            switch token {
            case .operand(let word): items.append(.word(word))
            case .option(let option, let argument):
                if option.name == "--type" {
                    signature = argument
                } else if let flag = ValueFlag(option) {
                    if let argument, flag.isScalar {
                        items.append(.typed(flag, try flag.value(argument)))
                    } else {
                        if let shape { throw .usage("\(shape.name) and \(flag.name) exclude each other", ["write"]) }
                        if !items.isEmpty { throw .usage("\(flag.name) comes before its values", ["write"]) }
                        shape = flag
                    }
                }
            }
        }
        if let signature {
            if let shape { throw .usage("--type and \(shape.name) exclude each other", ["write"]) }
            self = .value(try SignatureWords.value(signature: signature, words: try items.words()))
        } else if let shape {
            try self.init(shape, items)
        } else {
            guard let item = items.first else { throw .usage("write needs VALUE after DOMAIN and KEY", ["write"]) }
            guard items.count == 1 else {
                throw .usage("write takes one value, not \(items.count); several make an array with -array", ["write"])
            }
            self = .value(item.value)
        }
    }

    private init(_ shape: ValueFlag, _ items: [Item]) throws(Failure) {
        switch shape {
        case .array: self = .value(.array(Self.array(items.map(\.value))))
        case .arrayAdd:
            guard !items.isEmpty else { throw .usage("\(shape.name) needs at least one value", ["write"]) }
            self = .arrayAdd(items.map(\.value))
        case .dict: self = .value(.vardict(try Self.entries(items, shape).map { ($0.key, $0.value) }))
        case .dictAdd:
            guard !items.isEmpty else { throw .usage("\(shape.name) needs at least one key with its value", ["write"]) }
            self = .dictionaryAdd(try Self.entries(items, shape))
        case .bool, .int, .uint, .float, .string, .data, .date: preconditionFailure("\(shape.name) holds one value")
        }
    }

    /// An array of the values' type if all have the same, of variants if not, and of texts if there are none.
    static func array(_ values: [Value]) -> ArrayValue {
        let element = values.first?.type ?? .string
        return ArrayValue(of: element, values) ?? ArrayValue(unchecked: values.map { .variant($0) }, of: .variant)
    }

    private static func entries(_ items: [Item], _ shape: ValueFlag) throws(Failure) -> [(key: String, value: Value)] {
        var entries: [(key: String, value: Value)] = []
        for index in stride(from: 0, to: items.count, by: 2) {
            guard case .word(let key) = items[index] else {
                throw .usage(
                    "\(shape.name) takes keys and values in turn, and \(items[index].text) stands where a key should", ["write"])
            }
            guard index + 1 < items.count else { throw .usage("\(shape.name) has no value for the key \"\(key)\"", ["write"]) }
            guard !entries.contains(where: { $0.key.hasSameBytes(as: key) }) else {
                throw .usage("\(shape.name) has the key \"\(key)\" twice", ["write"])
            }
            entries.append((key, items[index + 1].value))
        }
        return entries
    }
}

/// A value on the command line: a plain word, which is a text, or a flag with its value.
private enum Item {
    case word(String)
    case typed(ValueFlag, Value)

    var value: Value {
        switch self {
        case .word(let word): .string(word)
        case .typed(_, let value): value
        }
    }

    var text: String {
        switch self {
        case .word(let word): "\"\(word)\""
        case .typed(let flag, let value): "\(flag.name) \(ValueText.line(value))"
        }
    }
}

extension [Item] {
    /// The plain words; a value flag among what `--type` describes is an error.
    fileprivate func words() throws(Failure) -> [String] {
        var words: [String] = []
        for item in self {
            guard case .word(let word) = item else {
                throw .usage("--type says the type of all values, so \(item.text) can't stand beside it", ["write"])
            }
            words.append(word)
        }
        return words
    }
}

import DBusTypes

/// A guide as an application or its manifest defines it, checked.
public struct GuideDefinition: Hashable, Sendable {
    /// What it is for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// How the application works: once a revision.
        case onboarding
        /// What an upgrade brought: to those who had a version before it (G5).
        case whatsNew = "whatsnew"
    }

    /// Who it is for, by the application's history (G6).
    public enum Audience: String, Hashable, Sendable, CaseIterable {
        /// Everyone.
        case both
        /// Who never had another version than the first.
        case fresh
        /// Who had.
        case upgrade
    }

    /// What completes it.
    public enum Completion: String, Hashable, Sendable, CaseIterable {
        /// Going on from the last page.
        case swipe
        /// A button on the last page.
        case button
    }

    /// When it counts as seen.
    public enum Mark: String, Hashable, Sendable, CaseIterable {
        /// When the user ends it (G1).
        case finish
        /// When it is put on the screen, as the classic recipe did.
        case show
    }

    /// The largest definition, marshalled, in bytes.
    public static let maximumSize = 1 << 20
    /// How many an application may define over the bus.
    public static let limit = 256
    /// How many pages one may have: more than any user goes through.
    public static let maximumPages = 64

    /// The definition as given, an `a{sv}`.
    public let entries: DictionaryValue
    /// The revision of its content (G4).
    public let revision: UInt32
    /// What it is for.
    public let kind: Kind
    /// Who it is for.
    public let audience: Audience
    /// The smallest upgrade after which it is due; nil for any.
    public let minimumSignificance: Significance?
    /// The first version that has what it is about; nil for all.
    public let sinceVersion: Version?
    /// How many pages it has: 1 to 64.
    public let pageCount: Int
    /// What completes it.
    public let completion: Completion
    /// When it counts as seen.
    public let mark: Mark
    /// After how many presenters that died it is abandoned (G2); 0 for no limit.
    public let maximumAttempts: UInt32
    /// The countdown that runs with it; nil for none.
    public let countdown: CountdownSpec?

    /// What else the application wants back, an `a{sv}`; nil where it isn't there.
    var attributes: Value? { entries["attributes"] }

    /// Reads and checks an `a{sv}`.
    ///
    /// Throws, naming the entry by its path: `InvalidArgument`; `InvalidVersion` for a since_version that breaks V6; `InvalidValue` for NUL,
    /// a key twice or a descriptor in a value; `LimitExceeded` for more than 1 MiB.
    public init(_ definition: DictionaryValue) throws(ModelError) {
        let reader = try OptionReader(definition, argument: Self.argument, known: Self.known)
        for name in Self.known {
            guard let value = reader.value(of: name), let problem = ValueProblem(of: value) else { continue }
            let error = reader.problem(name, problem.reason)
            throw ModelError(problem.code, error.message, entry: error.entry)
        }
        let size = Value.dictionary(definition).marshalledSize
        guard size <= Self.maximumSize else {
            throw .limitExceeded("\(Self.argument) is \(size) bytes long; at most \(Self.maximumSize) bytes are allowed")
        }
        try self.init(reader, definition)
    }

    /// Reads what was checked before it was stored, but for its sizes; nil where it is damaged.
    init?(stored: Value) {
        guard let entries = stored.dictionary,
            let reader = try? OptionReader(entries, argument: Self.argument, known: Self.known),
            let definition = try? GuideDefinition(reader, entries)
        else { return nil }
        self = definition
    }

    /// Whether it would be taken as a definition.
    static func accepts(_ definition: DictionaryValue) -> Bool { (try? GuideDefinition(definition)) != nil }

    private static let argument = "definition"
    private static let known = [
        "revision", "kind", "audience", "minimum_significance", "since_version", "pages", "completion", "mark", "max_attempts",
        "countdown", "attributes",
    ]

    private init(_ reader: OptionReader, _ entries: DictionaryValue) throws(ModelError) {
        self.entries = entries
        revision = UInt32(try reader.integer("revision", in: 1...UInt64(UInt32.max), default: 1, unit: ""))
        kind = try reader.choice("kind", default: .onboarding)
        audience = try reader.choice("audience", default: kind == .whatsNew ? .upgrade : .both)
        minimumSignificance = try Self.significance(reader, default: kind == .whatsNew ? .minor : nil)
        sinceVersion = try Self.version(reader)
        pageCount = try Self.pages(reader)
        completion = try reader.choice("completion", default: .swipe)
        mark = try reader.choice("mark", default: .finish)
        maximumAttempts = UInt32(try reader.integer("max_attempts", in: 0...UInt64(UInt32.max), default: 3, unit: ""))
        countdown = try Self.countdown(reader)
        if let attributes = try reader.dictionary("attributes") {
            _ = try reader.nested(attributes, "attributes", known: nil)
        }
    }
}

// MARK: - Equality

extension GuideDefinition {
    /// Equality of what was given (P4); the rest follows from it.
    public static func == (left: GuideDefinition, right: GuideDefinition) -> Bool { left.entries == right.entries }

    /// Hashes what was given.
    public func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}

// MARK: - Its entries

extension GuideDefinition {
    /// An empty text is no minimum at all, also where there is one by default.
    private static func significance(
        _ reader: OptionReader, default standard: Significance?
    ) throws(ModelError) -> Significance? {
        let name = "minimum_significance"
        guard reader.value(of: name) != nil else { return standard }
        let text = try reader.string(name)
        if text.isEmpty { return nil }
        guard let significance = Significance(rawValue: text) else {
            let words = Significance.allCases.reversed().map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw reader.problem(name, "is \"\(text)\"; it must be empty or one of \(words)")
        }
        return significance
    }

    private static func version(_ reader: OptionReader) throws(ModelError) -> Version? {
        let name = "since_version"
        let text = try reader.string(name)
        if text.isEmpty { return nil }
        let argument = "\(argument) entry \"\(name)\""
        do throws(ModelError) {
            return try Version(text, argument: argument)
        } catch {
            let reason = String(error.message.dropFirst(argument.count + 1))
            throw ModelError(error.code, error.message, entry: WrongEntry(path: reader.place(name), reason: reason))
        }
    }

    private static func pages(_ reader: OptionReader) throws(ModelError) -> Int {
        let name = "pages"
        let pages = try reader.dictionaries(name)
        guard (1...maximumPages).contains(pages.count) else {
            throw reader.problem(
                name,
                pages.isEmpty
                    ? "\(reader.value(of: name) == nil ? "is missing" : "is empty"); a guide has 1 to \(maximumPages) pages (aa{sv})"
                    : "has \(pages.count) elements; a guide has 1 to \(maximumPages) pages")
        }
        for (index, page) in pages.enumerated() {
            let page = try reader.nested(page, name, element: index, known: nil)
            for text in ["title", "text", "image", "alt"] { _ = try page.string(text) }
        }
        return pages.count
    }

    /// An empty spec is no countdown: what an entry is by default is what it is where it is left out.
    private static func countdown(_ reader: OptionReader) throws(ModelError) -> CountdownSpec? {
        let name = "countdown"
        guard let spec = try reader.dictionary(name), !spec.entries.isEmpty else { return nil }
        return try CountdownSpec(reader.nested(spec, name, known: CountdownSpec.entries))
    }
}

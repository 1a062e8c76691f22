import DBusTypes

/// A tour as an application or its manifest defines it, checked.
public struct TourDefinition: Hashable, Sendable {
    /// What a raised revision does to a tour that was begun or ended before (T6).
    public enum OnNewRevision: String, Hashable, Sendable, CaseIterable {
        /// All steps, from the first.
        case restart
        /// The steps that are newer than what the user has ended.
        case progressive
        /// From the old place on.
        case resume
    }

    /// Where a tour goes on whose presenter died (T7).
    public enum OnCrash: String, Hashable, Sendable, CaseIterable {
        /// At the step.
        case resume
        /// At the first step.
        case restart
    }

    /// How many steps a tour may have.
    public static let maximumSteps = 64
    /// How long a tour can be resumed by default: seven days, in milliseconds.
    public static let standardResumeWindow: UInt64 = 7 * 24 * 60 * 60 * 1000
    /// How many attempts there are by default.
    public static let standardAttempts: UInt32 = 3

    /// The definition as given, an `a{sv}`.
    public let entries: DictionaryValue
    /// The revision of its content (G4).
    public let revision: UInt32
    /// The steps in order; at least one, each with an id of its own (T4).
    public let steps: [TourStep]
    /// What a raised revision does.
    public let onNewRevision: OnNewRevision
    /// What the death of a presenter does.
    public let onCrash: OnCrash
    /// For how many milliseconds it can be resumed; 0 for ever.
    public let resumeWindow: UInt64
    /// After how many attempts it is abandoned; 0 for never.
    public let maximumAttempts: UInt32
    /// What the presenter gets back as given.
    public let attributes: DictionaryValue

    /// Reads and checks an `a{sv}`.
    ///
    /// Throws `InvalidArgument` naming the entry by its path, `InvalidValue` for what no store can keep, `LimitExceeded` for more than
    /// 1 MiB or 16 containers in each other.
    public init(_ definition: DictionaryValue) throws(ModelError) {
        let reader = try OptionReader(definition, argument: "definition", known: Self.known)
        for name in Self.known {
            guard let value = reader.value(of: name), let problem = ValueProblem(of: value) else { continue }
            let error = reader.problem(name, problem.reason)
            throw ModelError(problem.code, error.message, entry: error.entry)
        }
        let size = Value.dictionary(definition).marshalledSize
        guard size <= PreferenceLimits.valueBytes else {
            throw .limitExceeded("definition is \(size) bytes long; at most \(PreferenceLimits.valueBytes) bytes are allowed")
        }
        try self.init(reader, definition)
    }

    /// Reads what was checked when it was stored.
    init(stored definition: DictionaryValue) throws(ModelError) {
        try self.init(try OptionReader(definition, argument: "definition", known: Self.known), definition)
    }

    private init(_ reader: OptionReader, _ definition: DictionaryValue) throws(ModelError) {
        entries = definition
        revision = UInt32(try reader.integer("revision", in: 1...UInt64(UInt32.max), default: 1, unit: ""))
        onNewRevision = try reader.choice("on_new_revision", default: .restart)
        onCrash = try reader.choice("on_crash", default: .resume)
        resumeWindow = try reader.integer(
            "resume_window", in: 0...UInt64.max, default: Self.standardResumeWindow, unit: "milliseconds")
        maximumAttempts = UInt32(
            try reader.integer("max_attempts", in: 0...UInt64(UInt32.max), default: UInt64(Self.standardAttempts), unit: ""))
        attributes = try reader.dictionary("attributes") ?? DictionaryValue([])
        steps = try Self.steps(reader)
    }

    private static let known = [
        "revision", "steps", "on_new_revision", "on_crash", "resume_window", "max_attempts", "attributes",
    ]

    private static func steps(_ reader: OptionReader) throws(ModelError) -> [TourStep] {
        let dictionaries = try reader.dictionaries("steps")
        guard !dictionaries.isEmpty else {
            throw reader.problem("steps", "has no step; a tour has 1 to \(maximumSteps)")
        }
        guard dictionaries.count <= maximumSteps else {
            throw reader.problem("steps", "has \(dictionaries.count) steps; a tour has 1 to \(maximumSteps)")
        }
        var steps: [TourStep] = []
        var places: [Identifier: Int] = [:]
        for (index, dictionary) in dictionaries.enumerated() {
            let nested = try reader.nested(dictionary, "steps", element: index, known: nil)
            let step = try TourStep(nested, dictionary)
            if let other = places.updateValue(index, forKey: step.id) {
                throw nested.problem("id", "is \"\(step.id)\", as steps[\(other)].id is; each step has an id of its own")
            }
            steps.append(step)
        }
        return steps
    }

    /// The steps that are newer than a revision; all of them for revision 0.
    func steps(newerThan revision: UInt32) -> [TourStep] {
        revision == 0 ? steps : steps.filter { $0.sinceRevision > revision }
    }
}

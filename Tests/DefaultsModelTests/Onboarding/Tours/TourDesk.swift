import DBusTypes
import Testing

@testable import DefaultsModel

/// A ledger, and what those who call about tours are told.
final class TourDesk {
    /// What Start answers.
    struct Started {
        let show: Bool
        let reason: String
        let run: UInt64
        let step: Step
    }

    /// The step that a call answers.
    struct Step {
        let entries: DictionaryValue

        var id: String { entries["id"]?.get() ?? "?" }
        var index: UInt32 { entries["index"]?.get() ?? .max }
        var count: UInt32 { entries["count"]?.get() ?? .max }
        var sequence: UInt64 { entries["sequence"]?.get() ?? .max }
        var state: String { entries["state"]?.get() ?? "?" }
        var outcome: String { entries["outcome"]?.get() ?? "?" }
        var isStale: Bool { entries["stale"]?.get() ?? false }
        var hasChanged: Bool { entries["changed"]?.get() ?? false }
    }

    static let app = LedgerFixture.app
    static let other = LedgerFixture.other
    static let bus = "0123456789abcdef0123456789abcdef"

    let ledger: Ledger
    var now = Instant.start
    var activity = RunActivity()
    private(set) var signals: [PresentationSignal] = []
    /// The rows of the batches that were written.
    private(set) var rows: [RecordChange] = []

    init(_ ledger: Ledger = Ledger(StoreSummary())) { self.ledger = ledger }

    static func id(_ text: String) -> Identifier {
        guard let id = Identifier(text) else { preconditionFailure("\(text) is no id") }
        return id
    }

    static func connection(_ number: Int) -> ConnectionName {
        guard let name = BusName(":1.\(number)") else { preconditionFailure("\(number) makes no unique name") }
        return ConnectionName(bus: bus, name: name)
    }

    static func step(_ id: String, _ more: [(String, Value)] = []) -> DictionaryValue {
        DictionaryValue([("id", .string(id))] + more)
    }

    static func steps(_ steps: [DictionaryValue]) -> Value {
        .array(
            ArrayValue(unchecked: steps.map(Value.dictionary), of: .dictionary(key: .string, value: .variant)))
    }

    static func entries(_ ids: [String], _ more: [(String, Value)] = []) -> DictionaryValue {
        DictionaryValue([("steps", steps(ids.map { step($0) }))] + more)
    }

    // MARK: Calls

    @discardableResult
    func perform(_ body: @escaping (StateView) throws(ModelError) -> Outcome) throws -> [Value] {
        var results: [Result<[Value], ModelError>] = []
        ledger.submit(
            Operation(caller: CallerID(1), writer: ":1.1", body: body) { [self] result, announcements in
                results.append(result)
                for case .presentation(let signal) in announcements { signals.append(signal) }
            })
        while let batch = ledger.takeBatch() {
            rows += batch
            ledger.batchCommitted()
        }
        return try #require(results.first).get()
    }

    @discardableResult
    func define(
        _ ids: [String], as tour: String = "intro", of app: DomainName = app, _ more: [(String, Value)] = []
    ) throws -> Bool {
        try define(Self.entries(ids, more), as: tour, of: app)
    }

    @discardableResult
    func define(_ entries: DictionaryValue, as tour: String = "intro", of app: DomainName = app) throws -> Bool {
        let reply = try perform { view throws(ModelError) in
            try view.definingTour(app, Self.id(tour), as: TourDefinition(entries))
        }
        return reply == [.boolean(true)]
    }

    func start(
        _ tour: String = "intro", of app: DomainName = app, by connection: Int = 1, with options: [(String, Value)] = []
    ) throws -> Started {
        let call = Presenting(now: now, caller: Self.connection(connection), activity: activity)
        let reply = try perform { view throws(ModelError) in
            try view.startingTour(app, Self.id(tour), TourStartOptions(DictionaryValue(options)), call)
        }
        let run = try #require(reply[2].get(as: UInt64.self))
        if run > 0 { activity.note(run, at: now) }
        return Started(
            show: reply[0] == .boolean(true), reason: try #require(reply[1].get(as: String.self)), run: run,
            step: Step(entries: try #require(reply[3].dictionary)))
    }

    func next(_ run: UInt64, _ step: Step) throws -> Step { try next(run, step.id, step.sequence) }

    func next(_ run: UInt64, _ step: String, _ sequence: UInt64) throws -> Step {
        try call(run) { view, now throws(ModelError) in
            try view.nextStep(run, ending: step, sequence: sequence, at: now)
        }
    }

    func back(_ run: UInt64) throws -> Step {
        try call(run) { view, _ throws(ModelError) in try view.previousStep(run) }
    }

    func goTo(_ run: UInt64, _ step: String) throws -> Step {
        try call(run) { view, _ throws(ModelError) in try view.goingToStep(run, step) }
    }

    func unavailable(_ run: UInt64, _ step: String) throws -> Step {
        try call(run) { view, now throws(ModelError) in try view.skippingStep(run, step, at: now) }
    }

    func finish(_ run: UInt64, _ outcome: String) throws -> Step {
        try call(run) { view, now throws(ModelError) in try view.finishingTour(run, outcome, at: now) }
    }

    private func call(
        _ run: UInt64, _ body: @escaping (StateView, Instant) throws(ModelError) -> Outcome
    ) throws -> Step {
        let now = now
        activity.note(run, at: now)
        let reply = try perform { view throws(ModelError) in try body(view, now) }
        return Step(entries: try #require(reply.first?.dictionary))
    }

    func remove(_ tour: String = "intro") throws {
        let now = now
        try perform { view throws(ModelError) in try view.removingTour(Self.app, Self.id(tour), at: now) }
    }

    func reset(_ tour: String = "intro") throws {
        let now = now
        try perform { view throws(ModelError) in try view.resettingTour(Self.app, Self.id(tour), at: now) }
    }

    // MARK: What happens to runs

    /// Ends a run other than by a call.
    func end(_ run: UInt64, because end: RunEnd) throws {
        let now = now
        try perform { view throws(ModelError) in view.ending(try view.run(run), because: end, at: now) }
    }

    /// Has other configuration files take effect.
    func take(_ files: FileLayers) throws {
        let now = now
        try perform { view throws(ModelError) in Ledger.taking(files, in: view, at: now) }
    }

    /// Has a manifest define tours of the application.
    func takeManifest(_ tours: [String: DictionaryValue]) throws {
        var definitions = ManifestDefinitions()
        for (id, entries) in tours { definitions.tours[Self.id(id)] = try TourDefinition(entries) }
        try take(FileLayers(definitions: [Self.app: definitions]))
    }

    // MARK: What there is

    func listed(_ tour: String = "intro", of app: DomainName = app) throws -> [String: Value] {
        guard case .array(let list) = try ledger.committedView.tourList(app, at: now) else { return [:] }
        for case .structure(let fields) in list.values where fields[0] == .string(tour) {
            return try #require(fields[1].get(as: [String: Value].self))
        }
        return [:]
    }

    func progress(_ tour: String = "intro", of app: DomainName = app) throws -> TourProgress {
        try ledger.committedView.tourProgress(app, Self.id(tour))
    }

    var liveRuns: [Run] { ledger.committedView.liveRuns }

    /// The signals since the last call, in words.
    func takeSignals() -> [String] {
        defer { signals = [] }
        return signals.map { signal in
            switch signal.event {
            case .stepChanged(let step, let index, let count, let sequence): "step \(step) \(index)/\(count) #\(sequence)"
            case .finished(let outcome, let shown): "finished \(outcome) [\(shown.joined(separator: " "))]"
            case .tourChanged(let step): "changed \(step.dictionary?["id"]?.get() ?? "?")"
            case .pageChanged, .guideChanged: "of a guide"
            }
        }
    }

    /// The rows written since the last call.
    func takeRows() -> [RecordChange] {
        defer { rows = [] }
        return rows
    }
}

/// The error that a call throws, with its message.
func error(of body: () throws -> Void) -> ModelError? {
    do {
        try body()
        return nil
    } catch {
        return error as? ModelError
    }
}

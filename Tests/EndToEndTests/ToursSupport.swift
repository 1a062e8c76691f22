import DBusTypes
import DefaultsInterface
import LibDBus
import Support

/// The application whose tours most tests show.
let tourApp = "org.example.Toured"

/// What `Tours.Start` answers.
struct StartedTour {
    let show: Bool
    let reason: String
    let run: UInt64
    let step: DictionaryValue
}

extension Client {
    // MARK: Definitions

    /// A definition with steps of these ids.
    static func tour(_ ids: [String], _ more: [(String, Value)] = []) -> Value {
        tour(steps: ids.map { [("id", .string($0))] }, more)
    }

    /// A definition with these steps.
    static func tour(steps: [[(String, Value)]], _ more: [(String, Value)] = []) -> Value {
        let type = DBusType.dictionary(key: .string, value: .variant)
        return .vardict([("steps", .array(ArrayValue(unchecked: steps.map(Value.vardict), of: type)))] + more)
    }

    /// Calls `Define`.
    @discardableResult
    func define(
        _ tour: String, _ ids: [String], of app: String = tourApp, _ more: [(String, Value)] = []
    ) throws -> Bool? {
        try tours(ToursInterface.define, .string(app), .string(tour), Self.tour(ids, more)).first?.get()
    }

    /// The entries that `List` has of a tour; empty where it lists none.
    func listed(_ tour: String, of app: String = tourApp) throws -> DictionaryValue {
        guard case .array(let rows)? = try tours(ToursInterface.list, .string(app)).first else {
            throw TestFailure("List answers no array")
        }
        for case .structure(let fields) in rows.values where fields.first == .string(tour) {
            if let entries = fields[1].dictionary { return entries }
        }
        return DictionaryValue([])
    }

    // MARK: Runs

    /// Calls a method of `Tours`.
    @discardableResult
    func tours(_ member: MemberName, _ arguments: Value...) throws -> [Value] {
        try connection.call(WellKnown.busName, WellKnown.rootPath, ToursInterface.name, member, arguments, timeout: 10_000)
    }

    /// Calls `Start`.
    func startTour(
        _ tour: String, of app: String = tourApp, _ options: [(String, Value)] = []
    ) throws -> StartedTour {
        try Self.started(tours(ToursInterface.start, .string(app), .string(tour), .vardict(options)))
    }

    /// Sends `Start` without waiting for the answer.
    func beginTour(_ tour: String, of app: String = tourApp, _ options: [(String, Value)] = []) -> Reply {
        begin(ToursInterface.name, ToursInterface.start, .string(app), .string(tour), .vardict(options))
    }

    /// What a reply of `Start` says.
    static func started(_ reply: [Value]) throws -> StartedTour {
        guard reply.count == 4, let show = reply[0].get(as: Bool.self), let reason = reply[1].get(as: String.self),
            let run = reply[2].get(as: UInt64.self), let step = reply[3].dictionary
        else { throw TestFailure("Start answered \(reply)") }
        return StartedTour(show: show, reason: reason, run: run, step: step)
    }

    /// Calls a method about a run; returns the step.
    @discardableResult
    func step(_ member: MemberName, _ run: UInt64, _ arguments: Value...) throws -> DictionaryValue {
        let reply = try connection.call(
            WellKnown.busName, WellKnown.rootPath, ToursInterface.name, member, [.uint64(run)] + arguments, timeout: 10_000)
        guard let step = reply.first?.dictionary else { throw TestFailure("\(member) answered \(reply)") }
        return step
    }

    /// Calls `Next` for a step as it was answered.
    @discardableResult
    func next(_ run: UInt64, _ step: DictionaryValue) throws -> DictionaryValue {
        try self.step(ToursInterface.next, run, step["id"] ?? .string(""), step["sequence"] ?? .uint64(0))
    }

    /// Calls `Finish`.
    @discardableResult
    func finish(_ run: UInt64, _ outcome: String) throws -> DictionaryValue {
        try step(ToursInterface.finish, run, .string(outcome))
    }

    // MARK: Signals

    /// Subscribes to all signals of an application.
    func watchTours(of app: String = tourApp) throws { try preferences(PreferencesInterface.watch, .string(app)) }

    /// The signals about tours so far, as words: "StepChanged s2 1/5 #2", "Finished completed [s1 s2]", "Changed s2".
    func tourEvents(_ tour: String? = nil) -> [String] {
        signals.filter { tour == nil || $0.arguments.dropFirst().first == .string(tour ?? "") }.compactMap(\.tourWords)
    }

    /// Waits for a signal about a tour.
    func waitForTour(_ words: String) throws {
        try Await.until("\"\(words)\" after \(tourEvents())", on: loop) { tourEvents().contains(words) }
    }
}

extension Client.Signal {
    /// What it says of a tour; nil for another signal.
    fileprivate var tourWords: String? {
        guard arguments.count > 3 else { return nil }
        switch member {
        case ToursInterface.stepChanged:
            guard let step = arguments[3].get(as: String.self), let index = arguments[4].get(as: UInt32.self),
                let count = arguments[5].get(as: UInt32.self), let sequence = arguments[6].get(as: UInt64.self)
            else { return nil }
            return "StepChanged \(step) \(index)/\(count) #\(sequence)"
        case ToursInterface.finished:
            guard let outcome = arguments[3].get(as: String.self), let shown = arguments.last?.get(as: [String].self) else {
                return nil
            }
            return "Finished \(outcome) [\(shown.joined(separator: " "))]"
        case ToursInterface.changed:
            guard let step = arguments[3].dictionary else { return nil }
            return "Changed \(step.text("id") ?? "?")"
        default:
            return nil
        }
    }

    /// The run that a signal about a presentation names.
    var run: UInt64? { arguments.count > 2 ? arguments[2].get() : nil }
}

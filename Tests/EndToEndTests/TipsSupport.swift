import DBusTypes
import DefaultsInterface
import LibDBus
import Support

/// The application that tests about tips define.
let tipApp = "org.example.Tipper"

/// What `Tips.Present` answers.
struct PresentedTip {
    let show: Bool
    let reason: String
    let run: UInt64
    let tip: DictionaryValue
}

/// A `StatusChanged` signal, taken apart.
struct TipStatus: Hashable {
    let app: String
    let tip: String
    let reason: String

    init(_ tip: String, _ reason: String, app: String = tipApp) {
        self.app = app
        self.tip = tip
        self.reason = reason
    }

    /// Nil where the signal is another one, or its arguments aren't those of `StatusChanged`.
    init?(_ signal: Client.Signal) {
        guard signal.member == TipsInterface.statusChanged, signal.path == WellKnown.rootPath, signal.arguments.count == 4,
            let app = signal.arguments[0].get(as: String.self), let tip = signal.arguments[1].get(as: String.self),
            let isAvailable = signal.arguments[2].get(as: Bool.self), let reason = signal.arguments[3].get(as: String.self),
            isAvailable == reason.isEmpty
        else { return nil }
        self.init(tip, reason, app: app)
    }
}

extension Client {
    @discardableResult
    func defineTip(_ tip: String, _ entries: [(String, Value)] = [], app: String = tipApp) throws -> Bool? {
        try call(TipsInterface.name, TipsInterface.define, .string(app), .string(tip), .vardict(entries)).first?.get()
    }

    func presentTip(_ tip: String, _ options: [(String, Value)] = [], app: String = tipApp) throws -> PresentedTip {
        let reply = try call(TipsInterface.name, TipsInterface.present, .string(app), .string(tip), .vardict(options))
        guard reply.count == 4, let show = reply[0].get(as: Bool.self), let reason = reply[1].get(as: String.self),
            let run = reply[2].get(as: UInt64.self), let tip = reply[3].dictionary
        else { throw TestFailure("Present answered \(reply)") }
        return PresentedTip(show: show, reason: reason, run: run, tip: tip)
    }

    @discardableResult
    func finishTip(_ run: UInt64, _ outcome: String = "hidden") throws -> DictionaryValue {
        let reply = try call(TipsInterface.name, TipsInterface.finish, .uint64(run), .string(outcome))
        guard let tip = reply.first?.dictionary else { throw TestFailure("Finish answered \(reply)") }
        return tip
    }

    /// Presents a tip, which must be shown, and ends that.
    func showTip(_ tip: String, _ outcome: String = "hidden", app: String = tipApp) throws {
        let presented = try presentTip(tip, app: app)
        guard presented.show else { throw TestFailure("\(tip) isn't shown: \(presented.reason)") }
        try finishTip(presented.run, outcome)
    }

    @discardableResult
    func donate(_ event: String, _ count: UInt32 = 1, app: String = tipApp) throws -> UInt64? {
        try call(TipsInterface.name, TipsInterface.donate, .string(app), .string(event), .uint32(count)).first?.get()
    }

    func snoozeTip(_ tip: String, _ milliseconds: UInt64, app: String = tipApp) throws {
        try call(TipsInterface.name, TipsInterface.snooze, .string(app), .string(tip), .uint64(milliseconds))
    }

    /// What `Evaluate` says: the reason by tip, empty where it is available.
    func evaluateTips(_ app: String = tipApp) throws -> [String: String] {
        let reply = try call(TipsInterface.name, TipsInterface.evaluate, .string(app))
        guard case .array(let rows)? = reply.first else { throw TestFailure("Evaluate answered \(reply)") }
        var reasons: [String: String] = [:]
        for row in rows.values {
            guard case .structure(let fields) = row, fields.count == 3, let tip = fields[0].get(as: String.self),
                let reason = fields[2].get(as: String.self), fields[1] == .boolean(reason.isEmpty)
            else { throw TestFailure("no row of Evaluate: \(row)") }
            reasons[tip] = reason
        }
        return reasons
    }

    /// What `List` says of one tip.
    func listedTip(_ tip: String, app: String = tipApp) throws -> DictionaryValue? {
        let reply = try call(TipsInterface.name, TipsInterface.list, .string(app))
        guard case .array(let rows)? = reply.first else { throw TestFailure("List answered \(reply)") }
        for case .structure(let fields) in rows.values where fields.first == .string(tip) { return fields.last?.dictionary }
        return nil
    }

    /// The `StatusChanged` signals since the last call, in order; all that was sent before now is in.
    func newTipStatuses() throws -> [TipStatus] {
        try drain()
        defer { forgetSignals() }
        return signals.compactMap(TipStatus.init)
    }

    /// What `Explain` says: gate, passed and why of each row.
    func explain(
        _ kind: String, _ id: String, app: String = tipApp
    ) throws -> [(gate: String, isPassed: Bool, why: String)] {
        let reply = try call(AdminInterface.name, AdminInterface.explain, .string(app), .string(kind), .string(id))
        guard case .array(let rows)? = reply.first else { throw TestFailure("Explain answered \(reply)") }
        return try rows.values.map { row in
            guard case .structure(let fields) = row, fields.count == 3, let gate = fields[0].get(as: String.self),
                let isPassed = fields[1].get(as: Bool.self), let why = fields[2].get(as: String.self)
            else { throw TestFailure("no row of Explain: \(row)") }
            return (gate, isPassed, why)
        }
    }

    /// What `Statistics` says of one kind.
    func statistics(_ kind: String, app: String = tipApp) throws -> DictionaryValue? {
        try call(AdminInterface.name, AdminInterface.statistics, .string(app)).first?.dictionary?[kind]?.dictionary
    }
}

/// Rules of a tip's definition.
func tipRules(_ rules: [(String, Value)]...) -> (String, Value) {
    let type = DBusType.dictionary(key: .string, value: .variant)
    return ("rules", .array(ArrayValue(unchecked: rules.map { .vardict($0) }, of: type)))
}

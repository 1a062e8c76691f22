import DBusTypes
import Testing

@testable import DefaultsModel

/// An application's tips on a ledger, and a clock that only tests move.
final class TipDesk {
    let fixture = LedgerFixture()
    let app = LedgerFixture.app
    var now = Instant.start
    var activity = RunActivity()

    var view: StateView { fixture.ledger.committedView }

    static func id(_ text: String) -> Identifier {
        guard let id = Identifier(text) else { preconditionFailure("\(text) is no id") }
        return id
    }

    static func connection(_ number: Int) -> ConnectionName {
        guard let name = BusName(":1.\(number)") else { preconditionFailure("\(number) makes a unique name") }
        return ConnectionName(bus: "bus", name: name)
    }

    static func definition(_ entries: [(String, Value)]) throws -> TipDefinition { try TipDefinition(DictionaryValue(entries)) }

    func call(_ number: Int = 1) -> Presenting {
        Presenting(now: now, caller: Self.connection(number), activity: activity)
    }

    func advance(milliseconds: Int64) { now = now.after(milliseconds: milliseconds) }

    /// Computes an operation, has it committed and returns its reply.
    @discardableResult
    func perform(_ body: @escaping (StateView) throws(ModelError) -> Outcome) throws -> [Value] {
        fixture.submit("tip", body)
        fixture.commitAll()
        return try #require(fixture.results.last).get()
    }

    // MARK: Calls

    @discardableResult
    func define(_ tip: String, _ entries: [(String, Value)] = [], in app: DomainName = LedgerFixture.app) throws -> Bool {
        let definition = try Self.definition(entries)
        let reply = try perform { view throws(ModelError) in try view.definingTip(app, Self.id(tip), definition) }
        return reply.first == .boolean(true)
    }

    /// What Present answers.
    struct Presented {
        let show: Bool
        let reason: String
        let run: UInt64
        let tip: DictionaryValue
    }

    @discardableResult
    func present(
        _ tip: String, replay: Bool = false, by number: Int = 1, in app: DomainName = LedgerFixture.app
    ) throws -> Presented {
        let call = call(number)
        let options = try TipOptions(DictionaryValue([("replay", .boolean(replay))]))
        let reply = try perform { view throws(ModelError) in try view.presentingTip(app, Self.id(tip), options, call) }
        let presented = Presented(
            show: reply[0] == .boolean(true), reason: try #require(reply[1].get()), run: try #require(reply[2].get()),
            tip: try #require(reply[3].dictionary))
        if presented.show { activity.note(presented.run, at: now) }
        return presented
    }

    @discardableResult
    func finish(_ run: UInt64, _ outcome: TipOutcome = .hidden) throws -> DictionaryValue {
        let now = now
        let reply = try perform { view throws(ModelError) in try view.finishingTip(run, outcome, at: now) }
        return try #require(reply.first?.dictionary)
    }

    /// Presents a tip and ends that.
    func show(_ tip: String, for milliseconds: Int64 = 0, _ outcome: TipOutcome = .hidden) throws {
        let run = try present(tip)
        try #require(run.show, "\(tip): \(run.reason)")
        advance(milliseconds: milliseconds)
        try finish(run.run, outcome)
    }

    @discardableResult
    func donate(_ event: String, _ count: UInt32 = 1) throws -> UInt64 {
        let now = now
        let app = app
        let reply = try perform { view throws(ModelError) in try view.donating(app, Self.id(event), count: count, at: now) }
        return try #require(reply.first?.get(as: UInt64.self))
    }

    func snooze(_ tip: String, _ milliseconds: UInt64) throws {
        let now = now
        let app = app
        try perform { view throws(ModelError) in try view.snoozingTip(app, Self.id(tip), for: milliseconds, at: now) }
    }

    /// The reason of a tip now; empty where it is available.
    func reason(_ tip: String, in app: DomainName = LedgerFixture.app) throws -> String {
        try view.tipGates(app, Self.id(tip), call(), explaining: false).reason
    }

    /// When time alone next changes a tip, in milliseconds from now; nil for never.
    func nextChange() throws -> Int64? {
        try view.tipOutlook(app, call()).nextChange.map { ($0 - now.boottime) / 1_000_000 }
    }

    /// Why a tip is used up, as a list has it.
    func invalid(_ tip: String) throws -> String {
        guard case .array(let rows) = try view.listingTips(app, call()) else { return "?" }
        for case .structure(let fields) in rows.values where fields.first == .string(tip) {
            return fields.last?.dictionary?["invalid"]?.get(as: String.self) ?? "?"
        }
        return "?"
    }

    func take(_ files: FileLayers) {
        let now = now
        fixture.submit("files") { view throws(ModelError) in Ledger.taking(files, in: view, at: now) }
        fixture.commitAll()
    }

    /// Rules of a definition.
    static func rules(_ rules: [(String, Value)]...) -> (String, Value) {
        let type = DBusType.dictionary(key: .string, value: .variant)
        return ("rules", .array(ArrayValue(unchecked: rules.map { .vardict($0) }, of: type)))
    }
}

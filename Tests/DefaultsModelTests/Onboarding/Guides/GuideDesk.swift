import DBusTypes
import Testing

@testable import DefaultsModel

/// One user's guides on a ledger whose disk never fails, as the daemon would have them.
final class GuideDesk {
    /// What Present answers.
    struct Presented {
        let show: Bool
        let reason: String
        let run: UInt64
        let guide: DictionaryValue
    }

    static let app = LedgerFixture.app

    private(set) var ledger = Ledger(StoreSummary())
    var board = CountdownBoard(bootID: "boot", busGUID: "bus")
    var activity = RunActivity()
    var now = Instant.start
    /// What the latest operation announced, without launches.
    private(set) var announcements: [Announcement] = []
    /// How many rows the latest operation wrote.
    private(set) var rows = 0

    var view: StateView { ledger.committedView }

    /// Submits an operation and commits it; returns the reply, or throws what the caller is told.
    @discardableResult
    func perform(_ body: @escaping (StateView) throws(ModelError) -> Outcome) throws -> [Value] {
        var answer: Result<[Value], ModelError>?
        rows = 0
        ledger.submit(
            Operation(caller: CallerID(1), writer: ":1.1", body: body) { [self] result, announced in
                answer = result
                announcements = announced.filter { if case .launchRecorded = $0 { false } else { true } }
            })
        while let changes = ledger.takeBatch() {
            rows += changes.count
            ledger.batchCommitted()
        }
        return try #require(answer).get()
    }

    /// The names of the signals that the latest operation announced, with what tells them apart.
    var signals: [String] {
        announcements.map { announcement in
            switch announcement {
            case .presentation(let signal):
                switch signal.event {
                case .pageChanged(let page, let count): "page \(page)/\(count)"
                case .guideChanged: "changed"
                case .finished(let outcome, _): "finished \(outcome)"
                case .stepChanged, .tourChanged: "of a tour"
                }
            case .countdownBegins(let start): "begins \(start.id.token)"
            case .countdownEnds(_, let reason): "ends \(reason.rawValue)"
            case .preferencesChanged, .locksChanged, .launchRecorded: "other"
            }
        }
    }

    /// Takes note that what was announced has been looked at.
    func forgetAnnouncements() { announcements = [] }

    /// Begins again with what is on disk, as a daemon that was killed does.
    func restart() {
        let old = view
        var domains: [DomainName: DomainContents] = [:]
        for domain in [Self.app, .global] {
            let records = old.onboardingIDs(domain).compactMap { id in old.onboarding(domain, id).map { (id, $0) } }
            domains[domain] = DomainContents(onboarding: Dictionary(uniqueKeysWithValues: records))
        }
        let summary = StoreSummary(revision: old.revision, domains: domains.mapValues { _ in DomainSummary() })
        ledger = Ledger(summary)
        for (domain, contents) in domains { ledger.load(contents, as: domain) }
        activity = RunActivity()
        for run in view.liveRuns { activity.note(run.id, at: now) }
    }

    static func id(_ text: String) -> Identifier {
        guard let id = Identifier(text) else { preconditionFailure("\(text) is no id") }
        return id
    }

    static func caller(_ number: Int = 1) -> ConnectionName {
        ConnectionName(bus: "bus", name: BusName(":1.\(number)") ?? ":1.1")
    }
}

// MARK: - What clients do

extension GuideDesk {
    func call(by caller: Int = 1) -> Presenting { Presenting(now: now, caller: Self.caller(caller), activity: activity) }

    /// Records a launch as `Launches.Record` does; returns what is pending with it.
    @discardableResult
    func launch(_ version: String, options: LaunchOptions = LaunchOptions()) throws -> [String] {
        let version = try Version(version, scheme: options.scheme)
        let now = now
        let reply = try perform { view throws(ModelError) in
            var history = try view.launches(of: Self.app)
            _ = history.record(version, options: options, at: now)
            let (pending, changes) = view.pendingGuides(Self.app, after: history)
            return Outcome(
                reply: [.array(pending)], changes: [.onboarding(Self.app, OnboardingID(.launches), history.stored)] + changes)
        }
        let pending = try #require(reply.first?.get(as: [String].self))
        #expect(try self.pending() == pending, "Query right after Record says the same")
        return pending
    }

    /// Defines a guide of three pages, with other entries beside or instead.
    @discardableResult
    func define(_ guide: String = "welcome", _ entries: [(String, Value)] = []) throws -> Bool {
        let definition = try GuideDefinition(Self.definition(entries))
        let call = call()
        let reply = try perform { view throws(ModelError) in
            try view.definingGuide(Self.app, Self.id(guide), as: definition, call)
        }
        return reply.first == .boolean(true)
    }

    static func definition(_ entries: [(String, Value)] = []) -> DictionaryValue {
        var all = entries
        if !entries.contains(where: { $0.0 == "pages" }) { all.append(("pages", pages(3))) }
        return DictionaryValue(all)
    }

    static func pages(_ count: Int) -> Value {
        let pages = (0..<count).map { Value.vardict([("title", .string("Page \($0)")), ("image", .string("\($0).png"))]) }
        return .array(ArrayValue(unchecked: pages, of: .dictionary(key: .string, value: .variant)))
    }

    func present(_ guide: String = "welcome", _ options: GuideOptions = GuideOptions(), by caller: Int = 1) throws -> Presented {
        let wish = GuideWish(
            app: Self.app, guide: Self.id(guide), options: options,
            call: call(by: caller), user: 1000)
        let reply = try perform { [board] view throws(ModelError) in
            try view.presentingGuide(wish) { start throws(ModelError) in
                try board.check(start)
                return try board.record(of: start)
            }
        }
        let presented = Presented(
            show: reply[0] == .boolean(true), reason: try #require(reply[1].get(as: String.self)),
            run: try #require(reply[2].get(as: UInt64.self)), guide: try #require(reply[3].dictionary))
        #expect(presented.show == presented.reason.isEmpty && presented.show == (presented.run != 0))
        activity.note(presented.run, at: now)
        return presented
    }

    @discardableResult
    func advance(_ run: UInt64, by pages: Int32 = 1) throws -> DictionaryValue {
        try guide(perform { view throws(ModelError) in try view.advancingGuide(run, by: pages) })
    }

    @discardableResult
    func goTo(_ run: UInt64, _ page: UInt32) throws -> DictionaryValue {
        try guide(perform { view throws(ModelError) in try view.turningGuide(run, to: page) })
    }

    @discardableResult
    func finish(_ run: UInt64, _ outcome: GuideOutcome = .completed) throws -> DictionaryValue {
        try guide(perform { view throws(ModelError) in try view.finishingGuide(run, as: outcome) })
    }

    /// Ends a run as the daemon does when its owner leaves, its countdown ends, and so on.
    func end(_ run: UInt64, because end: RunEnd) throws {
        let now = now
        try perform { view throws(ModelError) in view.ending(try view.run(run), because: end, at: now) }
    }

    func take(_ files: FileLayers) throws {
        let now = now
        try perform { view throws(ModelError) in Ledger.taking(files, in: view, at: now) }
    }

    func pending() throws -> [String] { try view.pendingGuides(Self.app) }

    func remove(_ guide: String = "welcome") throws {
        let call = call()
        try perform { view throws(ModelError) in try view.removingGuide(Self.app, Self.id(guide), call) }
    }

    func reset(_ guide: String = "welcome") throws {
        let call = call()
        try perform { view throws(ModelError) in try view.resettingGuide(Self.app, Self.id(guide), call) }
    }

    /// The gates of a guide, as Explain has them.
    func explain(_ guide: String = "welcome", storeLostData: Bool = false) throws -> GateList {
        let call = Presenting(now: now, caller: Self.caller(), activity: activity, storeLostData: storeLostData)
        return try view.guideGates(Self.app, Self.id(guide), call, explaining: true)
    }

    /// A guide's entries in List.
    func listed(_ guide: String = "welcome") throws -> DictionaryValue? {
        guard case .array(let rows) = try view.listGuides(Self.app) else { return nil }
        for case .structure(let fields) in rows.values where fields[0] == .string(guide) { return fields[1].dictionary }
        return nil
    }

    func statistics(_ guide: String = "welcome") -> DictionaryValue? {
        view.guideStatistics(Self.app).first { $0.id == guide }?.counts.dictionary
    }

    private func guide(_ reply: [Value]) throws -> DictionaryValue { try #require(reply.first?.dictionary) }
}

extension DictionaryValue {
    func text(_ name: String) -> String? { self[name]?.get(as: String.self) }
    func number(_ name: String) -> UInt64? { self[name]?.integer(as: UInt64.self) }
    func flag(_ name: String) -> Bool? { self[name]?.get(as: Bool.self) }
}

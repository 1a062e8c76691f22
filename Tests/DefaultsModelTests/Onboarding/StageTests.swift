import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("The stage")
struct StageTests {
    private let fixture = LedgerFixture()

    private func connection(_ number: Int, bus: String = "bus") -> ConnectionName {
        guard let name = BusName(":1.\(number)") else { preconditionFailure("\(number) makes a unique name") }
        return ConnectionName(bus: bus, name: name)
    }

    private func call(_ number: Int = 1, at now: Instant = .start, activity: RunActivity = RunActivity()) -> Presenting {
        Presenting(now: now, caller: connection(number), activity: activity)
    }

    /// Puts a run of a tip on the stage, as a Present does.
    @discardableResult
    private func begin(
        _ item: String, by number: Int, keeps: Bool = false, countdown: String? = nil, at now: Instant = .start
    ) -> UInt64 {
        guard let item = Identifier(item) else { preconditionFailure("\(item) is an id") }
        var begun: UInt64 = 0
        fixture.submit("begin") { view in
            let (id, change) = view.nextNumber
            begun = id
            let run = Run(
                id: id, app: LedgerFixture.app, item: item, revision: 1, owner: connection(number), isReplay: false,
                outlivesOwner: keeps, began: now.wall, countdown: countdown, place: .tip(TipPlace(shownSince: now.boottime)))
            return Outcome(changes: [change, run.change, .onboarding(.global, run.contentRecord, .vardict([]))])
        }
        fixture.commitAll()
        return begun
    }

    private var view: StateView { fixture.ledger.committedView }

    private func reason(_ call: Presenting) -> String {
        var gates = GateList()
        view.checkStage(call, &gates)
        return gates.reason
    }

    private func clean(at now: Instant = .start, _ cause: @escaping (ConnectionName) -> RunEnd?) {
        fixture.submit("clean") { view in view.cleaning(at: now, cause) }
        fixture.commitAll()
    }

    @Test("S1: one thing at a time; when its holder leaves, the next may")
    func oneAtATime() {
        #expect(reason(call()).isEmpty)
        begin("a", by: 1)
        #expect(reason(call(1)) == "busy")
        #expect(reason(call(2)) == "busy")
        clean { $0 == connection(1) ? .ownerLost : nil }
        #expect(reason(call(2)).isEmpty)
        #expect(view.runs.isEmpty)
    }

    @Test("S1: a run without a call for ten minutes keeps its place, not the stage")
    func silence() throws {
        let run = begin("a", by: 1)
        var activity = RunActivity()
        activity.note(run, at: .start)
        #expect(reason(call(2, at: .start.after(milliseconds: 599_999), activity: activity)) == "busy")
        let later = Instant.start.after(milliseconds: 600_000)
        #expect(reason(call(2, at: later, activity: activity)).isEmpty)
        #expect(try view.run(run).isLive)
        activity.note(run, at: later)
        #expect(reason(call(2, at: later, activity: activity)) == "busy")
    }

    @Test("on_owner_lost keep: a run outlives its owner, and ends after an hour without a call")
    func keeping() {
        let run = begin("a", by: 1, keeps: true)
        var activity = RunActivity()
        activity.note(run, at: .start)
        clean { $0 == connection(1) ? .ownerLost : nil }
        #expect(view.liveRuns.map(\.id) == [run])
        #expect(view.liveRuns.allSatisfy { !activity.isForsaken($0, at: .start.after(milliseconds: 3_599_999)) })
        let hour = Instant.start.after(milliseconds: 3_600_000)
        #expect(view.liveRuns.allSatisfy { activity.isForsaken($0, at: hour) })
        #expect(activity.nextDeadline(of: view.liveRuns, at: .start) == Instant.start.after(milliseconds: 600_000).boottime)
        // Another bus hands out the same names: nobody there knows the run.
        clean { $0.bus == "bus" ? .busLost : nil }
        #expect(view.runs.isEmpty)
    }

    @Test("G8: the end of a run ends its countdown, but for an end that the countdown itself is")
    func countdownEnds() throws {
        let id = begin("a", by: 1, countdown: "1_1/guide")
        let run = try view.run(id)
        let ended = view.ending(run, because: .policy, at: .start).announcements
        #expect(ended.contains(.countdownEnds(recordKey: "1_1/guide", .policy)))
        #expect(
            view.ending(run, because: .ownerLost, at: .start).announcements.contains(
                .countdownEnds(recordKey: "1_1/guide", .cancelled)))
        let own = view.ending(run, because: .countdown(.elapsed), at: .start).announcements
        #expect(!own.contains { if case .countdownEnds = $0 { true } else { false } })
    }

    @Test("T8: the number of a run is never used again, also not for a cookie or after its record has gone")
    func numbers() throws {
        let first = begin("a", by: 1)
        clean { _ in .ownerLost }
        #expect(throws: ModelError.self) { try view.run(first) }
        let cookie = try #require(try view.inhibiting(by: connection(1), reason: "").reply.first?.get(as: UInt64.self))
        #expect(cookie == first + 1)
        #expect(begin("a", by: 1) == first + 1)
    }

    @Test("G8: the last 64 runs that ended answer, the ones before have made room")
    func finishedRuns() throws {
        for number in 1...70 {
            let id = begin("a", by: 1)
            let run = try view.run(id)
            #expect(run.id == number)
            fixture.submit("end") { view in Outcome(changes: view.ending(run, as: .finished, outcome: "closed")) }
            fixture.commitAll()
        }
        #expect(view.runs.map(\.id) == Array(7...70))
        #expect(view.runs.allSatisfy { $0.outcome == "closed" && !$0.isLive })
        #expect(view.onboardingIDs(.global, .runContent).count == 64)
    }

    @Test("S1: while someone holds the stage closed nothing new is shown; the cookie is its holder's")
    func inhibiting() throws {
        fixture.submit("inhibit") { view throws(ModelError) in try view.inhibiting(by: connection(1), reason: "a film") }
        fixture.commitAll()
        #expect(reason(call(2)) == "inhibited")
        let cookie = try #require(view.inhibitors.first?.cookie)
        #expect(throws: ModelError.self) { try view.uninhibiting(cookie, by: connection(2)) }
        #expect(throws: ModelError.self) { try view.uninhibiting(cookie + 1, by: connection(1)) }
        var gates = GateList(explaining: true)
        view.checkStage(call(2), &gates)
        #expect(gates.checks.map(\.gate) == [.inhibited, .busy])
        #expect(gates.checks.first?.why == "held back by :1.1 (a film)")
        clean { $0 == connection(1) ? .ownerLost : nil }
        #expect(reason(call(2)).isEmpty)
    }

    @Test("P15, S4: from a sandbox no gate names another application, its presenter, or who holds presentations back and why")
    func hidden() {
        begin("secret-tip", by: 1)
        fixture.submit("inhibit") { view throws(ModelError) in try view.inhibiting(by: connection(7), reason: "a film") }
        fixture.commitAll()
        func whys(from sandbox: DomainName?) -> [String] {
            var gates = GateList(explaining: true)
            let call = Presenting(now: .start, caller: connection(2), activity: RunActivity(), sandbox: sandbox)
            view.checkStage(call, &gates)
            return gates.checks.map(\.why)
        }
        #expect(whys(from: LedgerFixture.other) == ["someone holds presentations back", "something else is presented"])
        // What the application itself presents is no secret from it.
        let own = whys(from: LedgerFixture.app)
        #expect(own.first == "someone holds presentations back" && own.last?.contains("secret-tip") == true)
        #expect(whys(from: nil).first == "held back by :1.7 (a film)")
    }

    @Test("A connection holds at most 16 cookies and a user 256, each with a reason of at most 1,024 bytes")
    func inhibitorLimits() {
        for connection in (1...16).map({ self.connection($0) }) {
            for _ in 1...16 {
                fixture.submit("flood") { view throws(ModelError) in try view.inhibiting(by: connection, reason: "") }
            }
        }
        fixture.commitAll()
        #expect(view.inhibitors.count == 256)
        #expect(throws: ModelError.self) { try view.inhibiting(by: connection(99), reason: "") }
        clean { _ in .ownerLost }
        for _ in 1...16 {
            fixture.submit("inhibit") { view throws(ModelError) in try view.inhibiting(by: connection(1), reason: "") }
        }
        fixture.commitAll()
        #expect(view.inhibitors.count == 16)
        #expect(throws: ModelError.self) { try view.inhibiting(by: connection(1), reason: "") }
        #expect(throws: Never.self) { try view.inhibiting(by: connection(2), reason: "") }
        #expect(throws: ModelError.self) { try view.inhibiting(by: connection(2), reason: String(repeating: "x", count: 1_025)) }
    }

    @Test("S3: a policy that forbids what is presented ends it, with its countdown")
    func policyEnds() throws {
        begin("a", by: 1, countdown: "1_1/guide")
        let files = FileLayers(policy: OnboardingPolicy(machine: .init(kinds: [.tip: .deny])))
        let outcome = Ledger.taking(files, in: view, at: .start)
        #expect(outcome.announcements.contains(.countdownEnds(recordKey: "1_1/guide", .policy)))
        fixture.take(files)
        fixture.commitAll()
        #expect(view.liveRuns.isEmpty)
    }

    @Test("G8: forgetting an application ends what it presents, and no run of it answers")
    func forgetting() {
        begin("a", by: 1)
        fixture.submit("forget") { view in view.forgetting(LedgerFixture.app, at: .start) }
        fixture.commitAll()
        #expect(view.runs.isEmpty)
        #expect(view.onboardingIDs(.global, .runContent).isEmpty)
    }

    @Test("A run on disk is the run that was stored, and a damaged one is none")
    func records() throws {
        let id = begin("é 1", by: 12, keeps: true, countdown: "1_12/x")
        let run = try view.run(id)
        #expect(Run(id: run.id, stored: run.stored) == run)
        for entry in ["format", "kind", "app", "item", "owner", "bus", "state", "outcome", "shown_since"] {
            let rest = (run.stored.dictionary?.entries ?? []).filter { $0.key != .string(entry) }
            let damaged = Value.dictionary(DictionaryValue(unchecked: rest, key: .string, value: .variant))
            #expect(Run(id: run.id, stored: damaged) == nil, "\(entry)")
        }
    }

    @Test("P11: a run ends in memory where the disk refuses, and the next may be shown; the next write of it goes to the disk")
    func inMemory() throws {
        let run = begin("a", by: 1)
        let body: Operation.Body = { view throws(ModelError) in view.ending({ _ in .policy }, at: .start) }
        fixture.submit("end", body)
        #expect(fixture.ledger.takeBatch() != nil)
        fixture.ledger.batchFailed(ModelError(.storageFull, "the disk is full"))
        #expect(try view.run(run).isLive)
        #expect(try fixture.ledger.takeInMemory(body, writer: "", endsRuns: false) == nil)
        #expect(try view.run(run).isLive)
        let taken = try #require(try fixture.ledger.takeInMemory(body, writer: "", endsRuns: true))
        #expect(taken.1.isEmpty)
        #expect(try !view.run(run).isLive)
        #expect(reason(call(2)).isEmpty)
    }
}

import DBusTypes

extension StateView {
    /// How many runs that have ended still answer (G8).
    public static let finishedRuns = 64

    // MARK: Runs

    /// Every run on record, oldest first; those that have ended answer until their connection leaves.
    public var runs: [Run] { numbered(.run).compactMap { id, value in Run(id: id, stored: value) } }

    /// The runs on the screen, oldest first.
    public var liveRuns: [Run] { runs.filter(\.isLive) }

    /// A run by its number; throws `NotFound` for one that never was or answers no more.
    public func run(_ id: UInt64) throws(ModelError) -> Run {
        guard let value = onboarding(.global, OnboardingID(.run, "\(id)")), let run = Run(id: id, stored: value) else {
            throw .notFound("there is no run \(id); Present and Start give one, and it answers until its connection ends")
        }
        return run
    }

    /// A run of one kind by its number; throws `NotFound` for one that isn't there or is of another kind.
    public func run(_ id: UInt64, _ kind: PresentationKind) throws(ModelError) -> Run {
        let run = try run(id)
        guard run.kind == kind else {
            throw .notFound("run \(id) is of \(run.kind.rawValue) \"\(run.item)\", and not of a \(kind.rawValue)")
        }
        return run
    }

    /// What a run shows, as it was when the run began; nil where it is damaged.
    public func content(of run: Run) -> DictionaryValue? { onboarding(.global, run.contentRecord)?.dictionary }

    /// A number for a run or a cookie, never used before, and the change that keeps it from being used again.
    public var nextNumber: (number: UInt64, change: RecordChange) {
        let id = OnboardingID(.stage)
        let last = onboarding(.global, id)?.dictionary?["last"]?.get(as: UInt64.self)
        // After damage: higher than all that are still known.
        var number = last ?? numbered(.run).last?.number ?? 0
        number.countOne()
        return (number, .onboarding(.global, id, .vardict([("last", .uint64(number))])))
    }

    /// The changes that end a run: it answers until its connection leaves, and the oldest that have ended make room.
    public func ending(_ run: Run, as state: Run.State, outcome: String) -> [RecordChange] {
        var ended = run
        ended.state = state
        ended.outcome = outcome
        let old = runs.filter { !$0.isLive && $0.id != run.id }
        return [ended.change] + old.dropLast(Self.finishedRuns - 1).flatMap(\.removal)
    }

    // MARK: Gates

    /// The run that has the stage (S1); nil where the next may be shown.
    ///
    /// A run of the same item counts also when it has lost the stage by silence: who takes it over must end it first.
    public func stageHolder(_ call: Presenting) -> Run? {
        liveRuns.first { call.activity.holdsStage($0, at: call.now) }
    }

    /// Checks the policy, the first gate of all (S2, S3).
    public func checkPolicy(_ app: DomainName, _ kind: PresentationKind, _ gates: inout GateList) {
        let policy = policy(app, kind)
        gates.check(
            .policy, policy.mode == .allow,
            policy.source.map { "\($0) is \"\(policy.mode.rawValue)\"" } ?? "no policy says anything: allow")
    }

    /// Checks the stage, the last two gates of all (S1, S2).
    public func checkStage(_ call: Presenting, _ gates: inout GateList) {
        let inhibitors = inhibitors
        gates.check(
            .inhibited, inhibitors.isEmpty,
            inhibitors.isEmpty
                ? "nobody holds presentations back"
                : call.sandbox == nil ? Self.text(of: inhibitors) : "someone holds presentations back")
        let holder = stageHolder(call)
        gates.check(
            .busy, holder == nil,
            holder.map {
                call.sandbox != nil && call.sandbox != $0.app
                    ? "something else is presented"
                    : "\($0.kind.rawValue) \"\($0.item)\" of \($0.app) is presented by \($0.owner.name), run \($0.id)"
            }
                ?? "nothing is presented")
    }

    /// Who holds presentations back, the first few by name.
    private static func text(of inhibitors: [Inhibitor]) -> String {
        let named = inhibitors.prefix(8).map { "\($0.owner.name)\($0.reason.isEmpty ? "" : " (\($0.reason))")" }
        let others = inhibitors.count - named.count
        return "held back by " + named.joined(separator: ", ") + (others > 0 ? " and \(others) others" : "")
    }

    // MARK: Numbered records

    /// The records of `global` whose ids are numbers, in order.
    func numbered(_ kind: OnboardingKind) -> [(number: UInt64, value: Value)] {
        onboardingIDs(.global, kind).compactMap { id in
            guard let number = UInt64(id.id), let value = onboarding(.global, id) else { return nil }
            return (number, value)
        }.sorted { $0.number < $1.number }
    }
}

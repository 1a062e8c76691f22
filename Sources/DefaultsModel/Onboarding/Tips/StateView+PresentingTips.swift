import DBusTypes

extension StateView {
    // MARK: Present

    /// The outcome of `Tips.Present`: replies whether to show it, why not, the run and the tip.
    ///
    /// Throws `NotFound` where nobody defines it.
    public func presentingTip(
        _ app: DomainName, _ id: Identifier, _ options: TipOptions, _ call: Presenting
    ) throws(ModelError) -> Outcome {
        let tip = try self.tip(app, id)
        let situation = try TipSituation(self, app, call)
        let gates = situation.gates(of: tip, isReplay: options.isReplay)
        if let closed = gates.closed {
            let marks = closed == .policy && !options.isReplay ? markingSeen(app, tip) : []
            return Outcome(
                reply: [.boolean(false), .string(gates.reason), .uint64(0), dictionary(of: tip, situation)],
                changes: clampingTipTimes(of: app, at: call.now) + marks)
        }
        return beginning(tip, app, options, call)
    }

    private func beginning(_ tip: DefinedTip, _ app: DomainName, _ options: TipOptions, _ call: Presenting) -> Outcome {
        var changes = clampingTipTimes(of: app, at: call.now)
        var progress = tip.progress
        // One that has gone silent has lost the stage, and makes room (S1).
        for silent in liveRuns(ofTip: tip.id, app) {
            changes += endingRun(silent, as: .released, outcome: Self.released, &progress, at: call.now)
        }
        if !options.isReplay {
            if progress.displayCount == 0 {
                let pace = TipPace(lastFirstShowing: call.now.wall).stored
                changes += [.onboarding(app, TipPace.record, pace), .onboarding(.global, TipPace.record, pace)]
            }
            progress.displayCount.countOne()
            if keepsStatistics(app) { progress.statistics.shown.countOne() }
            changes.append(.onboarding(app, TipProgress.record(tip.id), progress.stored))
        }
        let (number, change) = nextNumber
        let run = Run(
            id: number, app: app, item: tip.id, revision: tip.definition.revision, owner: call.caller,
            isReplay: options.isReplay, outlivesOwner: options.outlivesOwner, began: call.now.wall,
            place: .tip(
                TipPlace(
                    shownSince: call.now.boottime, displayCount: progress.displayCount,
                    displayDuration: progress.displayDuration)))
        changes += [change, run.change, .onboarding(.global, run.contentRecord, .dictionary(tip.definition.entries))]
        let dictionary = dictionary(of: run, content: tip.definition.entries, attributesOf: tip)
        return Outcome(reply: [.boolean(true), .string(""), .uint64(number), dictionary], changes: changes)
    }

    // MARK: Finish

    /// The outcome of `Tips.Finish`: replies with the tip; the first outcome wins (G8).
    ///
    /// Needs the run's application loaded. Throws `NotFound` for what is no run of a tip.
    public func finishingTip(_ id: UInt64, _ outcome: TipOutcome, at now: Instant) throws(ModelError) -> Outcome {
        let run = try run(id, .tip)
        var changes: [RecordChange] = []
        if run.isLive {
            let record = TipProgress.record(run.item)
            var progress =
                try self.record(run.app, record, TipProgress.init(stored:)) ?? TipProgress(revision: run.revision)
            changes = endingRun(run, as: .finished, outcome: outcome.rawValue, &progress, at: now)
            if progress.revision == run.revision { progress.invalidity = progress.invalidity ?? outcome.invalidity }
            if !run.isReplay { changes.append(.onboarding(run.app, record, progress.stored)) }
        }
        let ended = run.isLive ? Self.ended(run, as: .finished, outcome: outcome.rawValue, at: now) : run
        let content = content(of: run) ?? DictionaryValue([])
        return Outcome(
            reply: [dictionary(of: ended, content: content, attributesOf: try definedTip(run.app, run.item))], changes: changes)
    }

    /// The changes that end a run, and what that does to the progress of its tip.
    ///
    /// The progress is of another revision where the tip was defined anew meanwhile; then only the statistics count.
    func endingRun(
        _ run: Run, as state: Run.State, outcome: String, _ progress: inout TipProgress, at now: Instant
    ) -> [RecordChange] {
        let ended = Self.ended(run, as: state, outcome: outcome, at: now)
        if !run.isReplay, case .tip(let before) = run.place, case .tip(let after) = ended.place {
            if progress.revision == run.revision {
                let shown = after.displayDuration - before.displayDuration
                let (sum, isBeyond) = progress.displayDuration.addingReportingOverflow(shown)
                progress.displayDuration = isBeyond ? .max : sum
            }
            if keepsStatistics(run.app) { progress.statistics.outcomes[outcome, default: 0].countOne() }
        }
        return ending(ended, as: state, outcome: outcome)
    }

    /// The word for a run that ended otherwise than by Finish.
    static var released: String { "released" }

    private static func ended(_ run: Run, as state: Run.State, outcome: String, at now: Instant) -> Run {
        var ended = run
        ended.state = state
        ended.outcome = outcome
        if case .tip(var place) = run.place, !run.isReplay {
            let (sum, isBeyond) = place.displayDuration.addingReportingOverflow(place.elapsed(at: now))
            place.displayDuration = isBeyond ? .max : sum
            ended.place = .tip(place)
        }
        return ended
    }

    // MARK: Snooze

    /// The outcome of `Tips.Snooze`: the tip isn't available for `duration` milliseconds from now; 0 ends an earlier one.
    ///
    /// Throws `NotFound` where nobody defines it.
    public func snoozingTip(
        _ app: DomainName, _ id: Identifier, for duration: UInt64, at now: Instant
    ) throws(ModelError) -> Outcome {
        var progress = try tip(app, id).progress
        progress.snooze = duration > 0 ? TipProgress.Snooze(since: now.wall, duration: duration) : nil
        let record = TipProgress.record(id)
        let stored = progress.stored
        return Outcome(changes: onboarding(app, record) == stored ? [] : [.onboarding(app, record, stored)])
    }
}

// MARK: - Dictionaries

extension StateView {
    /// A tip that is presented, or was.
    func dictionary(of run: Run, content: DictionaryValue, attributesOf tip: DefinedTip?) -> Value {
        var entries: [(String, Value)] = [
            ("id", .string(run.item.text)), ("state", .string(run.state.rawValue)), ("outcome", .string(run.outcome)),
        ]
        if case .tip(let place) = run.place {
            entries += [
                ("display_count", .uint32(place.displayCount)), ("display_duration", .uint64(place.displayDuration)),
            ]
        }
        // Attributes follow the definition in effect, while the rest is as it was when the run began.
        return .tip(entries, content, attributes: tip.map(\.definition.entries) ?? content)
    }

    /// A tip that is not presented.
    func dictionary(of tip: DefinedTip, _ situation: TipSituation) -> Value {
        let progress = tip.progress
        let isOnScreen = !liveRuns(ofTip: tip.id, situation.app).isEmpty
        let state =
            isOnScreen
            ? Run.State.presenting.rawValue
            : situation.invalidity(of: tip) != nil
                ? Run.State.finished.rawValue : progress.displayCount > 0 ? Run.State.released.rawValue : "new"
        let entries: [(String, Value)] = [
            ("id", .string(tip.id.text)), ("state", .string(state)), ("outcome", .string("")),
            ("display_count", .uint32(progress.displayCount)), ("display_duration", .uint64(progress.displayDuration)),
        ]
        return .tip(entries, tip.definition.entries, attributes: tip.definition.entries)
    }
}

extension Value {
    fileprivate static func tip(
        _ entries: [(String, Value)], _ content: DictionaryValue, attributes definition: DictionaryValue
    ) -> Value {
        let attributes = "attributes"
        var all = entries
        for entry in content.entries {
            guard case .string(let name) = entry.key, case .variant(let value) = entry.value, name != attributes else { continue }
            all.append((name, value))
        }
        if let value = definition[attributes] { all.append((attributes, value)) }
        return .vardict(all)
    }
}

import DBusTypes

/// What the gates of an application's tips rest on, looked up once for all of them.
struct TipSituation {
    let view: StateView
    let app: DomainName
    let call: Presenting
    /// All tips of the application, sorted by id.
    let tips: [DefinedTip]
    /// How often events were donated, as far as rules ask.
    private let events: [Identifier: EventRecord]
    private let frequency: Interval
    private let budget: Interval
    /// The tip of this application that has the stage.
    private let onScreen: Identifier?

    /// A time between first showings (I2).
    private struct Interval {
        /// The preference that sets it, as people know it.
        let name: String
        /// In milliseconds; 0 for none.
        let interval: UInt64
        let pace: TipPace?

        /// When the next new tip may come, in microseconds since the Unix epoch; nil where it may now.
        func end(at now: Instant) -> Int64? {
            guard interval > 0, let end = pace?.next(after: interval, at: now), end > now.wall else { return nil }
            return end
        }
    }

    /// Looks up all that is stored; throws `Unavailable` where some of it can't be read (P8).
    init(_ view: StateView, _ app: DomainName, _ call: Presenting) throws(ModelError) {
        self.view = view
        self.app = app
        self.call = call
        tips = try view.tips(of: app)
        frequency = Interval(
            name: PreferenceKey.tipFrequency.text, interval: view.interval(app, .tipFrequency),
            pace: try view.record(app, TipPace.record, TipPace.init(stored:)))
        budget = Interval(
            name: "\(PreferenceKey.tipBudget) of global", interval: view.interval(.global, .tipBudget),
            pace: try view.record(.global, TipPace.record, TipPace.init(stored:)))
        var events: [Identifier: EventRecord] = [:]
        for case .event(let event, _, _) in tips.flatMap(\.definition.rules).map(\.subject) where events[event] == nil {
            events[event] = try view.event(app, event)
        }
        self.events = events
        let holder = tips.isEmpty ? nil : view.stageHolder(call)
        onScreen = holder.flatMap { $0.kind == .tip && $0.app == app && !$0.isReplay ? $0.item : nil }
    }

    /// Why a tip is used up; nil where it isn't.
    func invalidity(of tip: DefinedTip) -> TipProgress.Invalidity? { tip.invalidity(isOnScreen: tip.id == onScreen) }
}

// MARK: - Gates

extension TipSituation {
    /// The gates of a tip in their order (S2); a replay asks only for the policy and the stage.
    func gates(of tip: DefinedTip, isReplay: Bool = false, explaining: Bool = false) -> GateList {
        var gates = GateList(explaining: explaining)
        view.checkPolicy(app, .tip, &gates)
        if !isReplay {
            checkInvalid(tip, &gates)
            checkSnoozed(tip, &gates)
            checkGroup(tip, &gates)
            checkPace(tip, .frequency, frequency, &gates)
            checkPace(tip, .budget, budget, &gates)
            checkRules(tip, &gates)
        }
        view.checkStage(call, &gates)
        return gates
    }

    /// Whether nothing but its group, the policy and the stage could hold a tip back.
    private func isOpen(_ tip: DefinedTip) -> Bool {
        var gates = GateList()
        checkInvalid(tip, &gates)
        checkSnoozed(tip, &gates)
        checkPace(tip, .frequency, frequency, &gates)
        checkPace(tip, .budget, budget, &gates)
        checkRules(tip, &gates)
        return gates.closed == nil
    }

    private func checkInvalid(_ tip: DefinedTip, _ gates: inout GateList) {
        let invalidity = invalidity(of: tip)
        let progress = tip.progress
        gates.check(
            .invalid, invalidity == nil,
            (invalidity.map { "used up: \($0.rawValue); " } ?? "")
                + "presented \(Self.used(UInt64(progress.displayCount), UInt64(tip.definition.maximumDisplayCount), "times")), "
                + "on screen \(Self.used(progress.displayDuration, tip.definition.maximumDisplayDuration, "ms")), "
                + "at revision \(progress.revision) where \(tip.definition.revision) is defined")
    }

    private static func used(_ used: UInt64, _ limit: UInt64, _ unit: String) -> String {
        limit == 0 ? "\(used) \(unit) with no limit" : "\(used) of at most \(limit) \(unit)"
    }

    private func checkSnoozed(_ tip: DefinedTip, _ gates: inout GateList) {
        let end = tip.progress.snooze?.end(at: call.now)
        gates.check(
            .snoozed, end.map { $0 <= call.now.wall } ?? true,
            end.map { Self.until($0, call.now, "put off") } ?? "it was not put off")
    }

    private func checkGroup(_ tip: DefinedTip, _ gates: inout GateList) {
        let group = tip.definition.group
        guard !group.isEmpty else { return gates.check(.group, true, "it is in no group") }
        var first: DefinedTip?
        // Looked at only where the check is made at all: each is a tip with gates of its own.
        func findFirst() -> Bool {
            first = tips.filter { $0.id != tip.id && $0.definition.group.hasSameBytes(as: group) && $0.isBefore(tip) }
                .sorted { $0.isBefore($1) }.first { tip.definition.isOrdered ? invalidity(of: $0) == nil : isOpen($0) }
            return first == nil
        }
        gates.check(
            .group, findFirst(),
            first.map {
                "tip \"\($0.id)\" of group \"\(group)\" comes first\(tip.definition.isOrdered ? ", and is not used up" : "")"
            }
                ?? "no other tip of group \"\(group)\" comes first")
    }

    private func checkPace(_ tip: DefinedTip, _ gate: Gate, _ pace: Interval, _ gates: inout GateList) {
        let end = isLimited(tip) ? pace.end(at: call.now) : nil
        func why() -> String {
            if tip.definition.ignoresFrequency { return "it ignores \(pace.name)" }
            if tip.progress.displayCount > 0 { return "it was shown before, and \(pace.name) limits only new ones" }
            if pace.interval == 0 { return "\(pace.name) is not set" }
            return end.map { Self.until($0, call.now, "\(pace.name) is \(pace.interval) ms, and the last new tip is younger") }
                ?? "\(pace.name) is \(pace.interval) ms, and no new tip is younger"
        }
        gates.check(gate, end == nil, why())
    }

    private func checkRules(_ tip: DefinedTip, _ gates: inout GateList) {
        let rules = tip.definition.rules
        gates.check(
            .rules, rules.allSatisfy(holds),
            rules.isEmpty
                ? "it has no rules"
                : rules.enumerated().map { "rules[\($0)] \(holds($1) ? "holds" : "doesn't hold"): \(explain($1))" }
                    .joined(separator: "; "))
    }

    /// Whether only new tips' paces hold it back: it was never shown, and doesn't ignore them (I2).
    private func isLimited(_ tip: DefinedTip) -> Bool { tip.progress.displayCount == 0 && !tip.definition.ignoresFrequency }

    private static func until(_ end: Int64, _ now: Instant, _ what: String) -> String {
        end > now.wall ? "\(what), for \((end - now.wall + 999) / 1_000) ms more" : "\(what), which is over"
    }
}

// MARK: - Rules

extension TipSituation {
    private func holds(_ rule: TipRule) -> Bool {
        switch rule.subject {
        case .preference(let key, let value): rule.comparison.holds(view.effectiveValue(app, key)?.value, value)
        case .event(let event, let count, let window): rule.comparison.holds(donated(event, window), count)
        }
    }

    private func donated(_ event: Identifier, _ window: UInt64?) -> UInt64 {
        events[event]?.count(within: window, at: call.now) ?? 0
    }

    private func explain(_ rule: TipRule) -> String {
        switch rule.subject {
        case .preference(let key, let value):
            let found = view.effectiveValue(app, key)?.value
            return "preference \"\(key)\" is \(found?.shortDescription ?? "absent"), asked for is "
                + "\(rule.comparison.rawValue) \(value.shortDescription)"
        case .event(let event, let count, let window):
            return "event \"\(event)\" was donated \(donated(event, window)) times"
                + (window.map { " in the last \($0) ms" } ?? "") + ", asked for is \(rule.comparison.rawValue) \(count)"
        }
    }

    /// The first moment after now at which time alone changes what holds an application's tips back, in microseconds since the Unix epoch; nil for
    /// never.
    var nextChange: Int64? {
        tips.flatMap { tip -> [Int64?] in
            guard invalidity(of: tip) == nil else { return [] }
            var moments = tip.definition.rules.map(nextChange)
            moments.append(tip.progress.snooze?.end(at: call.now))
            if isLimited(tip) { moments += [frequency.end(at: call.now), budget.end(at: call.now)] }
            return moments
        }.compactMap { $0 }.filter { $0 > call.now.wall }.min()
    }

    private func nextChange(of rule: TipRule) -> Int64? {
        guard case .event(let event, let count, let window?) = rule.subject, let record = events[event] else { return nil }
        let holdsNow = holds(rule)
        return record.counts(leaving: window, at: call.now).first { rule.comparison.holds($0.count, count) != holdsNow }?.wall
    }
}

extension PreferenceKey {
    /// An application's time between two new tips (I2).
    static let tipFrequency = known("onboarding.tip-frequency")
    /// The time between two new tips of whatever application, in `global` (I2).
    static let tipBudget = known("onboarding.tip-budget")

    private static func known(_ text: String) -> PreferenceKey {
        guard let key = PreferenceKey(text) else { preconditionFailure("\(text) follows the rule for keys") }
        return key
    }
}

import DBusTypes

/// Whether a tip would be shown now, and why not.
public struct TipStatus: Hashable, Sendable {
    /// The tip.
    public let tip: Identifier
    /// The first gate that doesn't let it pass; empty where it is available.
    public let reason: String

    /// Whether it would be shown.
    public var isAvailable: Bool { reason.isEmpty }
}

extension StateView {
    /// Whether each tip of an application would be shown now, sorted by id.
    public func tipStatuses(_ app: DomainName, _ call: Presenting) throws(ModelError) -> [TipStatus] {
        let situation = try TipSituation(self, app, call)
        return situation.tips.map { TipStatus(tip: $0.id, reason: situation.gates(of: $0).reason) }
    }

    /// When time alone next changes the status of one of an application's tips, in nanoseconds of CLOCK_BOOTTIME; nil for never.
    ///
    /// A wall clock that is set moves it: ask again after what has changed.
    public func nextTipChange(_ app: DomainName, _ call: Presenting) throws(ModelError) -> Int64? {
        let situation = try TipSituation(self, app, call)
        guard !situation.tips.isEmpty else { return nil }
        let silence = call.activity.nextDeadline(of: liveRuns, at: call.now)
        let moment = situation.nextChange.map { wall -> Int64 in
            let (wait, isLong) = (wall - call.now.wall).multipliedReportingOverflow(by: 1_000)
            let (deadline, isBeyond) = call.now.boottime.addingReportingOverflow(wait)
            return isLong || isBeyond ? .max : deadline
        }
        return [silence, moment].compactMap { $0 }.min()
    }

    /// The preferences on which the tips of an application rest; empty where it has no tips.
    public func tipKeys(_ app: DomainName) throws(ModelError) -> Set<PreferenceKey> {
        let tips = try tips(of: app)
        guard !tips.isEmpty else { return [] }
        var keys: Set<PreferenceKey> = [.tipFrequency, .tipBudget]
        for case .preference(let key, _) in tips.flatMap(\.definition.rules).map(\.subject) { keys.insert(key) }
        return keys
    }

    /// The reply of `Tips.Evaluate`: `a(sbs)`.
    public func evaluatingTips(_ app: DomainName, _ call: Presenting) throws(ModelError) -> Value {
        let rows = try tipStatuses(app, call).map {
            Value.structure([.string($0.tip.text), .boolean($0.isAvailable), .string($0.reason)])
        }
        return .array(ArrayValue(unchecked: rows, of: .structure([.string, .boolean, .string])))
    }

    /// The reply of `Tips.List`: `a(sa{sv})`.
    public func listingTips(_ app: DomainName, _ call: Presenting) throws(ModelError) -> Value {
        let situation = try TipSituation(self, app, call)
        let rows = situation.tips.map { tip in
            let reason = situation.gates(of: tip).reason
            return Value.structure([
                .string(tip.id.text),
                .vardict([
                    ("available", .boolean(reason.isEmpty)), ("reason", .string(reason)),
                    ("invalid", .string(situation.invalidity(of: tip)?.rawValue ?? "")),
                    ("revision", .uint32(tip.definition.revision)), ("display_count", .uint32(tip.progress.displayCount)),
                    ("source", .string(tip.source)),
                ]),
            ])
        }
        return .array(ArrayValue(unchecked: rows, of: .structure([.string, .dictionary(key: .string, value: .variant)])))
    }

    /// The gates of a tip (S4); throws `NotFound` where nobody defines it.
    public func tipGates(
        _ app: DomainName, _ id: Identifier, _ call: Presenting, explaining: Bool
    ) throws(ModelError) -> GateList {
        let tip = try tip(app, id)
        return try TipSituation(self, app, call).gates(of: tip, explaining: explaining)
    }

    /// What was counted of an application's tips, an `a{sv}` by id, for `Admin.Statistics`.
    func tipStatistics(_ app: DomainName) -> Value {
        .vardict(
            onboardingIDs(app, .tip).compactMap { id in
                guard let statistics = onboarding(app, id).flatMap(TipProgress.init(stored:))?.statistics, !statistics.isEmpty
                else { return nil }
                return (id.id, statistics.dictionary)
            })
    }
}

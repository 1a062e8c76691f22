import DBusTypes

/// Whether a tip would be shown now, and why not.
public struct TipStatus: Hashable, Sendable {
    /// The tip.
    public let tip: Identifier
    /// The first gate that doesn't let it pass; empty where it is available.
    public let reason: String

    /// Says how a tip is.
    public init(tip: Identifier, reason: String) {
        self.tip = tip
        self.reason = reason
    }

    /// Whether it would be shown.
    public var isAvailable: Bool { reason.isEmpty }
}

/// Whether each tip of an application would be shown now, and what that rests on.
public struct TipOutlook: Hashable, Sendable {
    /// The tips, sorted by id.
    public let statuses: [TipStatus]
    /// The preferences that may change it; empty where there are no tips.
    public let keys: Set<PreferenceKey>
    /// When time alone next changes it, in nanoseconds of CLOCK_BOOTTIME; nil for never.
    ///
    /// A wall clock that is set moves it: ask again then, or after what has changed.
    public let nextChange: Int64?

    init(_ situation: TipSituation) {
        let (tips, call) = (situation.tips, situation.call)
        statuses = tips.map { TipStatus(tip: $0.id, reason: situation.gates(of: $0).reason) }
        guard !tips.isEmpty else {
            (keys, nextChange) = ([], nil)
            return
        }
        var keys: Set<PreferenceKey> = [.tipFrequency, .tipBudget]
        for case .preference(let key, _) in tips.flatMap(\.definition.rules).map(\.subject) { keys.insert(key) }
        self.keys = keys
        let silence = call.activity.nextDeadline(of: situation.view.liveRuns, at: call.now)
        let moment = situation.nextChange.map { wall -> Int64 in
            let (wait, isLong) = (wall - call.now.wall).multipliedReportingOverflow(by: 1_000)
            let (deadline, isBeyond) = call.now.boottime.addingReportingOverflow(wait)
            return isLong || isBeyond ? .max : deadline
        }
        nextChange = [silence, moment].compactMap { $0 }.min()
    }
}

extension StateView {
    /// Whether each tip of an application would be shown now, and what that rests on.
    public func tipOutlook(_ app: DomainName, _ call: Presenting) throws(ModelError) -> TipOutlook {
        TipOutlook(try TipSituation(self, app, call))
    }

    /// The reply of `Tips.Evaluate`: `a(sbs)`.
    public func evaluatingTips(_ app: DomainName, _ call: Presenting) throws(ModelError) -> Value {
        let rows = try tipOutlook(app, call).statuses.map {
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

import DBusTypes

extension StateView {
    /// Every gate of a guide, a tour or a tip, passed or not, with the data used (S4); throws `NotFound` where there is no such thing.
    public func explaining(
        _ app: DomainName, _ kind: PresentationKind, _ id: Identifier, _ call: Presenting
    ) throws(ModelError) -> GateList {
        switch kind {
        case .guide: try guideGates(app, id, call, explaining: true)
        case .tour: try tourGates(app, id, call, explaining: true)
        case .tip: try tipGates(app, id, call, explaining: true)
        }
    }

    /// What was counted of an application's guides, tours and tips, the `a{sv}` of `Admin.Statistics`: by kind, then by id.
    ///
    /// A kind without any is left out; so are all where the policy has no statistics.
    public func statistics(_ app: DomainName) -> Value {
        guard keepsStatistics(app) else { return .vardict([]) }
        let kinds = [
            (PresentationKind.guide, Value.vardict(guideStatistics(app).map { ($0.id, $0.counts) })),
            (.tour, tourStatistics(app)), (.tip, tipStatistics(app)),
        ]
        return .vardict(kinds.filter { $0.1.dictionary?.entries.isEmpty == false }.map { ($0.0.rawValue, $0.1) })
    }
}

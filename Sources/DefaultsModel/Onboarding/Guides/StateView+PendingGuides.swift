import DBusTypes

extension StateView {
    /// How many guides about what is new are pending at most (G5).
    static let pendingWhatsNew = 10

    /// The ids of the guides that are due, as `Guides.Pending` tells them (G5).
    ///
    /// `storeLostData` is whether the store lost data and the user hasn't acknowledged it (P9). Throws `Unavailable` where the launches can't be
    /// read.
    public func pendingGuides(_ app: DomainName, storeLostData: Bool = false) throws(ModelError) -> [String] {
        pendingGuides(app, after: try launches(of: app, storeLostData: storeLostData)).pending
    }

    /// The guides that are due after a launch, whose history is `history`, and the changes that keep them so (G6).
    ///
    /// One whose stored progress can't be read isn't due: it may have been seen (P8).
    public func pendingGuides(_ app: DomainName, after history: LaunchHistory) -> (pending: [String], changes: [RecordChange]) {
        var due: [EffectiveGuide] = []
        var changes: [RecordChange] = []
        let isAllowed = policy(app, .guide).mode == .allow
        for guide in guides(app) {
            let stored = onboarding(app, Self.progressID(guide.id))
            guard let progress = stored.map(GuideProgress.init(stored:)) ?? GuideProgress(revision: guide.definition.revision)
            else { continue }
            if isAllowed, isDue(guide, progress, history) { due.append(guide) }
            if let noted = noting(app, guide, progress, history) { changes.append(change(app, guide.id, noted)) }
        }
        let onboarding = due.filter { $0.definition.kind == .onboarding }
        let whatsNew = due.filter { $0.definition.kind == .whatsNew }.sorted(by: Self.isNewer).prefix(Self.pendingWhatsNew)
        return ((onboarding + whatsNew).map(\.id.text), changes)
    }

    /// Newest first; then those whose since_version doesn't compare, then those without one, each by id.
    private static func isNewer(_ left: EffectiveGuide, _ right: EffectiveGuide) -> Bool {
        let (leftRank, rightRank) = (rank(left), rank(right))
        if leftRank != rightRank { return leftRank < rightRank }
        if leftRank == 0, let new = left.definition.sinceVersion, let old = right.definition.sinceVersion {
            if new.isHigher(than: old) { return true }
            if old.isHigher(than: new) { return false }
        }
        return left.id < right.id
    }

    private static func rank(_ guide: EffectiveGuide) -> Int {
        guide.definition.sinceVersion.map { $0.isOpaque ? 1 : 0 } ?? 2
    }
}

extension StateView {
    /// The gates of a guide, in their order (S2, S4).
    ///
    /// A replay passes all but policy, inhibited and busy (G9). Throws `NotFound` for a guide that isn't defined, `Unavailable` where what is
    /// stored of it can't be read.
    public func guideGates(
        _ app: DomainName, _ guide: Identifier, _ call: Presenting, isReplay: Bool = false, explaining: Bool = false
    ) throws(ModelError) -> GateList {
        var gates = GateList(explaining: explaining)
        let guide = try self.guide(app, guide)
        checkPolicy(app, .guide, &gates)
        if !isReplay {
            let history = try launches(of: app, storeLostData: call.storeLostData)
            GuideEligibility(guide.definition, try progress(app, guide), history).check(&gates)
        }
        checkStage(call, &gates)
        return gates
    }

    /// Whether a guide is due with a history of launches, whatever is presented and whatever the policy.
    func isDue(_ guide: EffectiveGuide, _ progress: GuideProgress, _ history: LaunchHistory) -> Bool {
        var gates = GateList()
        GuideEligibility(guide.definition, progress, history).check(&gates)
        return gates.closed == nil
    }

    /// What of a guide must be put on disk where the application defines it or records a launch; nil where nothing changes.
    ///
    /// What became due stays so (G6); under the policy baseline it counts as seen instead, unless it is about a version that doesn't run
    /// yet (S3).
    func noting(
        _ app: DomainName, _ guide: EffectiveGuide, _ progress: GuideProgress, _ history: LaunchHistory
    ) -> GuideProgress? {
        var noted = progress
        switch policy(app, .guide).mode {
        case .deny: return nil
        case .baseline:
            let eligibility = GuideEligibility(guide.definition, progress, history)
            guard !eligibility.progress.isSeen || eligibility.isMarked, !eligibility.isAhead else { return nil }
            noted.baseline(guide.definition, atLaunch: history.launchCount)
        case .allow:
            guard isDue(guide, progress, history) else { return nil }
            noted.eligible = guide.definition.revision
        }
        return noted == progress ? nil : noted
    }
}

import DBusTypes

/// Whether a tour is due, and from where on, as its definition and its progress say (T1, T6, T7).
enum TourStanding: Hashable {
    /// The user has ended it, or nothing of it is left to show; `isNew` where the progress doesn't say so yet.
    case seen(isNew: Bool, why: String)
    /// It was begun and broken off too often.
    case abandoned(why: String)
    /// It may be shown.
    case due(Beginning)

    /// Where a run of a tour begins.
    struct Beginning: Hashable {
        /// Among the steps that are newer than a revision, from 0.
        var step = 0
        /// That revision; 0 for all steps.
        var newerThan: UInt32 = 0
        /// What was shown before it was resumed.
        var shown: [Identifier] = []
        /// Whether it goes on where it was left.
        var isResumed = false
    }
}

extension TourDefinition {
    /// How a tour stands; `isPresented` where a run of it that counts is on the screen.
    func standing(_ progress: TourProgress, isPresented: Bool, at now: Instant) -> TourStanding {
        if progress.seenRevision >= revision {
            return .seen(
                isNew: false,
                why: "revision \(progress.seenRevision) was ended (\(progress.outcome)), the definition's is \(revision)")
        }
        let newerThan = onNewRevision == .progressive ? progress.seenRevision : 0
        let steps = steps(newerThan: newerThan)
        guard !steps.isEmpty else {
            return .seen(isNew: false, why: "no step is newer than revision \(newerThan), which was ended")
        }
        if !isPresented, let why = abandonment(progress) { return .abandoned(why: why) }
        guard resumes(progress, isPresented: isPresented, at: now) else {
            return .due(TourStanding.Beginning(newerThan: newerThan))
        }
        // What is on the screen isn't over, whatever became of its definition.
        guard let place = progress.place(in: steps) ?? (isPresented ? steps.count - 1 : nil) else {
            return .seen(isNew: true, why: "neither step \"\(progress.step?.text ?? "")\" nor any that came after it is left")
        }
        return .due(
            TourStanding.Beginning(
                step: place, newerThan: newerThan, shown: progress.isUnfinished ? progress.shown : [], isResumed: true))
    }

    /// Why it is abandoned; nil where it isn't (G2).
    private func abandonment(_ progress: TourProgress) -> String? {
        // A raised revision starts counting afresh.
        guard revision <= progress.revision else { return nil }
        if progress.outcome == "abandoned" { return "abandoned after \(progress.attempts) attempts" }
        guard maximumAttempts > 0, progress.attempts >= maximumAttempts else { return nil }
        return "\(progress.attempts) attempts, max_attempts is \(maximumAttempts)"
    }

    /// Whether it goes on where it was left.
    private func resumes(_ progress: TourProgress, isPresented: Bool, at now: Instant) -> Bool {
        if isPresented { return true }
        guard progress.step != nil else { return false }
        if revision > progress.revision {
            switch onNewRevision {
            case .restart: return false
            case .progressive where !progress.isUnfinished: return false
            case .progressive, .resume: break
            }
        }
        guard progress.isUnfinished else { return true }
        return !(progress.hasCrashed && onCrash == .restart) && !progress.isTooOld(self, at: now)
    }
}

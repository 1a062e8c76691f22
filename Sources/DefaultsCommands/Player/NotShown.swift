import DefaultsInterface

/// Why something isn't shown, in the words of someone who typed a command.
enum NotShown {
    /// The failure: busy and inhibited pass, so that trying again is worth it; the others don't by themselves.
    static func failure(_ presenter: Presenter, reason: String) -> Failure {
        failure(presenter.kind, app: presenter.app, id: presenter.id, reason: reason)
    }

    /// The failure for one that isn't shown for a reason of `Reasons`.
    static func failure(_ kind: PresentationKind, app: String, id: String, reason: String) -> Failure {
        let status: ExitStatus = reason == Reasons.busy || reason == Reasons.inhibited ? .notNow : .no
        let target = "\(TextEscaping.safe(app)) \(TextEscaping.safe(id))"
        let why = sentence(reason, kind: kind, reset: "\"\(programName) \(kind.rawValue) reset \(target)\"", app: app)
        let more =
            status == .no
            ? "; \"\(programName) explain \(TextEscaping.safe(app)) \(kind.rawValue) \(TextEscaping.safe(id))\" says more" : ""
        return Failure(
            "\(kind.rawValue) \(TextEscaping.safe(id)) of \(TextEscaping.safe(app)) isn't shown (\(TextEscaping.safe(reason))): \(why)\(more)",
            status: status)
    }

    private static func sentence(_ reason: String, kind: PresentationKind, reset: String, app: String) -> String {
        switch reason {
        case Reasons.policy: "the administrator's policy denies it"
        case Reasons.notRecorded:
            "no launch is on record; \"\(programName) launch record \(TextEscaping.safe(app)) VERSION\" records one"
        case Reasons.unknownLaunch:
            "data was lost, so nobody knows whether you have seen it; \"\(programName) status --acknowledge\" starts afresh"
        case Reasons.seen: "you have seen this revision; \(reset) makes it new, and --replay shows it all the same"
        case Reasons.abandoned: "what presented it ended too often before you had seen it; \(reset) makes it new"
        case Reasons.version: "it is about a version that you don't have yet, or had from the beginning"
        case Reasons.audience: "it is for others: those who begin, or those who had an earlier version"
        case Reasons.significance: "the upgrade was too small for it"
        case Reasons.invalid: "the tip is used up; \(reset) makes it new"
        case Reasons.snoozed: "it is put off"
        case Reasons.group: "another tip of its group comes first"
        case Reasons.frequency: "another tip of the application was shown a short while ago"
        case Reasons.budget: "a tip of some application was shown a short while ago"
        case Reasons.rules: "its rules don't hold"
        case Reasons.inhibited: "something holds back all that is new, such as \"\(programName) inhibit\""
        case Reasons.busy: "another guide, tour or tip is being presented to you"
        default: "this version of \(programName) doesn't know that reason"
        }
    }
}

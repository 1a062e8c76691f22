/// How a run of a guide ended; the raw value is the word on the wire.
public enum GuideOutcome: String, Hashable, Sendable, CaseIterable {
    /// The user went through it.
    case completed
    /// The user skipped it.
    case skipped
    /// The user closed it.
    case dismissed
    /// Its countdown ran out.
    case timedOut = "timed_out"
    /// It couldn't be shown: an attempt.
    case failed
    /// It was given back: still due.
    case released
    /// Its presenter died too often (G2).
    case abandoned
    /// The administrator has it count as seen (S3).
    case policy

    /// Whether it counts as seen (G1).
    var isSeen: Bool {
        switch self {
        case .completed, .skipped, .dismissed, .timedOut, .policy: true
        case .failed, .released, .abandoned: false
        }
    }

    /// What a run is after it.
    var state: Run.State { self == .released ? .released : .finished }

    /// Reads the outcome that a presenter gives `Finish`; throws `InvalidArgument` for a word that isn't its to give.
    public init(finish word: String) throws(ModelError) {
        let words = [GuideOutcome.completed, .skipped, .dismissed, .failed, .released]
        guard let outcome = words.first(where: { $0.rawValue == word }) else {
            let known = words.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw .invalidArgument("outcome is \"\(word.prefix(80))\"; it must be one of \(known)")
        }
        self = outcome
    }
}

/// What ends a run of a guide.
enum GuideEnd: Hashable {
    /// The presenter said so, the user with it, or the countdown.
    case outcome(GuideOutcome)
    /// The presenter died: an attempt (G2).
    case death
    /// Nobody's fault: the bus went away, the policy forbids it, another presenter took over.
    case interruption
    /// What is known of the guide goes with it, and is written elsewhere.
    case removal

    /// The outcome, apart from what the number of attempts makes of it.
    var outcome: GuideOutcome {
        switch self {
        case .outcome(let outcome): outcome
        case .death, .interruption, .removal: .released
        }
    }
}

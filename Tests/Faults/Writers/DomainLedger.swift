import DBusTypes

/// What a domain must hold by what its one writer was answered, kept where no fault reaches it.
///
/// The writer's requests take effect in the order sent: after a crash the domain holds all that was answered, and of what
/// was not the first so many, each whole.
struct DomainLedger {
    private(set) var acknowledged: [String: Value] = [:]
    private var unanswered: [Write] = []

    /// How many writes are on their way.
    var pending: Int { unanswered.count }

    mutating func sent(_ write: Write) { unanswered.append(write) }

    /// The oldest write on its way was answered with success.
    mutating func succeeded() {
        guard !unanswered.isEmpty else { return }
        unanswered.removeFirst().perform(on: &acknowledged)
    }

    /// The oldest write on its way was refused: it must have changed nothing.
    mutating func refused() {
        guard !unanswered.isEmpty else { return }
        unanswered.removeFirst()
    }

    /// Every state that is right.
    var allowed: [[String: Value]] {
        var state = acknowledged
        return [state]
            + unanswered.map { write in
                write.perform(on: &state)
                return state
            }
    }

    /// Takes what was found for what is there, if it may be; false where it may not.
    mutating func settle(_ found: [String: Value]) -> Bool {
        guard allowed.contains(found) else { return false }
        acknowledged = found
        unanswered = []
        return true
    }

    /// How what was found differs from what was acknowledged, without the values.
    func difference(_ found: [String: Value]) -> String {
        let wrong = acknowledged.filter { found[$0.key] != $0.value }.keys.sorted()
        let extra = found.keys.filter { acknowledged[$0] == nil }.sorted()
        return "not as acknowledged: \(wrong), not acknowledged: \(extra), \(unanswered.count) writes without an answer"
    }
}

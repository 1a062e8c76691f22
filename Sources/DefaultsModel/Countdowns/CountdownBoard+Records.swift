import DBusTypes

/// What became of the countdowns in the store of one user when the daemon started (C9).
public struct CountdownRestoration: Hashable, Sendable {
    /// Those that go on.
    public let restored: [CountdownID]
    /// What to send: the ends of those whose owner has gone.
    public let actions: [CountdownAction]
    /// The keys of records to remove: of another boot or bus, or that can't be read.
    public let forgotten: [String]
}

extension CountdownBoard {
    /// Takes the countdowns of one user up again, in phase (C9).
    ///
    /// Those of another boot or another bus are forgotten. One whose owner is gone ends as `owner_lost`, unless it runs on without it. What
    /// expired meanwhile ends with the next `advance`, once, with how late that is. No tick is sent again: the first after the restart is
    /// the next that falls due. The end of one that was skipped or cancelled is told again. SkipAvailable may come twice, since losing it
    /// would be worse. Limits don't apply: all were within them when they were started. A record whose token lives already is forgotten.
    public mutating func restore(
        _ records: [String: Value], user: UInt32, isConnected: (BusName) -> Bool, at now: Instant
    ) -> CountdownRestoration {
        var restored: [CountdownID] = []
        var actions: [CountdownAction] = []
        var forgotten: [String] = []
        let found = records.sorted { $0.key < $1.key }.compactMap { key, value in
            let record = CountdownRecord(stored: value)
            guard let record, let id = CountdownID(recordKey: key), record.bootID == bootID || record.isEnd,
                record.busGUID == busGUID,
                let same = try? CountdownID(owner: record.owner, token: id.token), same == id, liveIndex(of: id) == nil
            else {
                forgotten.append(key)
                return (id: CountdownID, record: CountdownRecord)?.none
            }
            return (id, record)
        }
        for (id, record) in found.sorted(by: { ($0.record.order, $0.id.path) < ($1.record.order, $1.id.path) }) {
            let owner = CountdownOwner(name: record.owner, user: user, app: record.app)
            let identity = CountdownIdentity(id: id, owner: owner, purpose: record.purpose)
            let countdown = record.countdown(at: now)
            // With its old place: the records on disk have theirs, and what starts from now on comes after them.
            let index = insert(countdown, identity, isRecorded: true, order: record.order)
            if let reason = countdown.reason {
                // Its end was stored before it was answered, and perhaps not told (C4).
                actions += slot(index).actions([.finished(reason, lateMilliseconds: 0)])
                remove(index, at: now)
            } else if countdown.onOwnerLost == .cancel, !isConnected(record.owner) {
                actions += end(index, as: .ownerLost, at: now)
            } else {
                schedule(index)
                restored.append(id)
            }
        }
        return CountdownRestoration(restored: restored, actions: actions, forgotten: forgotten)
    }

    /// The record of a countdown as it is now.
    func record(of slot: CountdownSlot) -> Value {
        CountdownRecord(slot, bootID: bootID, busGUID: busGUID)
            .stored
    }
}

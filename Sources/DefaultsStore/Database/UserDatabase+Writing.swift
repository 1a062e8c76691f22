import DBusTypes
import DefaultsModel

extension UserDatabase {
    /// Writes the changes in order, all or none, in one transaction; on disk when this returns (P7).
    ///
    /// After an error the database has what it had before.
    func commit(_ changes: [RecordChange]) throws(StoreError) {
        guard !changes.isEmpty else { return }
        try transact { (draft) throws(StoreError) in
            for change in changes { try apply(change, to: &draft) }
        }
    }

    /// Records a loss that was met: what went is unknown, so revisions go on far above all that were ever given.
    ///
    /// `revision` is the least that the revision counter becomes, `commits` the number that this commit is to exceed.
    func record(_ loss: Loss, revisionsBy step: UInt64, atLeast revision: UInt64 = 0, commits: UInt64) throws(StoreError) {
        try transact { (draft) throws(StoreError) in
            draft.head.loss = loss
            draft.head.commits = max(draft.head.commits, commits)
            draft.head.revision = max(draft.head.revision &+ step, revision)
            for (name, row) in domains {
                draft.changed[name] = row
                draft.changed[name]?.revision = row.revision &+ step
            }
        }
    }

    /// Records that the user knows of the loss.
    func acknowledgeLoss() throws(StoreError) {
        guard head.loss != .none else { return }
        try transact { (draft) throws(StoreError) in draft.head.loss = .none }
    }

    /// What a transaction is about to make of the rows kept in memory.
    private struct Draft {
        var head: Head
        var changed: [DomainName: DomainRow] = [:]
        var lastDomain: Int64
        /// One for all rows, for the sake of its memory.
        var checksum = RowChecksum()
    }

    private func transact(_ body: (inout Draft) throws(StoreError) -> Void) throws(StoreError) {
        if let restriction { throw restriction }
        var draft = Draft(head: head, lastDomain: lastDomain)
        try connection.statement(.begin).run(.write)
        do throws(StoreError) {
            try body(&draft)
            try writeRows(&draft)
            try connection.statement(.commit).run(.write)
        } catch {
            // SQLite may have rolled back by itself; a rollback that fails is done by whoever opens the file next.
            if connection.isInTransaction { try? connection.statement(.rollback).run(.write) }
            throw error
        }
        install(draft.head, draft.changed, lastDomain: draft.lastDomain)
    }

    private func apply(_ change: RecordChange, to draft: inout Draft) throws(StoreError) {
        switch change {
        case .revision(let revision):
            draft.head.revision = revision
        case .domain(let domain, let revision):
            try update(domain, in: &draft) { row, _ in row.revision = revision }
        case .preference(let domain, let layer, let key, let record):
            try update(domain, in: &draft) { (row, checksum) throws(StoreError) in
                try apply(layer, key, record, to: &row, &checksum)
            }
        case .onboarding(let domain, let id, let value):
            try update(domain, in: &draft) { (row, checksum) throws(StoreError) in try apply(id, value, to: &row, &checksum) }
        case .countdown(let token, let value):
            try apply(countdown: token, value, to: &draft.head.countdowns, &draft.checksum)
        }
    }

    private func update(
        _ domain: DomainName, in draft: inout Draft, _ body: (inout DomainRow, inout RowChecksum) throws(StoreError) -> Void
    ) throws(StoreError) {
        var row: DomainRow
        if let known = draft.changed[domain] ?? domains[domain] {
            row = known
        } else {
            draft.lastDomain += 1
            row = DomainRow(id: draft.lastDomain)
        }
        try body(&row, &draft.checksum)
        draft.changed[domain] = row
    }

    private func apply(
        _ layer: StoredLayer, _ key: PreferenceKey, _ record: PreferenceRecord?, to row: inout DomainRow,
        _ checksum: inout RowChecksum
    ) throws(StoreError) {
        var old: (checksum: UInt64, size: Int64)?
        try connection.statement(.findPreference).bind(1, row.id).bind(2, layer.rawValue).bind(3, key.text)
            .forEachRow(.read) { (found) throws(StoreError) in
                old = (UInt64(bitPattern: try found.column(0)), try found.column(1))
            }
        let keySize = Int64(key.text.utf8.count)
        if let old {
            row.keys -= 1
            row.bytes -= keySize + old.size
        }
        guard let record else {
            row.rows.replace(old?.checksum, by: nil)
            guard old != nil else { return }
            try connection.statement(.removePreference).bind(1, row.id).bind(2, layer.rawValue).bind(3, key.text).run(.write)
            return
        }
        let typed = TypedBytes(record.stored)
        let new = checksum.preference(
            domain: row.id, layer: layer.rawValue, key: key.text, type: typed.type, value: typed.value,
            modified: record.modified, writer: record.writer)
        try connection.statement(.writePreference).bind(1, row.id).bind(2, layer.rawValue).bind(3, key.text)
            .bind(4, typed.type).bind(5, typed.value).bind(6, record.modified).bind(7, record.writer).bind(8, new)
            .run(.write)
        row.rows.replace(old?.checksum, by: new)
        row.keys += 1
        row.bytes += keySize + Int64(typed.value.count)
    }

    private func apply(
        _ id: OnboardingID, _ value: Value?, to row: inout DomainRow, _ checksum: inout RowChecksum
    ) throws(StoreError) {
        let kind = id.kind.rawValue
        let old = try connection.statement(.findOnboarding).bind(1, row.id).bind(2, kind).bind(3, id.id).integer(.read)
        var new: UInt64?
        if let value {
            let typed = TypedBytes(value)
            let written = checksum.onboarding(domain: row.id, kind: kind, id: id.id, type: typed.type, value: typed.value)
            try connection.statement(.writeOnboarding).bind(1, row.id).bind(2, kind).bind(3, id.id)
                .bind(4, typed.type).bind(5, typed.value).bind(6, written).run(.write)
            new = written
        } else if old != nil {
            try connection.statement(.removeOnboarding).bind(1, row.id).bind(2, kind).bind(3, id.id).run(.write)
        }
        row.rows.replace(old.map { UInt64(bitPattern: $0) }, by: new)
    }

    private func apply(
        countdown token: String, _ value: Value?, to tally: inout Tally, _ checksum: inout RowChecksum
    ) throws(StoreError) {
        let old = try connection.statement(.findCountdown).bind(1, token).integer(.read)
        var new: UInt64?
        if let value {
            let typed = TypedBytes(value)
            let written = checksum.countdown(token: token, type: typed.type, value: typed.value)
            try connection.statement(.writeCountdown).bind(1, token).bind(2, typed.type).bind(3, typed.value)
                .bind(4, written).run(.write)
            new = written
        } else if old != nil {
            try connection.statement(.removeCountdown).bind(1, token).run(.write)
        }
        tally.replace(old.map { UInt64(bitPattern: $0) }, by: new)
    }

    /// Writes the rows that are kept in memory, after all else: each once, however many changes touched it.
    private func writeRows(_ draft: inout Draft) throws(StoreError) {
        for (name, row) in draft.changed where row != domains[name] {
            let checksum = draft.checksum.domain(name.text, row)
            try connection.statement(.writeDomain).bind(1, row.id).bind(2, name.text).bind(3, row.revision).bind(4, row.keys)
                .bind(5, row.bytes).bind(6, row.rows.count).bind(7, row.rows.sum).bind(8, checksum).run(.write)
            let old = domains[name].map { draft.checksum.domain(name.text, $0) }
            draft.head.domains.replace(old, by: checksum)
        }
        draft.head.commits += 1
        try Self.write(draft.head, to: connection)
    }

    /// Writes the one row of the table `user`.
    static func write(_ head: Head, to connection: Connection) throws(StoreError) {
        var checksum = RowChecksum()
        try connection.statement(.writeUser).bind(1, head.revision).bind(2, head.commits).bind(3, head.loss.rawValue)
            .bind(4, head.domains.count).bind(5, head.domains.sum).bind(6, head.countdowns.count)
            .bind(7, head.countdowns.sum).bind(8, checksum.user(head)).run(.write)
    }
}

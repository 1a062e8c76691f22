import DBusTypes

/// The match rules that the bus has of a connection, each once however many want it.
final class MatchRegistry {
    private struct Entry {
        var count: Int
        /// Who waits for the bus's answer; nil once it is there.
        var waiting: [(Result<Void, DBusError>) -> Void]?
    }

    private unowned let connection: BusConnection
    private var entries: [String: Entry] = [:]

    init(_ connection: BusConnection) { self.connection = connection }

    /// Adds a rule and waits until the bus has it.
    func addWaiting(_ text: String) throws(DBusError) {
        if let entry = entries[text] {
            // The bus takes messages in order: after any answer it has dealt with the rule.
            if entry.waiting != nil { _ = try connection.call(.bus, .bus, .bus, "GetId") }
            entries[text, default: entry].count += 1
        } else {
            _ = try connection.call(.bus, .bus, .bus, "AddMatch", [.string(text)])
            entries[text] = Entry(count: 1, waiting: nil)
        }
    }

    /// Adds a rule; what is sent afterwards reaches the bus after it.
    ///
    /// `completion` may be called at once. After a failure the rule is gone again.
    func add(_ text: String, completion: @escaping (Result<Void, DBusError>) -> Void) {
        if var entry = entries[text] {
            entry.count += 1
            let isKnown = entry.waiting == nil
            if !isKnown { entry.waiting?.append(completion) }
            entries[text] = entry
            if isKnown { completion(.success(())) }
            return
        }
        entries[text] = Entry(count: 1, waiting: [completion])
        connection.send(.bus, .bus, .bus, "AddMatch", [.string(text)]) { [weak self] result in
            self?.answered(text, result.map { _ in })
        }
    }

    private func answered(_ text: String, _ result: Result<Void, DBusError>) {
        guard let waiting = entries[text]?.waiting else { return }
        switch result {
        case .success: entries[text]?.waiting = nil
        case .failure: entries[text] = nil
        }
        for completion in waiting { completion(result) }
    }

    /// Takes back one use of a rule.
    func remove(_ text: String) {
        guard var entry = entries[text] else { return }
        entry.count -= 1
        guard entry.count == 0 else {
            entries[text] = entry
            return
        }
        let waiting = entry.waiting ?? []
        entries[text] = nil
        // On a connection that is gone there is nothing to take back.
        try? connection.post(.bus, .bus, .bus, "RemoveMatch", [.string(text)])
        for completion in waiting { completion(.failure(DBusError(.failed, "the subscription was cancelled"))) }
    }
}

import DBusTypes

/// Who owns the well-known names that subscriptions name as senders.
///
/// Signals carry the sender's unique name; whether it is the wanted one is decided here.
final class NameOwners {
    private struct Entry {
        var count: Int
        var owner: BusName?
    }

    private unowned let connection: BusConnection
    private var entries: [BusName: Entry] = [:]

    init(_ connection: BusConnection) { self.connection = connection }

    static func rule(for name: BusName) -> MatchRule {
        MatchRule(
            sender: .bus, path: .bus, interface: .bus, member: .nameOwnerChanged, arguments: [0: name.text])
    }

    /// Whether `sender` is, or at the moment owns, `name`.
    func matches(_ name: BusName, sender: BusName) -> Bool {
        name == sender || entries[name]?.owner == sender
    }

    func followWaiting(_ name: BusName) throws(DBusError) {
        guard Self.needsFollowing(name) else { return }
        try connection.matches.addWaiting(Self.rule(for: name).text)
        if entries[name] != nil {
            entries[name]?.count += 1
            return
        }
        // The match comes first, or a change in between would be missed.
        do {
            let answer = try connection.call(.bus, .bus, .bus, "GetNameOwner", [.string(name.text)])
            entries[name] = Entry(count: 1, owner: Self.name(in: answer))
        } catch {
            guard error.name == .nameHasNoOwner else {
                connection.matches.remove(Self.rule(for: name).text)
                throw error
            }
            entries[name] = Entry(count: 1, owner: nil)
        }
    }

    func follow(_ name: BusName, completion: @escaping (Result<Void, DBusError>) -> Void) {
        guard Self.needsFollowing(name) else { return completion(.success(())) }
        connection.matches.add(Self.rule(for: name).text) { [weak self] result in
            if case .failure = result {
                self?.entries[name] = nil
                completion(result)
            }
        }
        entries[name, default: Entry(count: 0, owner: nil)].count += 1
        connection.send(.bus, .bus, .bus, "GetNameOwner", [.string(name.text)]) { [weak self] result in
            switch result {
            case .success(let answer): self?.entries[name]?.owner = Self.name(in: answer)
            case .failure(let error) where error.name == .nameHasNoOwner: self?.entries[name]?.owner = nil
            case .failure(let error): return completion(.failure(error))
            }
            completion(.success(()))
        }
    }

    func unfollow(_ name: BusName) {
        guard Self.needsFollowing(name), let entry = entries[name] else { return }
        if entry.count == 1 { entries[name] = nil } else { entries[name]?.count -= 1 }
        connection.matches.remove(Self.rule(for: name).text)
    }

    func ownerChanged(_ name: BusName, to owner: BusName?) {
        if entries[name] != nil { entries[name]?.owner = owner }
    }

    private static func needsFollowing(_ name: BusName) -> Bool { !name.isUnique && name != .bus }

    private static func name(in answer: [Value]) -> BusName? {
        guard case .string(let text)? = answer.first else { return nil }
        return BusName(text)
    }
}

public import DBusTypes

/// Other connections on the bus: whether they live, and who they are.
///
/// The bus is asked to tell of each peer's end by a match of its own, or past ``matchLimit`` peers by one match for all that
/// leave. The match is sent before the first question about the peer, so no end falls in between.
public final class Peers {
    /// The most matches of single peers: the system bus allows 512 matches a connection.
    public static let matchLimit = 256

    private struct Peer {
        /// The match rule that this peer's end is told by.
        var rule: String
        var hasOwnRule: Bool
        var tracks: [PeerTrack] = []
        var credentials: Credentials?
        var waiting: [(Result<Credentials, DBusError>) -> Void] = []
    }

    private static let everyoneLeaving = MatchRule(
        sender: .bus, path: .bus, interface: .bus, member: .nameOwnerChanged, arguments: [2: ""]
    ).text

    private unowned let connection: BusConnection
    private var peers: [BusName: Peer] = [:]
    private var ownRules = 0

    init(_ connection: BusConnection) { self.connection = connection }

    /// Calls `onGone` once when `name` has no owner any more, also where it has none now; never before this returns.
    public func track(_ name: BusName, onGone: @escaping () -> Void) -> PeerTrack {
        let track = PeerTrack(self, name, onGone)
        let isNew = peers[name] == nil
        if isNew { begin(name) }
        peers[name]?.tracks.append(track)
        if isNew {
            connection.send(.bus, .bus, .bus, "GetNameOwner", [.string(name.text)]) { [weak self] result in
                if case .failure(let error) = result, error.name == .nameHasNoOwner { self?.left(name) }
            }
        }
        return track
    }

    func credentials(of name: BusName, completion: @escaping (Result<Credentials, DBusError>) -> Void) {
        if let known = peers[name]?.credentials { return completion(.success(known)) }
        if peers[name] == nil { begin(name) }
        peers[name]?.waiting.append(completion)
        guard peers[name]?.waiting.count == 1 else { return }
        connection.send(.bus, .bus, .bus, "GetConnectionCredentials", [.string(name.text)]) { [weak self] result in
            self?.answered(name, result.flatMap(Credentials.read).map(\.withoutDescriptor))
        }
    }

    private func answered(_ name: BusName, _ result: Result<Credentials, DBusError>) {
        guard let waiting = peers[name]?.waiting else { return }
        peers[name]?.waiting = []
        switch result {
        case .success(let credentials): peers[name]?.credentials = credentials
        case .failure(let error):
            if error.name == .nameHasNoOwner { left(name) } else { dropIfUnused(name) }
        }
        for completion in waiting { completion(result) }
    }

    private func begin(_ name: BusName) {
        let hasOwnRule = ownRules < Self.matchLimit
        let rule = hasOwnRule ? NameOwners.rule(for: name).text : Self.everyoneLeaving
        if hasOwnRule { ownRules += 1 }
        peers[name] = Peer(rule: rule, hasOwnRule: hasOwnRule)
        connection.matches.add(rule) { [weak self] result in
            if case .failure = result { self?.ruleRefused(for: name) }
        }
    }

    /// A bus that allows fewer matches than most: the peer goes over to the match for all.
    private func ruleRefused(for name: BusName) {
        guard var peer = peers[name], peer.hasOwnRule, connection.isConnected else { return }
        ownRules -= 1
        peer.hasOwnRule = false
        peer.rule = Self.everyoneLeaving
        peers[name] = peer
        connection.matches.add(peer.rule) { _ in }
        // It may have left between the two.
        connection.send(.bus, .bus, .bus, "GetNameOwner", [.string(name.text)]) { [weak self] result in
            if case .failure(let error) = result, error.name == .nameHasNoOwner { self?.left(name) }
        }
    }

    /// The bus says that no one has the name any more.
    func left(_ name: BusName) {
        guard let peer = remove(name) else { return }
        for completion in peer.waiting {
            completion(.failure(DBusError(.nameHasNoOwner, "\(name) has left the bus")))
        }
        for track in peer.tracks { track.gone() }
    }

    func remove(_ track: PeerTrack) {
        peers[track.name]?.tracks.removeAll { $0 === track }
        dropIfUnused(track.name)
    }

    private func dropIfUnused(_ name: BusName) {
        guard let peer = peers[name], peer.tracks.isEmpty, peer.waiting.isEmpty, peer.credentials == nil else { return }
        remove(name)
    }

    @discardableResult
    private func remove(_ name: BusName) -> Peer? {
        guard let peer = peers.removeValue(forKey: name) else { return nil }
        if peer.hasOwnRule { ownRules -= 1 }
        connection.matches.remove(peer.rule)
        return peer
    }
}

/// One wish to know when a peer is gone; it lasts until then or `cancel()`, whether it is kept or not.
public final class PeerTrack {
    let name: BusName
    private weak var peers: Peers?
    private var onGone: (() -> Void)?

    init(_ peers: Peers, _ name: BusName, _ onGone: @escaping () -> Void) {
        self.peers = peers
        self.name = name
        self.onGone = onGone
    }

    /// Ends the tracking: `onGone` isn't called any more.
    ///
    /// Twice is no error.
    public func cancel() {
        guard onGone != nil else { return }
        onGone = nil
        peers?.remove(self)
    }

    func gone() {
        let onGone = onGone
        self.onGone = nil
        onGone?()
    }
}

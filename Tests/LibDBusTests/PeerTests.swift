import DBusTypes
import Glibc
import LibDBus
import Support
import Testing

@Suite("Names and peers")
struct PeerTests {
    @Test("a name is owned, or taken by another, never queued for")
    func names() throws {
        let pair = try Pair()
        #expect(try pair.service.requestName("org.example.Echo") == .owned)
        #expect(try pair.service.requestName("org.example.Echo") == .owned)
        #expect(try pair.client.requestName("org.example.Echo") == .taken)
        var second: BusConnection.NameResult?
        pair.client.requestName("org.example.Echo") { second = try? $0.get() }
        pair.wait(for: "the answer") { second != nil }
        #expect(second == .taken)
        var lost: [BusName] = []
        pair.service.onNameLost = { lost.append($0) }
        try pair.service.releaseName("org.example.Echo")
        pair.wait(for: "the loss") { !lost.isEmpty }
        #expect(lost == ["org.example.Echo"])
        #expect(try pair.client.requestName("org.example.Echo") == .owned)
    }

    @Test("a peer's end is told once, to all who track it and still want to know")
    func gone() throws {
        let pair = try Pair()
        let peer = try BusConnection(address: pair.bus.address)
        var ends = 0
        _ = pair.service.peers.track(peer.uniqueName) { ends += 1 }
        _ = pair.service.peers.track(peer.uniqueName) { ends += 1 }
        let third = pair.service.peers.track(peer.uniqueName) { Issue.record("a cancelled track was told") }
        third.cancel()
        third.cancel()
        _ = try pair.ask(EchoHandler.interface, "Add", [.int32(1), .int32(1)])
        #expect(ends == 0)
        peer.close()
        pair.wait(for: "both ends") { ends == 2 }
    }

    @Test("who is behind a connection is asked anew each time, and no match rule is left of it")
    func askedCredentials() throws {
        let pair = try Pair()
        var answers: [Result<Credentials, DBusError>] = []
        pair.service.askCredentials(of: pair.client.uniqueName) { answers.append($0) }
        pair.wait(for: "the answer") { answers.count == 1 }
        let known = try answers[0].get()
        #expect((known.userID, known.processID) == (getuid(), UInt32(getpid())))
        let peer = try BusConnection(address: pair.bus.address)
        let name = peer.uniqueName
        peer.close()
        pair.service.askCredentials(of: name) { answers.append($0) }
        pair.wait(for: "the answer") { answers.count == 2 }
        #expect(throws: DBusError.self) { try answers[1].get() }
        guard case .failure(let error) = answers[1] else { return }
        #expect(error.name == .nameHasNoOwner)
    }

    @Test("a peer that is gone already is told of too, but not before track returns")
    func goneBefore() throws {
        let pair = try Pair()
        let peer = try BusConnection(address: pair.bus.address)
        let name = peer.uniqueName
        peer.close()
        var isGone = false
        _ = pair.service.peers.track(name) { isGone = true }
        #expect(!isGone)
        pair.wait(for: "the end") { isGone }
    }

    @Test("past 256 peers one match is enough for all that leave")
    func many() throws {
        let pair = try Pair()
        let loop = pair.loop
        let peers = try (0..<300).map { _ in try BusConnection(address: pair.bus.address) }
        var gone: Set<BusName> = []
        for peer in peers { _ = pair.service.peers.track(peer.uniqueName) { gone.insert(peer.uniqueName) } }
        let answer = try pair.service.call(
            .bus, .bus, "org.freedesktop.DBus.Debug.Stats", "GetConnectionStats", [.string(pair.service.uniqueName.text)])
        #expect(answer.first?.dictionary?["MatchRules"] == .uint32(UInt32(Peers.matchLimit) + 1))
        for peer in peers.suffix(100) { peer.close() }
        pair.wait(for: "a hundred ends") { gone.count == 100 }
        for peer in peers.prefix(200) { peer.close() }
        pair.wait(for: "the rest") { gone.count == 300 }
        loop.iterate(deadline: .now)
        let after = try pair.service.call(
            .bus, .bus, "org.freedesktop.DBus.Debug.Stats", "GetConnectionStats", [.string(pair.service.uniqueName.text)])
        #expect(after.first?.dictionary?["MatchRules"] == .uint32(0))
    }

    @Test("credentials are the bus's, asked once a peer, forgotten when it goes")
    func credentials() throws {
        let pair = try Pair()
        #expect(try pair.ask(EchoHandler.interface, "Whoami") == [.uint32(getuid())])
        var cached: Credentials?
        pair.service.credentials(of: pair.client.uniqueName) { cached = try? $0.get() }
        #expect(cached == Credentials(userID: getuid(), processID: UInt32(getpid())))
        let name = pair.client.uniqueName
        pair.client.close()
        var isGone = false
        _ = pair.service.peers.track(name) { isGone = true }
        pair.wait(for: "the end") { isGone }
        var failure: DBusError?
        pair.service.credentials(of: name) { result in
            if case .failure(let error) = result { failure = error }
        }
        pair.wait(for: "the error") { failure != nil }
        #expect(failure?.name == .nameHasNoOwner)
    }

    @Test("on a system bus too, the distribution's policy in force")
    func systemBus() throws {
        let bus = try PrivateBus(kind: .system(policies: []))
        let connection = try BusConnection(address: bus.address)
        let error = #expect(throws: DBusError.self) { try connection.requestName("org.example.Echo") }
        #expect(error?.name == .accessDenied)
        let loop = PollLoop()
        connection.attach(to: loop)
        var isGone = false
        let peer = try BusConnection(address: bus.address)
        _ = connection.peers.track(peer.uniqueName) { isGone = true }
        peer.close()
        #expect(loop.run(until: { isGone }, deadline: .now + .seconds(10)))
    }
}

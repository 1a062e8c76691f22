import DBusTypes
import LibDBus
import Support
import Testing

@Suite("Signals")
struct SignalTests {
    @Test("a broadcast reaches who has a match for it, as long as it is subscribed")
    func broadcast() throws {
        let pair = try Pair()
        var received: [SignalMessage] = []
        let rule = MatchRule(path: "/org/example", interface: "org.example.Echo", member: "Changed")
        let subscription = try pair.client.subscribe(rule) { received.append($0) }
        try pair.service.emit("/org/example", "org.example.Echo", "Changed", [.string("a"), .uint64(1)])
        try pair.service.emit("/org/example", "org.example.Echo", "Other")
        try pair.service.emit("/org/example/echo", "org.example.Echo", "Changed")
        pair.wait(for: "the signal") { !received.isEmpty }
        #expect(received.map(\.arguments) == [[.string("a"), .uint64(1)]])
        #expect(received.first?.sender == pair.service.uniqueName)
        subscription.cancel()
        try pair.service.emit("/org/example", "org.example.Echo", "Changed")
        _ = try pair.ask(EchoHandler.interface, "Add", [.int32(1), .int32(1)])
        #expect(received.count == 1)
    }

    @Test("a unicast signal reaches the one connection it is for")
    func unicast() throws {
        let pair = try Pair()
        let other = try BusConnection(address: pair.bus.address)
        other.attach(to: pair.loop)
        var (mine, others) = (0, 0)
        let rule = MatchRule(interface: "org.example.Echo", member: "Changed")
        try pair.client.subscribe(rule) { _ in mine += 1 }
        try other.subscribe(rule) { _ in others += 1 }
        try pair.service.emit("/", "org.example.Echo", "Changed", to: pair.client.uniqueName)
        try pair.service.emit("/", "org.example.Echo", "Changed")
        pair.wait(for: "the broadcast at both") { mine == 2 && others == 1 }
    }

    @Test("a signal forged by another client isn't taken for the named sender's")
    func forged() throws {
        let pair = try Pair()
        #expect(try pair.service.requestName("org.example.Echo") == .owned)
        let forger = try BusConnection(address: pair.bus.address)
        forger.attach(to: pair.loop)
        var received: [[Value]] = []
        try pair.client.subscribe(MatchRule(sender: "org.example.Echo", member: "Changed")) { received.append($0.arguments) }
        try forger.emit("/", "org.example.Echo", "Changed", [.string("forged")], to: pair.client.uniqueName)
        forger.flush()
        try pair.service.emit("/", "org.example.Echo", "Changed", [.string("real")], to: pair.client.uniqueName)
        pair.wait(for: "the real signal") { received.contains([.string("real")]) }
        #expect(received == [[.string("real")]])
    }

    @Test("a well-known sender stands for its owner of the moment")
    func ownerChanges() throws {
        let pair = try Pair()
        let second = try BusConnection(address: pair.bus.address)
        second.attach(to: pair.loop)
        var received: [[Value]] = []
        var isSubscribed = false
        pair.client.subscribe(MatchRule(sender: "org.example.Moving", member: "Changed")) {
            received.append($0.arguments)
        } completion: { result in
            #expect(throws: Never.self) { try result.get() }
            isSubscribed = true
        }
        pair.wait(for: "the subscription") { isSubscribed }
        try pair.service.emit("/", "a.b", "Changed", [.string("too early")], to: pair.client.uniqueName)
        #expect(try pair.service.requestName("org.example.Moving") == .owned)
        try pair.service.emit("/", "a.b", "Changed", [.string("first")])
        pair.wait(for: "the first owner's signal") { received.count == 1 }
        try pair.service.releaseName("org.example.Moving")
        pair.service.flush()
        #expect(try second.requestName("org.example.Moving") == .owned)
        try second.emit("/", "a.b", "Changed", [.string("second")])
        try pair.service.emit("/", "a.b", "Changed", [.string("too late")], to: pair.client.uniqueName)
        pair.wait(for: "the second owner's signal") { received.count == 2 }
        _ = try pair.ask(EchoHandler.interface, "Add", [.int32(1), .int32(1)])
        #expect(received == [[.string("first")], [.string("second")]])
    }

    @Test("two subscriptions by one rule are one match, kept until both are cancelled")
    func counted() throws {
        let pair = try Pair()
        var (first, second) = (0, 0)
        let rule = MatchRule(interface: "org.example.Echo", member: "Changed")
        let one = try pair.client.subscribe(rule) { _ in first += 1 }
        let two = try pair.client.subscribe(rule) { _ in second += 1 }
        #expect(try matches(of: pair.client) == 1)
        one.cancel()
        one.cancel()
        try pair.service.emit("/", "org.example.Echo", "Changed")
        pair.wait(for: "the signal") { second == 1 }
        #expect(first == 0)
        two.cancel()
        #expect(try matches(of: pair.client) == 0)
    }

    @Test("a subscription cancelled by an earlier handler of the same signal isn't called")
    func cancelledInside() throws {
        let pair = try Pair()
        let rule = MatchRule(member: "Changed")
        var later: Subscription?
        var count = 0
        try pair.client.subscribe(rule) { _ in
            count += 1
            later?.cancel()
        }
        later = try pair.client.subscribe(rule) { _ in Issue.record("a cancelled subscription was called") }
        try pair.service.emit("/", "a.b", "Changed")
        pair.wait(for: "the signal") { count == 1 }
    }

    @Test("conditions on arguments and namespaces hold on arrival too")
    func conditions() throws {
        let pair = try Pair()
        var received: [ObjectPath] = []
        let rule = MatchRule(pathNamespace: "/org/example", member: "Changed", arguments: [0: "it's"])
        try pair.client.subscribe(rule) { received.append($0.path) }
        for path in ["/org/example/a", "/org/examples", "/org/example"] as [ObjectPath] {
            for text in ["it's", "its"] {
                try pair.service.emit(path, "a.b", "Changed", [.string(text)], to: pair.client.uniqueName)
                try pair.service.emit(path, "a.b", "Changed", [.string(text)])
            }
        }
        pair.wait(for: "all four") { received.count == 4 }
        #expect(received == ["/org/example/a", "/org/example/a", "/org/example", "/org/example"])
    }

    /// The rules that the bus holds of a connection.
    private func matches(of connection: BusConnection) throws -> UInt32 {
        let answer = try connection.call(
            .bus, .bus, "org.freedesktop.DBus.Debug.Stats", "GetConnectionStats", [.string(connection.uniqueName.text)])
        guard case .uint32(let count)? = answer.first?.dictionary?["MatchRules"] else { return .max }
        return count
    }
}

import DBusTypes
import DefaultsKit
import DefaultsKitTesting
import Testing

extension Keys {
    fileprivate static let count = Key<Int>("count", default: 0)
}

@Suite("The daemon in memory")
struct InMemoryDaemonTests {
    private let daemon = InMemoryDaemon()

    @Test("It passes the checks that the real daemon passes", arguments: Conformance.checks.indices)
    func conformance(number: Int) async throws {
        let failure = await Conformance.run(Conformance.checks[number], on: daemon)
        #expect(failure == nil, "\(failure.map { "\($0)" } ?? "")")
    }

    @Test("The suite finds a daemon that does nothing: no check passes without one")
    func deadDaemon() async {
        daemon.stop()
        for check in Conformance.checks {
            #expect(await Conformance.run(check, on: Dead(daemon: daemon)) != nil, "\(check.name)")
        }
    }

    /// A daemon that is gone for good.
    private struct Dead: ConformanceSubject {
        let daemon: InMemoryDaemon
        var endpoint: Endpoint { daemon.endpoint }
        func advance(by duration: Duration) async throws {}
        func stop() async throws {}
        func start() async throws {}
    }

    @Test("P2: what is imposed is locked, and the writer's value is taken back")
    func mandatory() async throws {
        let defaults = Defaults(app: "org.example.App", at: daemon.endpoint)
        defaults[.count] = 1
        #expect(defaults.synchronize())
        #expect(daemon.setMandatory("org.example.App", "count", .int64(7)))
        #expect(defaults[.count] == 7)
        await #expect(throws: DefaultsError.self) { try await defaults.set(2, for: .count).onDisk() }
        #expect(defaults[.count] == 7)
        daemon.setMandatory("org.example.App", "count", nil)
        #expect(defaults[.count] == 1)
        #expect(!daemon.setMandatory("nodot", "count", nil) && !daemon.setMandatory("org.example.App", "", nil))
    }

    @Test("C2: one that pauses on suspend stands still while the machine sleeps; the wall clock changes nothing")
    func suspend() async throws {
        let defaults = Defaults(app: "org.example.App", at: daemon.endpoint)
        let countdown = defaults.countdown(.seconds(3), Countdown.Options(pausesOnSuspend: true))
        let events = countdown.makeAsyncIterator()
        #expect(await events.next() == .tick(Countdown.Tick(remainingTicks: 3, remaining: .seconds(3))))
        daemon.suspend(for: .seconds(100))
        daemon.setWall(0)
        daemon.advance(by: .seconds(1))
        #expect(await events.next() == .tick(Countdown.Tick(remainingTicks: 2, remaining: .seconds(2))))
        await countdown.cancel()
    }
}

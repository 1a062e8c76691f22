import DefaultsKit
import DefaultsKitTesting
import Support
import Testing

extension Kit {
    @Suite("the conformance suite on the real daemon")
    struct KitConformanceTests {
        /// The real daemon, whose time the test moves.
        private final class RealDaemon: ConformanceSubject, @unchecked Sendable {
            // Used by one check at a time.
            private let fixture: KitFixture
            private let clock: TestClock
            var endpoint: Endpoint { .address(fixture.bus.address) }

            init() throws {
                fixture = try KitFixture(arguments: ["--test-clock"])
                clock = TestClock(fixture.client.connection)
            }

            func advance(by duration: Duration) throws { try clock.advance(milliseconds: UInt64(duration / .milliseconds(1))) }
            func stop() throws { try fixture.daemon.kill9() }
            func start() throws { try fixture.daemon.restart() }
        }

        @Test("It passes every check", arguments: Conformance.checks.indices)
        func conformance(number: Int) async throws {
            let failure = await Conformance.run(Conformance.checks[number], on: try RealDaemon())
            #expect(failure == nil, "\(failure.map { "\($0)" } ?? "")")
        }
    }
}

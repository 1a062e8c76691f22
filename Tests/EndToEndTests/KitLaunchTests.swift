import DBusTypes
import DefaultsKit
import Support
import Testing

extension Kit {
    @Suite("launches")
    struct KitLaunchTests {
        private let fixture: KitFixture
        private var defaults: Defaults { fixture.defaults }

        init() throws { fixture = try KitFixture() }

        @Test("L1, L2: the first launch is one process's, which gets the same answer again; another's is the same version")
        func first() async throws {
            let launch = await defaults.launch(version: "1.0")
            #expect(launch.kind == .first && launch.isOwner && launch.launches == 1 && launch.failure == nil)
            #expect(await defaults.launch(version: "1.0") == launch)
            let second = await fixture.other.launch(version: "1.0")
            #expect(second.kind == .same && !second.isOwner && second.launches == 2)
        }

        @Test("V4: an upgrade has its size and the version before; an adopted user is none of the first")
        func upgrade() async throws {
            _ = await fixture.other.launch(version: "1.9.0")
            let launch = await fixture.other.launch(version: "1.10.0")
            #expect(
                launch.kind == .upgrade && launch.significance == .minor && launch.significance >= .patch
                    && launch.significance < .major)
            #expect(launch.previousVersion == "1.9.0" && launch.highestVersion == "1.10.0" && launch.firstVersion == "1.9.0")
            let other = Defaults(app: "org.example.Adopted", at: .address(fixture.bus.address))
            #expect(await other.launch(version: "3.0", existingUser: true, baselineVersion: "2.0").kind == .adopted)
        }

        @Test("L7: once is true once over all processes, again for a higher version, and again when reset")
        func once() async throws {
            let (one, two) = (defaults, fixture.other)
            async let left = one.once("hello")
            async let right = two.once("hello")
            #expect(await [left, right].filter { $0 }.count == 1)
            try await one.resetOnce("hello")
            #expect(await two.once("hello"))
            #expect(await one.once("news", version: "1.0"))
            #expect(await !two.once("news", version: "1.0"))
            #expect(await two.once("news", version: "1.1"))
            try await one.forgetLaunches()
            #expect(await one.once("news", version: "1.0"))
        }

        @Test("V6: a version that is none is unknown, with the reason: nothing is shown")
        func invalid() async throws {
            let launch = await defaults.launch(version: "")
            #expect(launch.kind == .unknown && launch.failure?.code == .invalidVersion && !launch.isOwner)
        }
    }
}

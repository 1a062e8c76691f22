import DBusTypes
import DefaultsInterface
import DefaultsKit
import Glibc
import LibDBus
import Support
import Testing

extension Kit {
    @Suite("the daemon away and back")
    struct KitAwayTests {
        private let fixture: KitFixture
        private var defaults: Defaults { fixture.defaults }

        init() throws { fixture = try KitFixture() }

        private func took(_ body: () async throws -> Void) async rethrows -> Duration {
            let start = ContinuousClock.now
            try await body()
            return .now - start
        }

        @Test("Scenario 10: a value changed while the daemon was restarted is told once, and no read takes the old one for fresh")
        func restart() async throws {
            try fixture.set("count", .int64(1))
            try fixture.set("kept", .int64(1))
            let values = defaults.watch(.count).makeAsyncIterator()
            #expect(await values.next() == 1)
            try fixture.daemon.kill9()
            #expect(defaults.reading(.count).isStale && defaults[.count] == 1)
            try fixture.daemon.restart()
            try fixture.set("count", .int64(2))
            let reading = defaults.reading(.count)
            #expect(reading.isStale || reading.outcome == .value(2))
            #expect(await values.next() == 2)
            try fixture.set("count", .int64(3))
            #expect(await values.next() == 3)
            for _ in 0..<3 {
                try fixture.daemon.kill9()
                try fixture.daemon.restart()
            }
            try fixture.set("count", .int64(4))
            #expect(await values.next() == 4, "a restart without a change told nothing")
        }

        @Test("P7: writes made while the daemon is away are seen here, arrive in order when it is back, and lose to none")
        func writesWhileAway() async throws {
            defaults[.count] = 1
            #expect(defaults.synchronize())
            try fixture.daemon.kill9()
            defaults[.count] = 2
            let write = defaults.set("two", for: .name)
            defaults[.count] = 3
            #expect(defaults[.count] == 3 && defaults[.name] == "two")
            let patience = await took {
                #expect(await code { try await write.onDisk() } == .unreachable)
            }
            #expect(patience < .seconds(20), "\(patience): a call on the bus has 25 s")
            #expect(!defaults.synchronize())
            #expect(await code { try await defaults.increment(.count) } == .unreachable)
            try fixture.daemon.restart()
            try await Deadline.ask("the writes") { defaults.synchronize() }
            #expect(try fixture.stored("count") == .int64(3) && fixture.stored("name") == .string("two"))
            try await write.onDisk()
        }

        @Test("Writes go on over kills of the daemon: each that was said to be on disk is there, and the last one stays")
        func writesOverKills() async throws {
            let defaults = defaults
            let writer = testTask {
                var acknowledged = 0
                for number in 1...300 {
                    if await code({ try await defaults.set(number, forKey: "n\(number)").onDisk() }) == nil { acknowledged += 1 }
                    defaults[.count] = number
                }
                return acknowledged
            }
            for _ in 0..<5 {
                try await Task.sleep(for: .milliseconds(30))
                try fixture.daemon.kill9()
                try fixture.daemon.restart()
            }
            let acknowledged = await writer.value
            try await Deadline.ask("the last write") { defaults.synchronize() }
            #expect(try fixture.stored("count") == .int64(300))
            for number in 1...300 { #expect(try fixture.stored("n\(number)") == .int64(Int64(number))) }
            #expect(acknowledged > 0)
        }

        @Test("Scenario 37: with no bus at all nothing takes more than its 500 ms, decisions show nothing, and writes wait")
        func noBus() async throws {
            let defaults = Defaults(app: KitFixture.app, at: .address("unix:path=\(fixture.bus.folder)/none"))
            let all = await took {
                #expect(defaults[.theme] == .light && defaults.reading(.theme).outcome == .unreachable)
                #expect(defaults.reading(.theme).isStale)
                #expect(await !defaults.once("hello"))
                let launch = await defaults.launch(version: "1.0")
                #expect(
                    launch.kind == .unknown && !launch.isOwner && launch.pending.isEmpty && launch.failure?.code == .unreachable)
                #expect(await code { try await defaults.fetch(.theme) } == .unreachable)
                #expect(!defaults.synchronize())
                defaults[.theme] = .dark
                #expect(defaults[.theme] == .dark)
                let values = defaults.watch(.count).makeAsyncIterator()
                #expect(await values.next() == 0)
            }
            #expect(all < .seconds(8), "\(all): eight calls of at most 500 ms")
        }

        @Test("A daemon that hangs costs a read its 500 ms, the next ones nothing; and it is read again once it goes on")
        func hang() async throws {
            try fixture.set("count", .int64(1))
            #expect(defaults[.count] == 1)
            try fixture.set("count", .int64(2))
            fixture.daemon.process.send(SIGSTOP)
            // Perhaps the signal of the second value has come before the daemon was stopped.
            let first = await took { _ = defaults.reading(.level) }
            #expect(first < .seconds(5))
            let start = ContinuousClock.now
            for _ in 0..<10 { _ = defaults[.count] }
            #expect(ContinuousClock.now - start < .seconds(4), "ten reads, and not ten deadlines")
            #expect(await !defaults.once("hang"))
            fixture.daemon.process.send(SIGCONT)
            try await Deadline.ask("a fresh read") {
                let reading = defaults.reading(.count)
                return !reading.isStale && reading.value == 2
            }
        }

        @Test(
            "The bus goes and another comes at the same address, with a daemon on the same store: all goes on, each change told once"
        )
        func busRestart() async throws {
            let folder = try TemporaryFolder()
            let address = "unix:path=" + folder.path("proxy")
            let first = try PrivateBus()
            let relay = try SocketLink(from: first, to: folder.path("proxy"))
            let daemon = try Daemon(on: first, store: folder.path("store"))
            let defaults = Defaults(app: KitFixture.app, at: .address(address))
            try await defaults.set(1, for: .count).onDisk()
            let values = defaults.watch(.count).makeAsyncIterator()
            #expect(await values.next() == 1)
            first.stop()
            _ = try daemon.process.wait()
            #expect(defaults.reading(.count).isStale && defaults[.count] == 1)
            defaults[.name] = "written without a bus"
            let second = try PrivateBus()
            try relay.point(to: second)
            let again = try Daemon(on: second, store: folder.path("store"))
            let client = try Client(on: second)
            try client.set(KitFixture.app, "count", .int64(2))
            #expect(await values.next() == 2)
            try await Deadline.ask("the write") { try client.get(KitFixture.app, "name") == .string("written without a bus") }
            try client.set(KitFixture.app, "count", .int64(3))
            #expect(await values.next() == 3)
            #expect(again.process.poll() == nil)
        }

        @Test(
            "A guide on the screen is told to the daemon of another bus, though something else had the stage there when this came"
        )
        func guideOverBuses() async throws {
            let folder = try TemporaryFolder()
            let first = try PrivateBus()
            let relay = try SocketLink(from: first, to: folder.path("proxy"))
            let daemon = try Daemon(on: first, store: folder.path("store"))
            let defaults = Defaults(app: KitFixture.app, at: .address("unix:path=" + folder.path("proxy")))
            try await defaults.define(guide: "g", GuideDefinition(pages: ["One", "Two", "Three"].map { GuidePage(title: $0) }))
            _ = await defaults.launch(version: "1.0")
            guard case .show(let guide) = await defaults.present(guide: "g") else { throw TestFailure("the guide is skipped") }
            first.stop()
            _ = try daemon.process.wait()

            let second = try PrivateBus()
            let again = try Daemon(on: second, store: folder.path("store"))
            let client = try Client(on: second)
            try client.defineTip("t")
            let tip = try client.presentTip("t")
            #expect(tip.show, "\(tip)")
            try relay.point(to: second)
            try await Deadline.ask("a read by the new bus") { !defaults.reading(.count).isStale }
            // Answered after the wish to present, which was sent when the daemon was found: that was refused as busy.
            try await defaults.set(1, for: .count).onDisk()
            try client.finishTip(tip.run)
            #expect(try await guide.advance().page == 1)
            #expect(try await guide.finish(.completed).outcome == .completed)
            try await Deadline.ask("the guide to be seen") {
                guard
                    case .array(let rows)? = try client.call(
                        GuidesInterface.name, GuidesInterface.list, .string(KitFixture.app)
                    ).first,
                    case .structure(let row)? = rows.values.first
                else { return false }
                return row[1].dictionary?["outcome"] == .string("completed")
            }
            #expect(again.process.poll() == nil)
        }
    }
}

/// The code of the error that a call throws; nil where it succeeds.
func code(_ body: () async throws -> some Any) async -> DefaultsError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? DefaultsError)?.code
    }
}

/// A path that leads to one bus's socket, and then to another's.
private final class SocketLink {
    private let path: String

    init(from bus: PrivateBus, to path: String) throws {
        self.path = path
        try point(to: bus)
    }

    func point(to bus: PrivateBus) throws {
        unlink(path)
        guard symlink(bus.folder + "/bus", path) == 0 else { throw TestFailure("symlink \(path)") }
    }
}

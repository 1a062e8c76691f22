import DBusTypes
import DefaultsInterface
import DefaultsKit
import Glibc
import LibDBus
import Support
import Testing

@Suite("Mirrors", .timeLimit(.minutes(1)))
final class MirrorTests {
    private static let app = "org.example.App"
    private let bus: PrivateBus
    private let daemon: Daemon
    private let writer: Client
    private let loop = PollLoop()
    private let mirror: PreferencesMirror
    private var changes: [MirroredChange] = []

    init() throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus)
        writer = try Client(on: bus)
        mirror = try PreferencesMirror(address: bus.address, loop: loop)
    }

    private func watch(_ name: String = app) throws -> MirroredDomain {
        let domain = try mirror.watch(name)
        domain.onChange = { [unowned self] in changes.append($0) }
        return domain
    }

    @Test(
        "P6: what one process writes is what another's next read returns, at the reply, without a signal and through global too")
    func nextRead() throws {
        let domain = try watch()
        for number in 1...500 as ClosedRange<Int64> {
            try writer.set(Self.app, "own", .int64(number))
            #expect(domain.read("own") == MirroredValue(value: .int64(number), isStale: false))
            try writer.set("global", "shared", .int64(-number))
            #expect(domain.read("shared") == MirroredValue(value: .int64(-number), isStale: false))
        }
        try writer.reset(Self.app, "own")
        #expect(domain.read("own") == MirroredValue(value: nil, isStale: false))
        #expect(changes.isEmpty, "never from within a read")
        loop.iterate(deadline: .now)
        #expect(changes.count == 1_001, "each change that a fetch found is told once, and no signal tells it again")
    }

    @Test("Signals keep a mirror current: with its loop running a read fetches nothing, and each change is told once, in order")
    func signals() throws {
        let domain = try watch()
        let calls = Pipeline(writer)
        for number in 1...100 as ClosedRange<Int64> { calls.set(Self.app, "n", .int64(number)) }
        calls.set("global", "g", .int64(1))
        calls.preferences(PreferencesInterface.reset, .string(Self.app), .string("n"))
        try calls.wait()
        try Await.until("the changes", on: loop) { changes.count >= 102 }
        #expect(domain.isCurrent, "without a fetch")
        #expect(changes.prefix(100).map(\.changed) == (1...100).map { ["n": .int64(Int64($0))] })
        #expect(changes.suffix(2).map(\.changed) == [["g": .int64(1)], [:]] && changes.last?.removed == ["n"])
        #expect(changes.map(\.revision) == changes.map(\.revision).sorted() && Set(changes.map(\.writer)) == [writer.name])
        #expect(domain.readAll().values == ["g": .int64(1)])
        loop.iterate(deadline: .now)
        #expect(changes.count == 102)
    }

    @Test(
        "Scenario 10: a daemon is killed and restarted, and a value changed in the gap: never the old one as current, and one callback",
        arguments: [true, false])
    func restart(readsFirst: Bool) throws {
        try writer.set(Self.app, "n", .int64(1))
        try writer.set(Self.app, "kept", .int64(1))
        let domain = try watch()
        #expect(domain.read("n") == MirroredValue(value: .int64(1), isStale: false))
        try daemon.kill9()
        #expect(domain.read("n") == MirroredValue(value: .int64(1), isStale: true))
        try daemon.restart()
        try writer.set(Self.app, "n", .int64(2))
        if readsFirst {
            try Await.until("a fresh read", on: loop) {
                let value = domain.read("n")
                #expect(value.isStale || value.value == .int64(2))
                return !value.isStale
            }
        }
        try Await.until("the change", on: loop) { !changes.isEmpty && domain.isCurrent }
        #expect(domain.read("n") == MirroredValue(value: .int64(2), isStale: false))
        try writer.set(Self.app, "n", .int64(3))
        try Await.until("the next change", on: loop) { changes.count >= 2 }
        #expect(domain.isCurrent, "the subscription is there again")
        loop.iterate(deadline: .now)
        #expect(changes.map(\.changed) == [["n": .int64(2)], ["n": .int64(3)]] && changes.allSatisfy(\.removed.isEmpty))
    }

    @Test("A restart without a change is told to no one")
    func quietRestart() throws {
        try writer.set(Self.app, "n", .int64(1))
        let domain = try watch()
        for _ in 0..<3 {
            try daemon.kill9()
            try daemon.restart()
            try Await.until("the mirror to be current again", on: loop) { domain.isCurrent }
        }
        #expect(changes.isEmpty)
    }

    @Test(
        "A daemon that hangs costs one read its deadline and the next ones nothing; they are stale, and current once it goes on")
    func hang() throws {
        try writer.set(Self.app, "n", .int64(1))
        let domain = try watch()
        try writer.set(Self.app, "n", .int64(2))
        daemon.process.send(SIGSTOP)
        let start = ContinuousClock.now
        #expect(domain.read("n") == MirroredValue(value: .int64(1), isStale: true))
        let first = ContinuousClock.now - start
        #expect(first >= .milliseconds(450) && first < .seconds(5), "\(first)")
        let again = ContinuousClock.now
        #expect(domain.read("n").isStale)
        #expect(ContinuousClock.now - again < .milliseconds(100))
        daemon.process.send(SIGCONT)
        try Await.until("a fresh read", on: loop) { domain.read("n") == MirroredValue(value: .int64(2), isStale: false) }
    }

    @Test("P9: when another store takes a damaged one's place, no mirror goes on with what only the damaged one had")
    func replacement() throws {
        let secret = "a text that stands in one place of the file"
        try writer.set("org.example.Damaged", "secret", .string(secret))
        try writer.set(Self.app, "n", .int64(10))
        try daemon.terminate()
        let path = daemon.store + "/defaults.sqlite"
        try path.bytesOfFile().write(toFile: daemon.store + "/defaults.backup.sqlite")
        var bytes = try path.bytesOfFile()
        let text = Array("stands in one place".utf8)
        let place = try #require((0..<bytes.count - text.count).first { Array(bytes[$0..<$0 + text.count]) == text })
        bytes[place] ^= 1
        try bytes.write(toFile: path)
        try daemon.restart()
        let domain = try watch()
        try writer.set(Self.app, "n", .int64(11))
        #expect(domain.read("n") == MirroredValue(value: .int64(11), isStale: false))
        #expect(try writer.get("org.example.Damaged", "secret") == .string(secret), "met, and read from the backup")
        #expect(domain.read("n") == MirroredValue(value: .int64(10), isStale: false))
        loop.iterate(deadline: .now)
        #expect(changes.map(\.changed) == [["n": .int64(11)], ["n": .int64(10)]])
    }

    @Test("Reads are right inside callbacks; and watching what can't be watched is the daemon's error, or the bus's without one")
    func callbacksAndErrors() throws {
        let domain = try mirror.watch(Self.app)
        var read: [MirroredValue] = []
        domain.onChange = { [unowned self, unowned domain] _ in
            _ = try? writer.set(Self.app, "m", .int64(1))
            read.append(domain.read("m"))
        }
        try writer.set(Self.app, "n", .int64(1))
        try Await.until("the callback", on: loop) { !read.isEmpty }
        #expect(read.first == MirroredValue(value: .int64(1), isStale: false))
        #expect(try writer.error { try mirror.watch("no domain") }?.name == ErrorNames.invalidName)
        try daemon.terminate()
        #expect(try writer.error { try mirror.watch("org.example.Other") }?.name == .serviceUnknown)
        #expect(domain.read("n") == MirroredValue(value: .int64(1), isStale: true))
    }
}

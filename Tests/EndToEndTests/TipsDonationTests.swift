import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Tips: donations reach the disk")
struct TipsDonationTests {
    private let timed: TimedDaemon
    private var client: Client { timed.client }

    init() throws { timed = try TimedDaemon() }

    private func restart() throws {
        try timed.daemon.kill9()
        try timed.daemon.restart()
    }

    @Test("Synchronize has them on disk before it answers, another connection's too")
    func synchronize() throws {
        for count in 1...5 as ClosedRange<UInt64> { #expect(try client.donate("opened") == count) }
        try Client(on: timed.bus).preferences(PreferencesInterface.synchronize)
        try restart()
        #expect(try client.donate("opened", 0) == 5)
    }

    @Test("Within a second they are there without being asked for: one commit for all of them, and none after it")
    func withinASecond() throws {
        for _ in 1...50 { try client.donate("opened") }
        let commits = try CommitCounter.read(timed.daemon.store)
        try timed.advance(1_000)
        // Behind the write that the alarm caused.
        try client.preferences(PreferencesInterface.synchronize)
        #expect(try CommitCounter.read(timed.daemon.store) == commits + 1)
        try timed.advance(60_000)
        try client.preferences(PreferencesInterface.synchronize)
        #expect(try CommitCounter.read(timed.daemon.store) == commits + 1)
        try restart()
        #expect(try client.donate("opened", 0) == 50)
    }

    @Test("They go with the next write of whomever")
    func nextWrite() throws {
        try client.donate("opened", 3)
        try Client(on: timed.bus).set("org.example.Other", "a", .int32(1))
        try restart()
        #expect(try client.donate("opened", 0) == 3)
    }

    @Test("SIGTERM: all are on disk, also those sent just before")
    func termination() throws {
        for _ in 1...5 { try client.donate("opened") }
        #expect(try timed.daemon.terminate() == .exited(0))
        try timed.daemon.restart()
        #expect(try client.donate("opened", 0) == 5)
    }

    @Test("Forget forgets also what only memory has, and counting begins again")
    func forget() throws {
        try client.donate("opened", 4)
        try client.call(AdminInterface.name, AdminInterface.forget, .string(tipApp))
        #expect(try client.donate("opened", 1) == 1)
        try client.preferences(PreferencesInterface.synchronize)
        try restart()
        #expect(try client.donate("opened", 0) == 1)
    }
}

import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Countdowns: calls against ticks")
struct CountdownRaceTests {
    private typealias Members = CountdownInterface

    @Test("C4: Start and Skip, Cancel or Pause without waiting: answers in order, no tick after the second answer")
    func pipelined() throws {
        let time = try TimedDaemon()
        for round in 0..<50 {
            for (member, end) in [
                (Members.skip, ["Finished skipped 0"]), (Members.cancel, ["Finished cancelled 0"]), (Members.pause, []),
            ] {
                let token = "\(member)_\(round)"
                let path = try time.client.predictedPath(token)
                try time.client.drain()
                time.client.forgetSignals()
                let start = time.client.beginStart(token)
                let call = time.client.begin(Members.name, member, at: path)
                try time.client.finish(start, call)
                try time.client.drain()
                _ = try start.result?.get()
                _ = try call.result?.get()
                #expect(start.position == 0 && call.position == 1, "Start's answer, its tick, the answer of \(member)")
                #expect(time.client.events() == ["Tick 10 10000 0"] + end)
                if member == Members.pause { try time.client.countdown(Members.cancel, at: path) }
            }
        }
    }

    @Test("C4: Extend and Cancel without waiting: the tick of Extend comes before Cancel's answer")
    func extendAndCancel() throws {
        let time = try TimedDaemon()
        let (path, _) = try time.client.start("splash")
        try time.client.drain()
        time.client.forgetSignals()
        let extend = time.client.begin(Members.name, Members.extend, .uint64(500), at: path)
        let cancel = time.client.begin(Members.name, Members.cancel, at: path)
        try time.client.finish(extend, cancel)
        try time.client.drain()
        #expect(extend.position == 0 && cancel.position == 1)
        #expect(time.client.events() == ["Tick 11 10500 0", "Finished cancelled 0"])
    }

    @Test("C7, C9: Start, Cancel, Start without waiting: both tell all, in order, and the second survives kill -9")
    func tokenUsedAgainAtOnce() throws {
        let time = try TimedDaemon()
        let path = try time.client.predictedPath("splash")
        let calls = [
            time.client.beginStart("splash"), time.client.begin(Members.name, Members.cancel, at: path),
            time.client.beginStart("splash", [("duration", .uint64(3_600_000))]),
        ]
        for call in calls {
            try time.client.finish(call)
            _ = try call.result?.get()
        }
        try time.client.drain()
        #expect(calls.map(\.position) == [0, 1, 2])
        #expect(time.client.events() == ["Tick 10 10000 0", "Finished cancelled 0", "Tick 3600 3600000 0"])
        // Whatever the daemon still had to write is on disk now.
        try time.client.preferences(PreferencesInterface.synchronize)
        try time.daemon.kill9()
        try time.daemon.restart()
        #expect(try time.client.listCountdowns().map(\.path) == [path])
    }

    @Test("C7: replaced again and again without waiting: one end for each, in its place")
    func replacedAtOnce() throws {
        let time = try TimedDaemon()
        let calls = (0..<100).map { _ in time.client.beginStart("splash", [("replace", .boolean(true))]) }
        for call in calls {
            try time.client.finish(call)
            _ = try call.result?.get()
        }
        try time.client.drain()
        let one = ["Tick 10 10000 0", "Finished cancelled 0"]
        #expect(time.client.events() == Array(repeating: one, count: 99).flatMap(\.self) + ["Tick 10 10000 0"])
        #expect(calls.map(\.position) == (0..<100).map { 2 * $0 })
        try time.advance(10_000)
        #expect(time.client.events().suffix(2) == ["Tick 0 0 0", "Finished elapsed 0"])
        #expect(time.client.signals.count == 199 + 11)
    }
}

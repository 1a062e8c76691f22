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

    @Test(
        "Scenario 32, C4: thousands of Skip, Cancel and Pause against 50 ms ticks: no tick after the answer, one end, the right reason"
    )
    func hammer() throws {
        let bus = try PrivateBus()
        let daemon = try Daemon(on: bus, arguments: ["--limits=none"])
        let clients = try (0..<4).map { _ in try Client(on: bus) }
        var outcomes: [String: Int] = [:]
        var count = 0
        for round in 0..<25 {
            var runs: [Run] = []
            // Twenty on each connection, started a little apart, so that the calls hit every phase of a tick.
            for number in 0..<20 {
                for client in clients { runs.append(try Run(client, "r\(round)_\(number)", round + runs.count)) }
                for client in clients { client.loop.iterate(deadline: .now + .milliseconds(1)) }
            }
            let deadline = Deadline.after(.seconds(60))
            while !runs.allSatisfy(\.isOver) {
                guard !deadline.isPast else {
                    throw TestFailure("round \(round) had not ended \(deadline): \(runs.filter { !$0.isOver })")
                }
                for client in clients { client.loop.iterate(deadline: .now + .milliseconds(1)) }
                for run in runs { run.act() }
            }
            for run in runs { outcomes[run.outcome, default: 0] += 1 }
            count += runs.count
            for client in clients { try client.drain() }
            for client in clients { client.forgetSignals() }
        }
        #expect(count == 2_000)
        #expect(outcomes.keys.allSatisfy { ["skipped", "cancelled", "elapsed"].contains($0) }, "\(outcomes)")
        #expect((outcomes["skipped"] ?? 0) > 0 && (outcomes["cancelled"] ?? 0) > 0)
        #expect(daemon.process.poll() == nil)
    }
}

/// One countdown of the hammer: 250 ms by 50, ended or paused by a call that is sent after some ticks.
private final class Run: CustomStringConvertible {
    let path: ObjectPath
    private let client: Client
    private let start: Reply
    private let member: MemberName
    private let ticksBefore: Int
    private var call: Reply?
    private var cancel: Reply?

    init(_ client: Client, _ token: String, _ number: Int) throws {
        self.client = client
        path = try client.predictedPath(token)
        member = [CountdownInterface.skip, CountdownInterface.cancel, CountdownInterface.pause][number % 3]
        // The last of these are calls against the very end.
        ticksBefore = number / 3 % 6
        start = client.beginStart(token, [("duration", .uint64(250)), ("tick", .uint64(50))])
    }

    /// Whether all its calls are answered and its end has come.
    var isOver: Bool {
        guard call?.result != nil, member != CountdownInterface.pause || cancel?.result != nil else { return false }
        return events.last?.words.hasPrefix("Finished") == true
    }

    /// Its signals, with their places among all that the connection got.
    private var events: [(position: Int, words: String)] {
        client.signals.enumerated().filter { $0.element.path == path }.map { ($0.offset, $0.element.words) }
    }

    /// Sends the calls when it is their time.
    func act() {
        if call == nil {
            if events.count >= ticksBefore { call = client.begin(CountdownInterface.name, member, at: path) }
        } else if member == CountdownInterface.pause, cancel == nil, call?.result != nil {
            cancel = client.begin(CountdownInterface.name, CountdownInterface.cancel, at: path)
        }
    }

    var description: String {
        "\(path) \(member) after \(ticksBefore): \(String(describing: call?.result)) \(String(describing: cancel?.result)) \(events)"
    }

    /// How it ended, or what was wrong.
    var outcome: String {
        let signals = events
        guard case .success? = start.result else { return "Start failed: \(String(describing: start.result))" }
        let ends = signals.filter { $0.words.hasPrefix("Finished") }
        guard ends.count == 1, let end = ends.first, signals.last?.words == end.words else { return "ends: \(signals)" }
        let reason = String(end.words.split(separator: " ")[1])
        let ticks = signals.filter { $0.words.hasPrefix("Tick") }.compactMap { Int($0.words.split(separator: " ")[1]) }
        guard ticks.first == 5, ticks == ticks.sorted(by: >), Set(ticks).count == ticks.count else { return "ticks: \(ticks)" }
        switch call?.result {
        case .success?:
            // Nothing but the end after an answer that ended or paused it.
            let position = call?.position ?? 0
            let after = signals.filter { $0.position >= position }
            guard after.map(\.words) == [end.words] else { return "after the answer of \(member): \(after)" }
            let wanted = member == CountdownInterface.skip ? "skipped" : "cancelled"
            return reason == wanted ? reason : "\(member) ended it as \(reason)"
        case .failure(let error)?:
            // The deadline was first.
            guard error.name == ErrorNames.alreadyFinished else { return "\(member): \(error)" }
            return ticks.last == 0 && reason == "elapsed" ? reason : "\(member) came too late, and it ended as \(reason)"
        case nil:
            return "\(member) had no answer"
        }
    }
}

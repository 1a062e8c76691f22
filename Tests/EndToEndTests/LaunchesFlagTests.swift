import DBusTypes
import DefaultsInterface
import LibDBus
import Support
import Testing

@Suite("Launches: flags")
struct LaunchesFlagTests {
    @Test("L7: Once from many connections at one instant is true exactly once, and never again")
    func onceForAll() throws {
        let time = try TimedDaemon()
        let clients = try (0..<20).map { _ in try Client(on: time.bus) }
        let replies = clients.flatMap { client in
            (0..<10).map { _ in client.begin(LaunchesInterface.name, LaunchesInterface.once, .string(launchApp), .string("tour"))
            }
        }
        #expect(try trueAnswers(replies, of: clients) == 1)
        #expect(try !time.client.once("tour"))
        #expect(try time.client.once("tour", app: "org.example.Other"), "another app's flag is another flag")
        #expect(try time.client.once("tours"))
    }

    @Test("L7: OnceForVersion is true once for each version higher than all before, over all connections")
    func onceForVersion() throws {
        let time = try TimedDaemon()
        let clients = try (0..<20).map { _ in try Client(on: time.bus) }
        for version in ["1.9", "1.10", "2.0"] {
            let replies = clients.map { client in
                client.begin(
                    LaunchesInterface.name, LaunchesInterface.onceForVersion, .string(launchApp), .string("news"),
                    .string(version))
            }
            #expect(try trueAnswers(replies, of: clients) == 1, "\(version)")
        }
        for version in ["2.0", "2.0.0", "1.10", "1.9.5", "2.0.0-rc1"] {
            #expect(try !time.client.once("news", for: version), "\(version)")
        }
        #expect(try time.client.once("news", for: "2.0.1"))
    }

    @Test("OnceForVersion: each opaque text once")
    func opaqueTexts() throws {
        let time = try TimedDaemon()
        let answers = try ["nightly", "weekly", "nightly", "weekly", "1.1.1w"].map { try time.client.once("news", for: $0) }
        #expect(answers == [true, true, false, false, true])
    }

    @Test("Once and OnceForVersion share a flag: what is on record at all is not Once's first")
    func sharedFlag() throws {
        let time = try TimedDaemon()
        #expect(try time.client.once("news", for: "1.0"))
        #expect(try !time.client.once("news"))
        #expect(try time.client.once("tour"))
        #expect(try time.client.once("tour", for: "1.0"))
    }

    @Test("Flags lists names and when; ResetFlag forgets one, and an absent one is no error")
    func listAndReset() throws {
        let time = try TimedDaemon()
        try TestClock(time.client.connection).setWall(microseconds: 77)
        #expect(try time.client.flags().isEmpty)
        _ = try time.client.once("b")
        _ = try time.client.once("a")
        let reply = try time.client.launches(LaunchesInterface.flags, .string(launchApp))
        let type = DBusType.structure([.string, .int64])
        let rows = ["a", "b"].map { Value.structure([.string($0), .int64(77)]) }
        #expect(reply == [.array(ArrayValue(unchecked: rows, of: type))])
        #expect(try time.client.launches(LaunchesInterface.resetFlag, .string(launchApp), .string("a")).isEmpty)
        #expect(try time.client.flags() == ["b"])
        let commits = try time.commits()
        try time.client.launches(LaunchesInterface.resetFlag, .string(launchApp), .string("a"))
        #expect(try time.commits() == commits)
        #expect(try time.client.once("a"))
        #expect(try !time.client.once("b"))
    }

    @Test("An unchanged answer writes nothing: Once false, OnceForVersion false, Query, History, Flags")
    func readsWriteNothing() throws {
        let time = try TimedDaemon()
        try time.client.record("1.0")
        _ = try time.client.once("a")
        _ = try time.client.once("b", for: "1.0")
        let commits = try time.commits()
        for _ in 0..<5 {
            _ = try time.client.once("a")
            _ = try time.client.once("b", for: "0.9")
            _ = try time.client.query()
            _ = try time.client.history()
            _ = try time.client.flags()
            try time.client.record("1.0")
        }
        #expect(try time.commits() == commits)
    }

    @Test("A flag's name has 1 to 64 bytes of UTF-8 without control characters, else InvalidName")
    func names() throws {
        let time = try TimedDaemon()
        for flag in ["", "a\nb", "\u{1}", String(repeating: "x", count: 65), String(repeating: "é", count: 33)] {
            #expect(try time.client.error { try time.client.once(flag) }?.name == ErrorNames.invalidName, "\(flag)")
            #expect(try time.client.error { try time.client.once(flag, for: "1") }?.name == ErrorNames.invalidName)
            let reset = try time.client.error {
                try time.client.launches(LaunchesInterface.resetFlag, .string(launchApp), .string(flag))
            }
            #expect(reset?.name == ErrorNames.invalidName)
        }
        #expect(try time.client.once(String(repeating: "é", count: 32)))
        #expect(try time.client.error { try time.client.once("x", app: "global") }?.name == ErrorNames.invalidName)
    }

    /// Waits for all answers and counts those that are true.
    private func trueAnswers(_ replies: [Reply], of clients: [Client]) throws -> Int {
        for client in clients {
            // What is answered on one connection waits for no other.
            try client.drain()
        }
        let deadline = Deadline.inTenSeconds
        while replies.contains(where: { $0.result == nil }) {
            guard !deadline.isPast else { throw TestFailure("the answers had not come \(deadline)") }
            for client in clients { client.loop.iterate(deadline: .now + .milliseconds(1)) }
        }
        return try replies.count { try $0.result?.get().first?.get(as: Bool.self) == true }
    }
}

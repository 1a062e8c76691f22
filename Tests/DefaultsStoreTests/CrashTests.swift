import DBusTypes
import DefaultsModel
import Glibc
import Support
import Testing

@testable import DefaultsStore

@Suite struct CrashTests {
    /// A writer that is ended by a signal so many microseconds after its first answer, in the middle of whatever it does.
    ///
    /// Each commit writes its number to both domains; once it is answered, the number goes to the file `acknowledged`.
    @Test("P7: a process that dies at any moment loses no answered commit and leaves no half of one", arguments: 0..<20)
    func killed(round: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGALRM)) { [path = path as String, round] in
            let acknowledged = open(path + "/acknowledged", O_WRONLY | O_CREAT, 0o600)
            let harness = StoreHarness(backupDelay: 0)
            let store = try harness.open(path + "/store").store
            for number in 1...UInt64.max {
                try harness.commit(
                    store,
                    [
                        .revision(number), .domain(app, revision: number), try set("number", .uint64(number)),
                        .domain(other, revision: number), try set("number", .uint64(number), in: other),
                        try set("key \(number % 50)", .string(String(repeating: "x", count: 2_000))),
                    ])
                var number = number
                pwrite(acknowledged, &number, 8, 0)
                if number == 1 {
                    var end = itimerval()
                    end.it_value.tv_usec = 2_000 + round * 1_700
                    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &end, nil)
                }
            }
        }
        let acknowledged = try folder.path("acknowledged").bytesOfFile().reversed().reduce(0) { $0 << 8 | UInt64($1) }

        let harness = StoreHarness()
        let opened = try harness.open(folder.path("store"))
        #expect(opened.state == .healthy)
        let found = opened.summary.domains[app]?.revision ?? 0
        #expect(acknowledged > 0)
        #expect(found == acknowledged || found == acknowledged + 1, "\(found) of \(acknowledged)")
        for domain in [app, other] {
            let loaded = try harness.load(opened.store, domain)
            #expect(loaded.revision == found)
            #expect(loaded.value("number") == .uint64(found))
        }
        #expect(opened.summary.revision == found)
        #expect(opened.store.state == .healthy)
        #expect(try !folder.path("store").namesInFolder().contains { $0.contains("new") })
    }

    @Test("Scenario 5: a -wal cut anywhere, or with any bit flipped, gives a state of the past and says so, or is lost")
    func damagedLog() throws {
        let folder = try TemporaryFolder()
        let commits: UInt64 = 12
        var history: [UInt64: DomainContents] = [0: DomainContents()]
        let killed = folder.path("killed")
        try #require(mkdir(killed, 0o700) == 0)
        do {
            let harness = StoreHarness()
            let store = try harness.open(folder.path("store")).store
            for number in 1...commits {
                try harness.commit(
                    store, [.revision(number), .domain(app, revision: number), try set("key \(number % 5)", .uint64(number))])
                history[number] = try harness.load(store, app)
            }
            for name in ["defaults.sqlite", "defaults.sqlite-wal", "commit"] {
                try folder.path("store/" + name).bytesOfFile().write(toFile: killed + "/" + name)
            }
        }
        let database = try (killed + "/defaults.sqlite").bytesOfFile()
        let log = try (killed + "/defaults.sqlite-wal").bytesOfFile()
        let number = try (killed + "/commit").bytesOfFile()
        var random = SeededGenerator(announcing: "A damaged -wal")
        var states: [StoreState: Int] = [:]
        for round in 0..<200 {
            var bytes = log
            random.damage(&bytes, cutting: round % 2 == 0)
            let store = try TemporaryFolder()
            try database.write(toFile: store.path("defaults.sqlite"))
            try bytes.write(toFile: store.path("defaults.sqlite-wal"))
            try number.write(toFile: store.path("commit"))
            let harness = StoreHarness()
            let opened = try harness.open(store.path)
            var loaded = try harness.load(opened.store, app)
            states[opened.store.state, default: 0] += 1
            switch opened.store.state {
            case .healthy: #expect(loaded == history[commits])
            case .restored:
                let then = loaded.revision == 0 ? 0 : loaded.revision - 1 << 32
                if loaded.revision > 0 { loaded.revision = then }
                #expect(then < commits)
                #expect(loaded == history[then], "what is served is one commit's state, whole")
                #expect(opened.reason?.code == .damaged)
            case .lost: #expect(loaded == DomainContents())
            case .readOnly: Issue.record("the store can be written")
            }
        }
        #expect(states[.restored, default: 0] >= 100, "every cut is noticed: \(states)")
    }
}

import CLinux
import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support
import Testing

@Suite("The generation page", .timeLimit(.minutes(1)))
struct MirrorPageTests {
    private static let app = "org.example.App"
    private let bus: PrivateBus
    private let daemon: Daemon
    private let client: Client

    init() throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus)
        client = try Client(on: bus)
    }

    // MARK: What it is

    @Test(
        "64 KiB that no one but the daemon can write, map for writing, cut or let grow, by the descriptor or by opening it anew")
    func sealed() throws {
        let page = try MappedPage(client)
        var status = stat()
        #expect(fstat(page.descriptor.number, &status) == 0 && status.st_size == 65_536)
        let seals = CLINUX_SEAL_SEAL | CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_FUTURE_WRITE
        #expect(clinux_seals(page.descriptor.number) & Int32(seals) == Int32(seals))
        #expect(mprotect(page.address, GenerationLayout.size, PROT_READ | PROT_WRITE) == -1 && errno == EACCES)
        expectSealed(page.descriptor.number, writing: EBADF, mapping: EACCES, cutting: EINVAL)
        let again = open("/proc/self/fd/\(page.descriptor.number)", O_RDWR | O_CLOEXEC)
        try #require(again >= 0, "its owner may open it for writing: the seals must hold then")
        defer { close(again) }
        expectSealed(again, writing: EPERM, mapping: EPERM, cutting: EPERM)
        let readable = mmap(nil, GenerationLayout.size, PROT_READ, MAP_SHARED, again, 0)
        #expect(mprotect(readable, GenerationLayout.size, PROT_READ | PROT_WRITE) == -1 && errno == EACCES)
        munmap(readable, GenerationLayout.size)
        #expect(page.isLive)
        #expect(page.instance == (try client.admin(AdminInterface.instance, as: UInt64.self)))
    }

    private func expectSealed(_ descriptor: Int32, writing: Int32, mapping: Int32, cutting: Int32) {
        var zero: UInt64 = 0
        #expect(pwrite(descriptor, &zero, 8, 0) == -1 && errno == writing)
        #expect(mmap(nil, GenerationLayout.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) == MAP_FAILED)
        #expect(errno == mapping)
        for size in [0, 4_096, 131_072] { #expect(ftruncate(descriptor, off_t(size)) == -1 && errno == cutting) }
        #expect(clinux_add_seals(descriptor, UInt32(CLINUX_SEAL_WRITE)) == -1 && errno == EPERM)
    }

    @Test(
        "Generations gives the same page to whoever asks, sixteen times a connection and then LimitExceeded; others still get it")
    func limit() throws {
        let first = try MappedPage(client)
        let slot = try #require(try client.watch(Self.app)?.slot)
        let other = try MappedPage(try Client(on: bus))
        try client.set(Self.app, "n", .int64(1))
        #expect(first[slot] == 1 && other[slot] == 1)
        for _ in 0..<15 { try client.preferences(PreferencesInterface.generations) }
        let error = try client.error { try client.preferences(PreferencesInterface.generations) }
        #expect(error?.name == ErrorNames.limitExceeded)
        #expect(try MappedPage(try Client(on: bus)).isLive)
    }

    @Test("The page says nothing of the daemon's memory: beside counters there are a thread's number and the instance")
    func nothingElse() throws {
        let page = try MappedPage(client)
        let slot = try #require(try client.watch(Self.app)?.slot)
        try client.set(Self.app, "n", .int64(1))
        #expect(page.wordsInUse == [0, GenerationLayout.instanceWord, Int(slot)])
        #expect(page.lock >> 32 == 0)
        let threads = try "/proc/\(daemon.process.identifier)/task".namesInFolder()
        #expect(threads.contains(String(page.lock)))
    }

    // MARK: Its words

    @Test("P6: a word grows by one with each change of its domain, before the reply; by nothing with an unchanged or refused Set")
    func words() throws {
        let page = try MappedPage(client)
        let writer = try Client(on: bus)
        let slot = try #require(try client.watch(Self.app)?.slot)
        let other = try #require(try client.watch("org.example.Other")?.slot)
        #expect(slot >= 16 && other >= 16 && slot != other && page[slot] == 0)
        for number in 1...100 {
            try writer.set(Self.app, "n", .int64(Int64(number)))
            #expect(page[slot] == UInt64(number))
        }
        try writer.set(Self.app, "n", .int64(100))
        try writer.reset(Self.app, "absent")
        #expect(try writer.error { try writer.increment(Self.app, "n", by: .max) } != nil)
        #expect(page[slot] == 100)
        try writer.apply(Self.app, [("a", .byte(1)), ("b", .byte(2))], reset: ["n"])
        #expect(page[slot] == 101, "one change, however many keys")
        #expect(page[other] == 0)
        try writer.call(LaunchesInterface.name, LaunchesInterface.record, .string(Self.app), .string("1.0"), .vardict([]))
        #expect(page[slot] == 101, "a launch changes no preference")
        let calls = Pipeline(writer)
        for number in 1...50 { calls.set(Self.app, "n", .int64(Int64(number))) }
        try calls.wait()
        #expect(page[slot] == 151, "each change of a batch counts")
    }

    @Test("A change of global moves the word of every domain that was ever watched, also of one that no one watches any more")
    func global() throws {
        let page = try MappedPage(client)
        let writer = try Client(on: bus)
        let slots = try ["global", Self.app, "org.example.Left"].map { try #require(try client.watch($0)?.slot) }
        try client.unwatch("org.example.Left")
        try writer.set("global", "theme", .string("dark"))
        #expect(slots.map { page[$0] } == [1, 1, 1])
        try writer.set(Self.app, "theme", .string("light"))
        try writer.set("org.example.Left", "theme", .string("light"))
        #expect(slots.map { page[$0] } == [1, 2, 2])
    }

    @Test("A domain keeps its slot in a run; domains have slots of their own until there are more than slots, and then share")
    func slots() throws {
        let page = try MappedPage(client)
        let slot = try #require(try client.watch(Self.app)?.slot)
        let calls = Pipeline(client)
        for number in 1..<8_400 {
            calls.preferences(PreferencesInterface.watch, .string("org.example.N\(number)"))
            calls.preferences(PreferencesInterface.unwatch, .string("org.example.N\(number)"))
            if number.isMultiple(of: 50) { try calls.wait() }
        }
        let answers = try calls.wait().sorted { $0.call < $1.call }.compactMap { $0.values.flatMap { Watched($0)?.slot } }
        #expect(answers.count == 8_399 && answers.allSatisfy { (16..<8_192).contains($0) })
        #expect(Set(answers.prefix(8_175) + [slot]).count == 8_176)
        #expect(try Client(on: bus).watch(Self.app)?.slot == slot)
        for number in [8_175, 8_176, 8_399] {
            let before = page[answers[number - 1]]
            try client.set("org.example.N\(number)", "n", .int64(1))
            #expect(page[answers[number - 1]] == before + 1, "domain \(number)")
        }
    }

    // MARK: The daemon's end

    @Test("However the daemon ends, each reader sees it by the time that the bus does, before another can start")
    func death() throws {
        var changes = 0
        try client.connection.subscribe(
            MatchRule(sender: .bus, member: "NameOwnerChanged", arguments: [0: WellKnown.busName.text, 2: ""])
        ) { _ in changes += 1 }
        for signal in [SIGKILL, SIGTERM, SIGABRT, SIGKILL, SIGTERM, SIGSEGV, SIGKILL] {
            let page = try MappedPage(client)
            #expect(page.isLive)
            changes = 0
            daemon.process.send(signal)
            try Await.until("the name to be free", on: client.loop) { changes > 0 }
            #expect(!page.isLive, "signal \(signal)")
            try daemon.process.wait()
            try daemon.restart()
            #expect(!page.isLive, "a page is of one run")
            #expect(try MappedPage(client).instance != page.instance)
        }
    }

    @Test("A daemon that only stands still has not ended")
    func standingStill() throws {
        let page = try MappedPage(client)
        daemon.process.send(SIGSTOP)
        usleep(50_000)
        #expect(page.isLive)
        daemon.process.send(SIGCONT)
        try client.set(Self.app, "n", .int64(1))
        #expect(page.isLive)
    }
}

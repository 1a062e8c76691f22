import DBusTypes
import DefaultsInterface
import DefaultsKit
import Glibc
import Support
import Synchronization
import Testing

extension Kit {
    @Suite("reading")
    struct KitReadingTests {
        private let fixture: KitFixture
        private var defaults: Defaults { fixture.defaults }

        init() throws { fixture = try KitFixture() }

        @Test("Absent, wrong type, undecodable and a value are told apart, and reading overwrites none of them")
        func outcomes() async throws {
            #expect(defaults.reading(.theme).outcome == .absent && defaults[.theme] == .light)
            try fixture.set("theme", .string("pink"))
            guard case .undecodable = defaults.reading(.theme).outcome else { throw TestFailure("\(defaults.reading(.theme))") }
            #expect(defaults[.theme] == .light)
            try fixture.set("theme", .int64(3))
            guard case .wrongType = defaults.reading(.theme).outcome else { throw TestFailure("\(defaults.reading(.theme))") }
            #expect(try await error(of: { try await defaults.fetch(.theme) })?.code == .wrongType)
            await #expect(throws: DefaultsError.self) { try await defaults.update(.theme) { _ in .dark } }
            #expect(try fixture.stored("theme") == .int64(3), "neither reading nor updating has written")
            try fixture.set("theme", .string("dark"))
            #expect(defaults.reading(.theme).outcome == .value(.dark) && defaults[.theme] == .dark)
            #expect(try await defaults.fetch(.theme) == .dark)
        }

        @Test("P6: what another process writes is what the next read returns, at its reply")
        func nextRead() throws {
            for number in 1...300 as ClosedRange<Int64> {
                try fixture.set("count", .int64(number))
                #expect(defaults.reading(.count).outcome == .value(Int(number)) && !defaults.reading(.count).isStale)
            }
        }

        @Test("P6: while many threads read, none sees an older value than one acknowledged before it looked, nor goes back")
        func threads() async throws {
            try fixture.set("count", .int64(0))
            let defaults = defaults
            let progress = Progress()
            let readers = try (0..<3).map { _ in
                try TestThread {
                    var last = 0
                    while !progress.isDone {
                        let least = progress.number
                        let reading = defaults.reading(.count)
                        guard case .value(let value) = reading.outcome, !reading.isStale else { continue }
                        #expect(value >= least && value >= last)
                        last = value
                        progress.reads += 1
                    }
                }
            }
            for number in 1...500 as ClosedRange<Int64> {
                try fixture.set("count", .int64(number))
                progress.number = Int(number)
            }
            try await Deadline.ask("reads") { progress.reads >= 100 }
            progress.isDone = true
            for reader in readers { reader.join() }
            #expect(defaults[.count] == 500)
        }

        @Test("Watching begins with the current value, then tells each change once, the newest where several came")
        func watch() async throws {
            try fixture.set("theme", .string("dark"))
            let values = defaults.watch(.theme).makeAsyncIterator()
            #expect(await values.next() == .dark)
            try fixture.set("other", .int64(1))
            try fixture.set("theme", .string("blue"))
            #expect(await values.next() == .blue)
            for text in ["light", "blue", "light", "dark"] { try fixture.set("theme", .string(text)) }
            var last = Theme.blue
            while last != .dark { last = try #require(await values.next()) }
            try fixture.client.reset(KitFixture.app, "theme")
            #expect(await values.next() == .light, "absent is the default")
            try fixture.set("theme", .string("blue"))
            #expect(await values.next() == .blue, "nothing was left over, nothing told twice")
        }

        @Test("Each loop has a buffer of its own; a task's cancellation ends its loop")
        func watchers() async throws {
            let first = defaults.watch(.count).makeAsyncIterator()
            let second = defaults.watch(.count).makeAsyncIterator()
            #expect(await first.next() == 0)
            #expect(await second.next() == 0)
            try fixture.set("count", .int64(1))
            #expect(await first.next() == 1)
            #expect(await second.next() == 1)
            let defaults = defaults
            let loop = testTask {
                var seen: [Int] = []
                for await value in defaults.watch(.count) { seen.append(value) }
                return seen
            }
            try fixture.set("count", .int64(2))
            #expect(await first.next() == 2)
            loop.cancel()
            #expect(await loop.value.allSatisfy { (1...2).contains($0) })
        }

        @Test("global: what is set there is read by every application, and its change is told")
        func global() async throws {
            let values = defaults.watch(.level).makeAsyncIterator()
            #expect(await values.next() == 10)
            try await Defaults.global(at: .address(fixture.bus.address)).set(3, for: .level).onDisk()
            #expect(await values.next() == 3)
            #expect(defaults[.level] == 3)
        }

        @Test("P14: the names of UserDefaults convert without loss or give nil")
        func conversions() throws {
            let values: [(String, Value)] = [
                ("text", .string("42")), ("word", .string("abc")), ("nan", .double(.nan)), ("big", .uint64(.max)),
                ("half", .double(0.5)),
                ("two", .double(2)), ("yes", .boolean(true)), ("one", .byte(1)), ("list", .array(["a", "b"])),
                ("url", .string("/tmp/a b")),
                ("entries", .vardict([("k", .int32(1))])), ("bytes", .bytes([1, 2])),
            ]
            for (key, value) in values { try fixture.set(key, value) }
            #expect(
                defaults.integer(forKey: "text") == 42 && defaults.integer(forKey: "two") == 2
                    && defaults.integer(forKey: "yes") == 1
            )
            for key in ["word", "nan", "big", "half", "list", "absent"] {
                #expect(defaults.integer(forKey: key) == nil, "\(key)")
            }
            #expect(
                defaults.bool(forKey: "yes") == true && defaults.bool(forKey: "one") == true
                    && defaults.bool(forKey: "absent") == nil
            )
            #expect(defaults.bool(forKey: "text") == nil && defaults.bool(forKey: "two") == nil)
            #expect(
                defaults.double(forKey: "half") == 0.5 && defaults.double(forKey: "text") == 42
                    && defaults.double(forKey: "big") == nil)
            #expect(
                defaults.string(forKey: "text") == "42" && defaults.string(forKey: "one") == "1"
                    && defaults.string(forKey: "yes") == nil)
            #expect(
                defaults.stringArray(forKey: "list") == ["a", "b"]
                    && defaults.array(forKey: "list") == [.string("a"), .string("b")])
            #expect(defaults.dictionary(forKey: "entries") == ["k": .int32(1)] && defaults.data(forKey: "bytes")?.count == 2)
            #expect(defaults.url(forKey: "url")?.path == "/tmp/a b" && defaults.object(forKey: "nan") == .double(.nan))
            #expect(defaults.dictionaryRepresentation().count == values.count)
        }

        @Test("A key that breaks the rule, and an application that does, read as absent and write an error")
        func names() async throws {
            let bad = Key<Int>("", default: 7)
            #expect(defaults[bad] == 7)
            #expect(try await error(of: { try await defaults.set(1, for: bad).onDisk() })?.code == .invalidName)
            let wrong = Defaults(app: "nodots", at: .address(fixture.bus.address))
            #expect(wrong[.count] == 0)
            #expect(try await error(of: { try await wrong.set(1, for: .count).onDisk() })?.code == .invalidName)
            #expect(try await error(of: { try await wrong.fetch(.count) })?.code == .invalidName)
        }
    }
}

/// The error that a call throws; nil where it succeeds.
func error(of body: () async throws -> some Any) async throws -> DefaultsError? {
    do {
        _ = try await body()
        return nil
    } catch let error as DefaultsError {
        return error
    }
}

/// How far a writer has come, for readers on other threads, and how often they have read.
private final class Progress: Sendable {
    private let state = Mutex((number: 0, reads: 0, isDone: false))

    var number: Int {
        get { state.withLock { $0.number } }
        set { state.withLock { $0.number = newValue } }
    }
    var reads: Int {
        get { state.withLock { $0.reads } }
        set { state.withLock { $0.reads = newValue } }
    }
    var isDone: Bool {
        get { state.withLock { $0.isDone } }
        set { state.withLock { $0.isDone = newValue } }
    }
}

import DBusTypes
import DefaultsInterface
import DefaultsKit
import LibDBus
import Support
import Testing

extension Kit {
    @Suite("writing")
    struct KitWritingTests {
        private let fixture: KitFixture
        private var defaults: Defaults { fixture.defaults }

        init() throws { fixture = try KitFixture() }

        @Test("A write is seen by this process's next read, and by the daemon once it is on disk, in its native type")
        func set() async throws {
            let write = defaults.set(.dark, for: .theme)
            #expect(defaults[.theme] == .dark)
            try await write.onDisk()
            #expect(try fixture.stored("theme") == .string("dark"))
            #expect(defaults[.theme] == .dark)
            defaults[.frame] = Frame(width: 3, height: 4)
            #expect(defaults[.frame] == Frame(width: 3, height: 4))
            #expect(defaults.synchronize())
            #expect(try fixture.stored("frame") == .vardict([("width", .int64(3)), ("height", .int64(4))]))
            defaults[.frame] = nil
            #expect(defaults[.frame] == nil)
            #expect(defaults.synchronize())
            #expect(try fixture.stored("frame") == nil)
        }

        @Test("A reset shows the layer below, also to a read that comes before its answer")
        func reset() async throws {
            defaults.register(defaults: ["count": 5, "theme": "blue"])
            #expect(defaults[.count] == 5 && defaults[.theme] == .blue, "before the answer")
            defaults.set(1, for: .count)
            #expect(defaults[.count] == 1)
            for _ in 0..<50 {
                defaults.set(1, for: .count)
                defaults.reset(.count)
                #expect(defaults[.count] == 5)
            }
            #expect(try await defaults.fetch(.count) == 5)
        }

        @Test("Writes of one process arrive in the order made, from whatever thread, and the last one is what stays")
        func order() async throws {
            let defaults = defaults
            for number in 1...500 { defaults[.count] = number }
            #expect(defaults[.count] == 500)
            #expect(defaults.synchronize())
            #expect(try fixture.stored("count") == .int64(500))
            let threads = try (0..<3).map { thread in
                try TestThread { for number in 0..<200 { defaults.set("\(thread) \(number)", for: .name) } }
            }
            for thread in threads { thread.join() }
            let last = defaults[.name]
            try await Deadline.ask("the end of the writes") { defaults.synchronize() }
            #expect(try fixture.stored("name") == last.map { .string($0) })
        }

        @Test("A watcher sees its own process's writes at once, and each change once, whoever made it")
        func watch() async throws {
            let values = defaults.watch(.count).makeAsyncIterator()
            #expect(await values.next() == 0)
            for number in 1...100 {
                let write = defaults.set(number, for: .count)
                #expect(await values.next() == number)
                try await write.onDisk()
            }
            try fixture.set("count", .int64(-1))
            #expect(await values.next() == -1, "none of them was told again when its answer or its signal came")
        }

        @Test("A write that the daemon refuses is undone here, thrown to who waits, and told to who listens")
        func refused() async throws {
            try ConfigurationFolder(fixture.bus).replace("mandatory.d/a.json", #"{"org.example.Kit": {"theme": "blue"}}"#)
            try await Deadline.ask("the lock") { defaults[.theme] == .blue }
            var failures = defaults.writeFailures.makeAsyncIterator()
            let values = defaults.watch(.theme).makeAsyncIterator()
            #expect(await values.next() == .blue)
            #expect(try await error(of: { try await defaults.set(.dark, for: .theme).onDisk() })?.code == .locked)
            #expect(defaults[.theme] == .blue)
            let failure = await failures.next()
            #expect(failure?.keys == ["theme"] && failure?.error.code == .locked)
            var last = await values.next()
            while last != .blue { last = await values.next() }
            defaults[.name] = "a\u{0}"
            #expect(await failures.next()?.error.code == .unencodable)
            #expect(defaults[.name] == nil)
        }

        @Test("Scenario 3: two clients, each counting to 200 in one key, by increment and by update, come to 400")
        func increment() async throws {
            let (one, two) = (defaults, fixture.other)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for _ in 0..<200 { try await one.increment(.count) } }
                group.addTask { for _ in 0..<200 { try await two.update(.count) { $0 + 1 } } }
                try await group.waitForAll()
            }
            #expect(defaults[.count] == 400 && two[.count] == 400)
        }

        @Test("Increment starts at the key's default, and refuses what doesn't fit, changing nothing")
        func incrementBounds() async throws {
            #expect(try await defaults.increment(.level, by: -3) == 7)
            let byte = Key<UInt8>("byte", default: 255)
            #expect(try await error(of: { try await defaults.increment(byte) })?.code == .outOfRange)
            #expect(try fixture.stored("byte") == nil)
            #expect(try await defaults.increment(byte, by: 0) == 255)
            #expect(try fixture.stored("byte") == .byte(255))
        }

        @Test("An update to nil resets, and one whose change throws changes nothing")
        func updateToNil() async throws {
            defaults[.name] = "one"
            #expect(try await defaults.update(.name) { $0.map { $0 + " two" } } == "one two")
            #expect(try await defaults.update(.name) { _ in nil } == nil)
            #expect(try fixture.stored("name") == nil)
            #expect(try await defaults.update(.name) { _ in nil } == nil)
            await #expect(throws: TestFailure.self) { try await defaults.update(.name) { _ in throw TestFailure("no") } }
            #expect(try fixture.stored("name") == nil)
        }

        @Test("Scenario 12: a transaction is one change to readers; one with a value that is refused changes nothing")
        func transaction() async throws {
            try await defaults.set("there", for: .name).onDisk()
            try fixture.client.preferences(PreferencesInterface.watch, .string(KitFixture.app))
            defaults.transaction {
                $0.set(.dark, for: .theme)
                $0.set(4, for: .count)
                $0.reset(.name)
            }
            #expect(defaults[.theme] == .dark && defaults[.count] == 4 && defaults[.name] == nil)
            #expect(defaults.synchronize())
            let signals = try fixture.client.wait("the change") { $0.member == PreferencesInterface.changed }
            #expect(signals.count == 1 && signals[0].arguments[1].dictionary?.entries.count == 2)
            let write = defaults.transaction {
                $0.set(5, for: .count)
                $0.set("a\u{0}", for: .name)
            }
            #expect(try await error(of: { try await write.onDisk() })?.code == .unencodable)
            #expect(defaults[.count] == 4)
        }

        @Test("A transaction that expects a revision is refused where anything has changed since")
        func expected() async throws {
            let revision = try await defaults.revision()
            try await defaults.transaction(expecting: revision) { $0.set(1, for: .count) }.onDisk()
            #expect(defaults[.count] == 1)
            let late = defaults.transaction(expecting: revision) { $0.set(2, for: .count) }
            #expect(try await error(of: { try await late.onDisk() })?.code == .revisionMismatch)
            #expect(defaults[.count] == 1)
        }

        @Test(
            "Scenario 2: what was written before synchronize() returned is there after the process has gone, and after the daemon was killed"
        )
        func synchronize() throws {
            for number in 0..<50 { defaults.set(number, forKey: "key \(number)") }
            #expect(defaults.synchronize())
            try fixture.daemon.kill9()
            try fixture.daemon.restart()
            for number in 0..<50 { #expect(try fixture.stored("key \(number)") == .int64(Int64(number))) }
        }

        @Test("The last reference to Defaults may go before its writes are sent: they arrive")
        func letGo() async throws {
            do {
                let defaults = fixture.other
                for number in 1...100 { defaults[.count] = number }
            }
            try await Deadline.ask("the last write") { try fixture.stored("count") == .int64(100) }
        }
    }
}

import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Configuration files take effect")
struct FileLayersTests {
    private let fixture = LedgerFixture()
    private let app = LedgerFixture.app
    private let other = LedgerFixture.other

    private func key(_ text: String) -> PreferenceKey { LedgerFixture.key(text) }

    private func take(_ files: FileLayers) {
        fixture.take(files)
        fixture.commitAll()
    }

    @Test("P5: one change of the files is one signal for each watched domain whose effective values moved, and no other")
    func once() throws {
        fixture.ledger.watchedDomains = [app, other, .global]
        fixture.set("theme", .string("own"))
        fixture.commitAll()
        take(
            FileLayers(
                machine: [.global: [key("theme"): .string("dark"), key("size"): .int32(1)], app: [key("theme"): .string("x")]]))
        #expect(
            fixture.log.suffix(4) == [
                "files ok", "files changed global @3", "files changed org.example.App @3", "files changed org.example.Other @3",
            ])
        let change = try #require(fixture.changes.first { $0.domain == app && $0.revision == 3 })
        #expect(change.changed.map(\.key) == [key("size")])
    }

    @Test("P5: a machine default set under a user's value, or the same files again, signals nothing")
    func covered() {
        fixture.ledger.watchedDomains = [app]
        fixture.set("theme", .string("own"))
        fixture.commitAll()
        let files = FileLayers(machine: [app: [key("theme"): .string("dark")]])
        take(files)
        #expect(fixture.log.suffix(1) == ["files ok"] && fixture.ledger.committedView.revision(of: app) == 3)
        take(files)
        #expect(fixture.ledger.committedView.revision == 3 && fixture.changes.count == 1)
    }

    @Test("LocksChanged comes after the values, with all keys now locked, only where they moved")
    func locksChanged() {
        fixture.ledger.watchedDomains = [app, other]
        take(FileLayers(mandatory: [app: [key("b"): .int32(1)], .global: [key("a"): .int32(1)]]))
        #expect(
            fixture.log == [
                "files ok", "files changed org.example.App @2", "files changed org.example.Other @2",
                "files locks org.example.App a,b", "files locks org.example.Other a",
            ])
        // A lock with the value that was there already moves no value.
        fixture.set("c", .int32(5))
        fixture.commitAll()
        take(FileLayers(mandatory: [app: [key("b"): .int32(1), key("c"): .int32(5)], .global: [key("a"): .int32(1)]]))
        #expect(fixture.log.suffix(2) == ["files ok", "files locks org.example.App a,b,c"])
        take(FileLayers())
        #expect(
            fixture.log.suffix(5) == [
                "files ok", "files changed org.example.App @5", "files changed org.example.Other @5",
                "files locks org.example.App ", "files locks org.example.Other ",
            ])
    }

    @Test("A restart with the same files keeps every revision; with others it moves them all, once")
    func restart() throws {
        let files = FileLayers(machine: [app: [key("k"): .int32(1)]])
        let first = Ledger(StoreSummary())
        #expect(!first.start(with: files))
        var stored: [RecordChange] = []
        first.submit(
            Operation(
                caller: .daemon, writer: "", body: { (view) throws(ModelError) in Ledger.taking(files, in: view, at: .start) },
                complete: { _, _ in }))
        stored += first.takeBatch() ?? []
        first.batchCommitted()
        #expect(first.committedView.revision(of: app) == 2 && first.takeBatch() == nil)

        let record = try #require(
            stored.compactMap { change -> Value? in
                if case .onboarding(.global, FilesRecord.id, let value) = change { value } else { nil }
            }.first)
        func restarted() -> Ledger {
            let ledger = Ledger(StoreSummary(revision: 2, domains: [.global: DomainSummary()]))
            ledger.load(DomainContents(onboarding: [FilesRecord.id: record]), as: .global)
            return ledger
        }
        let same = restarted()
        #expect(same.start(with: files))
        #expect(same.committedView.revision(of: app) == 2)
        #expect(same.committedView.effectiveValue(app, key("k"))?.value == .int32(1))
        #expect(!restarted().start(with: FileLayers()))
        #expect(!restarted().start(with: FileLayers(mandatory: files.machine)))
        #expect(Ledger(StoreSummary()).start(with: FileLayers()))
    }

    @Test("The digest tells apart layers, domains, keys, types and bits, and not the order of anything")
    func digest() {
        let one = Value.int32(1)
        let sets: [FileLayers] = [
            FileLayers(), FileLayers(mandatory: [app: [key("k"): one]]), FileLayers(machine: [app: [key("k"): one]]),
            FileLayers(machine: [other: [key("k"): one]]), FileLayers(machine: [app: [key("l"): one]]),
            FileLayers(machine: [app: [key("k"): .uint32(1)]]), FileLayers(machine: [app: [key("k"): .int32(2)]]),
            FileLayers(schemas: [app: [key("k"): PreferenceSchema(type: .int32, defaultValue: one)]]),
            FileLayers(machine: [app: [key("k"): .double(0)]]), FileLayers(machine: [app: [key("k"): .double(-0.0)]]),
        ]
        #expect(Set(sets.map(\.digest)).count == sets.count)
        let many = (0..<100).map { (key("k\($0)"), Value.int32(Int32($0))) }
        let forward = FileLayers(machine: [app: Dictionary(uniqueKeysWithValues: many)])
        let backward = FileLayers(machine: [app: Dictionary(uniqueKeysWithValues: many.reversed())])
        #expect(forward.digest == backward.digest)
        // The number is kept on disk: another way to count it would move every revision at an upgrade.
        #expect(FileLayers().digest == 0xD949AA186C0C4928)
    }

    @Test("P11: on a store that can't be written the files take effect in memory, and are announced")
    func inMemory() {
        fixture.ledger.watchedDomains = [app]
        let files = FileLayers(mandatory: [app: [key("k"): .int32(1)]])
        fixture.take(files)
        #expect(fixture.ledger.takeBatch() != nil)
        fixture.ledger.batchFailed(ModelError(.storageReadOnly, "The store is read-only."))
        #expect(fixture.value("k") == nil)
        fixture.note(fixture.ledger.takeFilesInMemory(files), "memory")
        #expect(fixture.value("k") == .int32(1))
        #expect(
            fixture.log == ["files StorageReadOnly", "memory changed org.example.App @2", "memory locks org.example.App k"])
        #expect(fixture.ledger.committedView.revision(of: app) == 2)
    }

    @Test("P11: files that took effect only in memory go when the ones before come back, which the store still knows")
    func backAgain() {
        let first = FileLayers(machine: [app: [key("k"): .int32(1)]])
        take(first)
        fixture.note(fixture.ledger.takeFilesInMemory(FileLayers(machine: [app: [key("k"): .int32(2)]])), "memory")
        #expect(fixture.value("k") == .int32(2))
        take(first)
        #expect(fixture.value("k") == .int32(1))
    }

    @Test("P9: a store that takes the place of a damaged one leaves locks and defaults as the files have them")
    func replaced() {
        take(FileLayers(mandatory: [app: [key("k"): .int32(1)]]))
        fixture.ledger.replace(with: StoreSummary(revision: 1 << 32), error: ModelError(.unavailable, "The store was damaged."))
        #expect(fixture.value("k") == .int32(1))
        fixture.set("k", .int32(2))
        #expect(fixture.log.last == "set k Locked")
    }
}

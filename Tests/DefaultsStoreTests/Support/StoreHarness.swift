import DefaultsModel
import Glibc
import Testing

@testable import DefaultsStore

/// A service with a loop of its own: asks, and waits for the answer as a loop would.
final class StoreHarness {
    let service: StoreService
    private let wakeups: Pipe

    /// Starts a service whose backups begin after `backupDelay` nanoseconds, by default not during a test, and as often as they like.
    init(backupDelay: Int64 = 3_600_000_000_000, bytesPerSecond: Int64 = 1 << 40) {
        let wakeups = Pipe()
        self.wakeups = wakeups
        service = StoreService(pace: BackupPace(delay: backupDelay, bytesPerSecond: bytesPerSecond), wake: { wakeups.write() })
    }

    deinit { service.shutdown() }

    /// Opens the store in a folder.
    func open(_ directory: String, bus: String = "test") throws -> OpenedStore {
        try answer { service.open(directory: directory, holder: StoreHolder(bus: bus), completion: $0) }.get()
    }

    /// Runs a request and waits for its answer.
    func answer<Success, Failure>(
        _ request: (@escaping (Result<Success, Failure>) -> Void) -> Void
    ) throws -> Result<Success, Failure> {
        var result: Result<Success, Failure>?
        request { result = $0 }
        while result == nil {
            try wakeups.wait()
            service.deliver()
        }
        return try #require(result)
    }
}

extension StoreHarness {
    func commit(_ store: UserStore, _ changes: [RecordChange]) throws {
        try answer { store.commit(changes, completion: $0) }.get()
    }

    func load(_ store: UserStore, _ domain: DomainName) throws -> DomainContents {
        try answer { store.load(domain, completion: $0) }.get()
    }

    func close(_ store: UserStore) throws {
        try answer { store.close(completion: $0) }.get()
    }

    func acknowledgeLoss(_ store: UserStore) throws {
        try answer { store.acknowledgeLoss(completion: $0) }.get()
    }
}

/// Wakes a waiting test from another thread.
final class Pipe: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "a pipe can be made")
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(reading)
        Glibc.close(writing)
    }

    func write() {
        var byte: UInt8 = 1
        _ = Glibc.write(writing, &byte, 1)
    }

    /// Waits for a wake-up; an error after 20 s, when none will come.
    func wait() throws {
        var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        try #require(poll(&descriptor, 1, 20_000) == 1, "the store thread answers within 20 s")
        var byte: UInt8 = 0
        try #require(read(reading, &byte, 1) == 1)
    }
}

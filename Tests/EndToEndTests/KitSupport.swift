import DBusTypes
import DefaultsKit
import Glibc
import Support
import Synchronization
import Testing

enum Theme: String, DefaultsValue { case light, dark, blue }

struct Frame: Codable, Hashable, DefaultsValue {
    var width: Int
    var height: Int
}

extension Keys {
    static let theme = Key<Theme>("theme", default: .light)
    static let count = Key<Int>("count", default: 0)
    static let level = Key<Int>("level", default: 10)
    static let name = Key<String?>("name")
    static let frame = Key<Frame?>("frame")
    static let recent = Key<[String]>("recent", default: [])
}

/// A daemon on a bus of the test's own, a client of the library and one that speaks D-Bus itself.
final class KitFixture {
    static let app = "org.example.Kit"
    let bus: PrivateBus
    let daemon: Daemon
    let client: Client
    let defaults: Defaults

    init(arguments: [String] = []) throws {
        bus = try PrivateBus()
        daemon = try Daemon(on: bus, arguments: arguments)
        client = try Client(on: bus)
        defaults = Defaults(app: Self.app, at: .address(bus.address))
    }

    /// As another process of the user.
    var other: Defaults { Defaults(app: Self.app, at: Endpoint.address(bus.address).separate()) }

    func stored(_ key: String) throws -> Value? { try client.get(Self.app, key) }

    func set(_ key: String, _ value: Value) throws { try client.set(Self.app, key, value) }
}

/// The tests of the client library: one at a time, since each is held to 500 ms here and there, and on threads that no other test blocks.
@Suite("DefaultsKit", .serialized, OwnThreads())
struct Kit {}

/// Runs a test's tasks on threads of its own: the pool's are few, and other tests wait on them.
struct OwnThreads: TestTrait, SuiteTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let executor = try TestExecutor()
        defer { executor.stop() }
        try await TestExecutor.$current.withValue(executor) {
            try await withTaskExecutorPreference(executor) { try await function() }
        }
    }
}

/// A task beside the test's, on the test's threads, which a task that isn't its child would not be on.
func testTask<Content: Sendable>(_ body: @escaping @Sendable () async -> Content) -> Task<Content, Never> {
    Task(executorPreference: TestExecutor.current) { await body() }
}

/// Four threads that run tasks.
final class TestExecutor: TaskExecutor {
    /// That of the test that runs.
    @TaskLocal static var current: TestExecutor?

    private struct State {
        var jobs: [UnownedJob] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    private let semaphore = Semaphore()

    init() throws { for _ in 0..<4 { try TestThread { [self] in work() }.detach() } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        semaphore.signal()
    }

    /// Ends the threads once there is nothing to do.
    func stop() {
        state.withLock { $0.isStopped = true }
        for _ in 0..<4 { semaphore.signal() }
    }

    private func work() {
        while true {
            semaphore.wait()
            let (job, isStopped) = state.withLock { state in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isStopped)
            }
            if let job { job.runSynchronously(on: asUnownedTaskExecutor()) } else if isStopped { return }
        }
    }

    /// A counter that threads wait for to be above 0.
    private final class Semaphore: @unchecked Sendable {
        // sem_t is made for several threads.
        private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

        init() { sem_init(semaphore, 0, 0) }

        deinit {
            sem_destroy(semaphore)
            semaphore.deallocate()
        }

        func signal() { sem_post(semaphore) }

        func wait() { while sem_wait(semaphore) != 0 {} }
    }
}

extension Deadline {
    /// Looks again and again, for what nothing tells of, until it is so.
    static func ask(_ what: String, until deadline: Deadline = .after(.seconds(30)), _ condition: () async throws -> Bool)
        async throws
    {
        while try await !condition() {
            if deadline.isPast { throw TestFailure("\(what) had not come \(deadline)") }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

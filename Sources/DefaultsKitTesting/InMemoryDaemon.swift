public import DBusTypes
public import DefaultsKit
import DefaultsModel
import Glibc

/// A daemon in the test's own process and memory, with the real one's rules: preferences, launches and countdowns on the same model.
///
///     let daemon = InMemoryDaemon()
///     let defaults = Defaults(app: "org.example.Editor", at: daemon.endpoint)
///     let splash = defaults.countdown(.seconds(10))
///     daemon.advance(by: .seconds(10))                 // no test waits for time to pass
///     for await event in splash { … }
///
/// Its time stands still but for ``advance(by:)``. Nothing is on disk: a process's end is the store's. ``stop()`` and ``start()`` are a
/// daemon's end and its next run on the same store, for tests of what a program does meanwhile.
///
/// ``Conformance`` has what it and the real daemon are both held to.
public final class InMemoryDaemon: Sendable {
    let core: MemoryCore

    /// Where a ``Defaults`` finds it; its ``Endpoint/separate()`` is another client, as another process would be.
    public let endpoint: Endpoint

    /// Starts a daemon with an empty store, at a time of its own.
    ///
    /// The wall clock begins at `time`, in microseconds since the Unix epoch. Without a page every read calls, as a sandboxed program's
    /// does (P15).
    public init(time: Int64 = 1_700_000_000_000_000, givesPage: Bool = true) {
        let core = MemoryCore(time: time, givesPage: givesPage)
        self.core = core
        endpoint = Endpoint { MemoryTransport(core) }
    }

    /// Moves all clocks on; what falls due on the way happens in order, each at its own time.
    public func advance(by duration: Duration) { core.onThread { $0.advance(by: duration) } }

    /// Sets the wall clock, in microseconds since the Unix epoch: order and deadlines don't follow it.
    public func setWall(_ microseconds: Int64) { core.onThread { $0.setWall(microseconds) } }

    /// Has the machine sleep for so long: countdowns with `pausesOnSuspend` stand still.
    public func suspend(for duration: Duration) { core.onThread { $0.suspend(for: duration) } }

    /// Ends the daemon as a crash does; twice is no error.
    public func stop() { core.onThread { $0.stop() } }

    /// Starts it again on the same store; twice is no error.
    public func start() { core.onThread { $0.start() } }

    /// Imposes a preference as an administrator does, so that writes to it are `locked`; nil takes that back.
    ///
    /// Returns false, and changes nothing, where `domain` or `key` breaks the rule for its kind of name.
    @discardableResult
    public func setMandatory(_ domain: String, _ key: String, _ value: Value?) -> Bool {
        guard let domain = DomainName(domain), let key = PreferenceKey(key) else { return false }
        core.onThread { $0.setMandatory(domain, key, value) }
        return true
    }
}

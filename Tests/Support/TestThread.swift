import Glibc

/// A thread of a test's own, for what would keep one of the tasks' threads busy; what it runs ends it.
public final class TestThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let identity: pthread_t

    /// Begins to run `body`.
    public init(_ body: @escaping @Sendable () -> Void) throws {
        var identity = pthread_t()
        let context = Unmanaged.passRetained(Body(body))
        let result = pthread_create(
            &identity, nil,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            throw TestFailure("pthread_create: \(String(cString: strerror(result)))")
        }
        self.identity = identity
    }

    /// Waits for its end; once.
    public func join() { pthread_join(identity, nil) }

    /// Lets it end by itself, in place of `join`.
    public func detach() { pthread_detach(identity) }
}

import Glibc
import Synchronization

/// A lock for what many threads read all the time and one now and then writes: readers on different stripes don't meet.
///
/// A reader takes the stripe that its thread falls on, a writer takes all. Both hold it for a look-up or an update in memory, never over
/// a call.
struct StripedLock: ~Copyable, Sendable {
    private static let count = 16
    /// Shifts a 64-bit hash down to a stripe's number.
    private static let shift = UInt(60)

    /// One stripe on a cache line of its own, so that readers of two stripes don't slow each other down.
    private struct Stripe: ~Copyable {
        let mutex = Mutex<Void>(())
        let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)
    }

    private let stripes = InlineArray<16, Stripe>({ _ in Stripe() })

    /// Reads what the lock protects.
    @inline(__always)
    func read<Result: Sendable>(_ body: () -> Result) -> Result {
        let stripe = Int((UInt(pthread_self()) &* 0x9E37_79B9_7F4A_7C15) >> Self.shift)
        return stripes[stripe].mutex.withLock { _ in body() }
    }

    /// Changes what the lock protects, with no reader anywhere.
    func write<Result: Sendable>(_ body: () -> Result) -> Result { hold(from: 0, body) }

    private func hold<Result: Sendable>(from stripe: Int, _ body: () -> Result) -> Result {
        if stripe == Self.count { return body() }
        return stripes[stripe].mutex.withLock { _ in hold(from: stripe + 1, body) }
    }
}

import Glibc

/// A queue from one thread to another.
///
/// `@unchecked Sendable`: `items` and `isClosed` are touched only with `mutex` held.
final class HandOver<Item: Sendable>: @unchecked Sendable {
    private var items: [Item] = []
    private var isClosed = false
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // Waits are intervals: setting the clock must not lengthen them.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Adds an item; returns whether the queue was empty, so that the receiver has to be woken.
    @discardableResult
    func append(_ item: Item) -> Bool {
        let wasEmpty = locked {
            items.append(item)
            return items.count == 1
        }
        // Without the lock: who wakes takes it at once, and would have to wait for it. Where items wait already, it was told.
        if wasEmpty { pthread_cond_signal(changed) }
        return wasEmpty
    }

    /// Ends the queue: what is in it is still received.
    func close() {
        locked {
            isClosed = true
            pthread_cond_broadcast(changed)
        }
    }

    /// Whether an item waits.
    var isEmpty: Bool { locked { items.isEmpty } }

    /// Takes all that waits, without waiting.
    func takeAll() -> [Item] {
        locked { drain() }
    }

    /// What a wait ended with.
    enum Reception {
        case items([Item])
        case timedOut
        case closed
    }

    /// Waits for items, at most until `deadline` (nanoseconds of CLOCK_MONOTONIC) where there is one.
    func receive(until deadline: Int64? = nil) -> Reception {
        locked {
            while items.isEmpty {
                if isClosed { return .closed }
                guard let deadline else {
                    pthread_cond_wait(changed, mutex)
                    continue
                }
                var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
                if pthread_cond_timedwait(changed, mutex, &time) == ETIMEDOUT, items.isEmpty { return .timedOut }
            }
            return .items(drain())
        }
    }

    private func drain() -> [Item] {
        let taken = items
        items.removeAll(keepingCapacity: taken.count < 64)
        return taken
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}

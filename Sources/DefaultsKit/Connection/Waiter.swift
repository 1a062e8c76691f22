import Glibc
import Synchronization

/// Hands one value from the client's thread to a thread that waits for it, for so long and no longer.
final class Waiter<Content: Sendable>: @unchecked Sendable {
    // All that can change is used under `mutex`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var content: Content?

    init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // The wall clock may be set while someone waits.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Gives the value; a second one is dropped.
    func give(_ content: Content) {
        pthread_mutex_lock(mutex)
        if self.content == nil { self.content = content }
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// The value; nil where none has come in so many milliseconds.
    func wait(milliseconds: Int) -> Content? {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_sec += milliseconds / 1_000
        deadline.tv_nsec += milliseconds % 1_000 * 1_000_000
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_sec += 1
            deadline.tv_nsec -= 1_000_000_000
        }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while content == nil {
            if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { break }
        }
        return content
    }
}

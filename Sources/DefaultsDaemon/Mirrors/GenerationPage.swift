import CLinux
import DBusTypes
import DefaultsInterface
import Glibc

/// The memory that one user's readers map: written here, read-only for everyone else.
///
/// Belongs to the main thread: it holds the lock at word 0 from the page's beginning to the daemon's end, and the kernel marks the lock
/// when that thread ends, however it does.
final class GenerationPage {
    /// Why there is no page.
    struct Failure: Error {
        let message: String

        init(_ call: String, _ code: Int32) { message = "\(call): \(String(cString: strerror(code)))" }
    }

    /// What readers get.
    ///
    /// Opened for reading only, so that not even the mapping of a reader who means harm can be made writable.
    let descriptor: UnixFD
    private let words: UnsafeMutablePointer<UInt64>
    private var isRetired = false

    private static let seals = UInt32(CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_FUTURE_WRITE | CLINUX_SEAL_SEAL)

    /// Makes a page for a run of the daemon, its lock held by the calling thread.
    init(instance: UInt64) throws(Failure) {
        let memory = clinux_make_memory_file("defaultsd-generations")
        guard memory >= 0 else { throw Failure("memfd_create", errno) }
        defer { close(memory) }
        guard ftruncate(memory, off_t(GenerationLayout.size)) == 0 else { throw Failure("ftruncate", errno) }
        let address = mmap(nil, GenerationLayout.size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
        guard let address, address != MAP_FAILED else { throw Failure("mmap", errno) }
        do throws(Failure) {
            // This mapping stays writable; no other will be.
            guard clinux_add_seals(memory, Self.seals) == 0 else { throw Failure("F_ADD_SEALS", errno) }
            let readOnly = open("/proc/self/fd/\(memory)", O_RDONLY | O_CLOEXEC)
            guard readOnly >= 0 else { throw Failure("open /proc/self/fd", errno) }
            descriptor = UnixFD(owning: readOnly) { close($0) }
            let failure = clinux_hold_lock(address)
            guard failure == 0 else { throw Failure("pthread_mutex_lock", failure) }
        } catch {
            munmap(address, GenerationLayout.size)
            throw error
        }
        words = address.bindMemory(to: UInt64.self, capacity: GenerationLayout.size / 8)
        clinux_store(words + GenerationLayout.instanceWord, instance)
    }

    deinit {
        retire()
        munmap(words, GenerationLayout.size)
    }

    /// Says that the domains of a slot have changed.
    func increment(_ slot: Int) { clinux_increment(words + slot) }

    /// Gives up the lock: from now on no reader takes a value for current on the word of this page.
    func retire() {
        guard !isRetired else { return }
        isRetired = true
        let failure = clinux_release_lock(words)
        precondition(failure == 0, "the lock is released by the thread that holds it")
    }
}

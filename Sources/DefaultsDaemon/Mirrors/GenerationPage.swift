import CLinux
import DBusTypes
import DefaultsInterface
import Glibc

/// The memory that one user's readers map: written here, read-only for everyone else.
///
/// Belongs to the main thread. The lock at word 0 is held from the page's beginning to the daemon's end, and the kernel marks it when the process ends, however
/// it does. Nothing in the page tells readers, who may be other users, anything of this process but that.
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
    /// Where the lock is held, which is the page's first word in another place; nil once it is released.
    private var lock: UnsafeMutablePointer<UInt32>?

    private static let seals = UInt32(CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_FUTURE_WRITE | CLINUX_SEAL_SEAL)

    /// Makes a page for a run of the daemon, its lock held.
    init(instance: UInt64) throws(Failure) {
        let memory = clinux_make_memory_file("defaultsd-generations")
        guard memory >= 0 else { throw Failure("memfd_create", errno) }
        defer { close(memory) }
        guard ftruncate(memory, off_t(GenerationLayout.size)) == 0 else { throw Failure("ftruncate", errno) }
        let address = mmap(nil, GenerationLayout.size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
        guard let address, address != MAP_FAILED else { throw Failure("mmap", errno) }
        do throws(Failure) {
            guard let lock = clinux_hold_lock(memory) else { throw Failure("holding the lock", errno) }
            self.lock = lock
            // These mappings stay writable; no other will be.
            guard clinux_add_seals(memory, Self.seals) == 0 else { throw Failure("F_ADD_SEALS", errno) }
            let readOnly = open("/proc/self/fd/\(memory)", O_RDONLY | O_CLOEXEC)
            guard readOnly >= 0 else { throw Failure("open /proc/self/fd", errno) }
            descriptor = UnixFD(owning: readOnly) { close($0) }
        } catch {
            if let lock { clinux_release_lock(lock) }
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
        if let lock { clinux_release_lock(lock) }
        lock = nil
    }
}

import CLinux
import DBusTypes
import DefaultsInterface
import Glibc

/// A generation page as the real daemon has one, whose lock says what the test says.
final class MemoryPage {
    let descriptor: UnixFD
    private let words: UnsafeMutablePointer<UInt64>
    /// A thread number in the lock's word: someone holds it.
    private static let held: UInt64 = 1

    /// Makes a page for one run of the daemon; nil where the system gives no memory, and every read then calls.
    init?(instance: UInt64) {
        let memory = clinux_make_memory_file("defaultskit-testing")
        guard memory >= 0 else { return nil }
        descriptor = UnixFD(owning: memory) { close($0) }
        guard ftruncate(memory, off_t(GenerationLayout.size)) == 0,
            let address = mmap(nil, GenerationLayout.size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0), address != MAP_FAILED
        else { return nil }
        words = address.bindMemory(to: UInt64.self, capacity: GenerationLayout.size / 8)
        guard clinux_add_seals(memory, UInt32(CLINUX_SEAL_SHRINK)) == 0 else { return nil }
        clinux_store(words + GenerationLayout.instanceWord, instance)
        clinux_store(words, Self.held)
    }

    deinit { munmap(words, GenerationLayout.size) }

    func increment(_ slot: Int) { clinux_increment(words + slot) }

    /// Says that this run has ended.
    func retire() { clinux_store(words, 0) }
}

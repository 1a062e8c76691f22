import CLinux
import DBusTypes
import DefaultsInterface
import Glibc

@testable import DefaultsKit

/// A generation page that the test itself writes.
final class FakePage {
    let words: UnsafeMutablePointer<UInt64>
    let descriptor: UnixFD

    init?(instance: UInt64 = 1, size: Int = GenerationLayout.size, seals: Int = CLINUX_SEAL_SHRINK) {
        let memory = clinux_make_memory_file("test")
        guard memory >= 0, ftruncate(memory, off_t(size)) == 0 else { return nil }
        descriptor = UnixFD(owning: memory) { close($0) }
        guard let address = mmap(nil, GenerationLayout.size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0),
            address != MAP_FAILED, clinux_add_seals(memory, UInt32(seals)) == 0
        else { return nil }
        words = address.bindMemory(to: UInt64.self, capacity: GenerationLayout.size / 8)
        guard size == GenerationLayout.size else { return }
        clinux_store(words + GenerationLayout.instanceWord, instance)
        lock = 4_711
    }

    deinit { munmap(words, GenerationLayout.size) }

    /// The lock's word: a thread's number while that thread has it.
    var lock: UInt64 {
        get { clinux_load(words) }
        set { clinux_store(words, newValue) }
    }

    func change(_ slot: Int) { clinux_increment(words + slot) }

    var map: GenerationMap? { GenerationMap(descriptor) }
}

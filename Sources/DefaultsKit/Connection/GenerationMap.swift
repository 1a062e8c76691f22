import CLinux
import DBusTypes
import DefaultsInterface
import Glibc

/// A generation page of the daemon, mapped into this process to be read.
final class GenerationMap {
    /// The run of the daemon that the page belongs to.
    let instance: UInt64
    private let words: UnsafePointer<UInt64>

    /// Maps what `Generations` returned; nil where it is no page, or one that could shrink under its readers.
    init?(_ descriptor: UnixFD) {
        let seals = clinux_seals(descriptor.number)
        var status = stat()
        guard seals >= 0, seals & Int32(CLINUX_SEAL_SHRINK) != 0, fstat(descriptor.number, &status) == 0,
            status.st_size >= off_t(GenerationLayout.size)
        else { return nil }
        let address = mmap(nil, GenerationLayout.size, PROT_READ, MAP_SHARED, descriptor.number, 0)
        guard let address, address != MAP_FAILED else { return nil }
        words = UnsafePointer(address.bindMemory(to: UInt64.self, capacity: GenerationLayout.size / 8))
        instance = clinux_load(words + GenerationLayout.instanceWord)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: words), GenerationLayout.size) }

    /// Whether that run of the daemon goes on.
    var isLive: Bool { clinux_is_lock_held(words) != 0 }

    /// The count of changes in a slot.
    func word(_ slot: Int) -> UInt64 { clinux_load(words + slot) }

    /// The page for as long as this object lives.
    var view: View { View(words: words) }

    /// A page as reads see it; whoever keeps one keeps its ``GenerationMap`` too.
    struct View {
        fileprivate let words: UnsafePointer<UInt64>

        /// Whether nothing has changed in a slot since its word was `word`.
        ///
        /// The lock is looked at last: held then, it was held when the word was read.
        func isCurrent(_ slot: Int, _ word: UInt64) -> Bool {
            clinux_load(words + slot) == word && clinux_is_lock_held(words) != 0
        }
    }
}

import CLinux
import DBusTypes
import DefaultsInterface
import Glibc
import Support

/// A generation page as a client in any language maps it.
final class MappedPage {
    let descriptor: UnixFD
    private let words: UnsafeMutablePointer<UInt64>

    /// Maps what `Generations` answers a client, of the root object or of a user's.
    init(_ client: Client, at path: ObjectPath = WellKnown.rootPath) throws {
        let reply = try client.call(PreferencesInterface.name, PreferencesInterface.generations, at: path)
        guard case .unixFD(let descriptor)? = reply.first else {
            throw TestFailure("Generations answered no descriptor")
        }
        self.descriptor = descriptor
        guard let address = mmap(nil, GenerationLayout.size, PROT_READ, MAP_SHARED, descriptor.number, 0), address != MAP_FAILED
        else { throw TestFailure("mmap: \(String(cString: strerror(errno)))") }
        words = address.bindMemory(to: UInt64.self, capacity: GenerationLayout.size / 8)
    }

    deinit { munmap(words, GenerationLayout.size) }

    var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(words) }

    subscript(slot: UInt32) -> UInt64 { clinux_load(words + Int(slot)) }

    var instance: UInt64 { clinux_load(words + GenerationLayout.instanceWord) }

    /// Whether the daemon that the page belongs to lives.
    var isLive: Bool { clinux_is_lock_held(words) != 0 }

    /// All words that say something.
    var wordsInUse: Set<Int> { Set((0..<GenerationLayout.size / 8).filter { clinux_load(words + $0) != 0 }) }

    /// The lock as the kernel left it or keeps it.
    var lock: UInt64 { clinux_load(words) }
}

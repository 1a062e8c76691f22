// Reads in this process. `mirror ADDRESS KEYS BATCH` serves samples of one typed read by DefaultsKit, a mean of BATCH; `dictionary` and
// `atomic` what a look-up in a Swift Dictionary and one atomic load cost, which are the limits. `check ADDRESS DOMAIN KEY` reads one key
// for each sample, `notify ADDRESS DOMAIN KEY` says at what moments it is told of changes, and `idle` says nothing.
import CPeerLine
import DBusTypes
import DefaultsKit
import Glibc
import LibDBus
import Synchronization

// Set at the start of the program, used by the one thread there is.
nonisolated(unsafe) var names: [String] = []
nonisolated(unsafe) var batch = 1
nonisolated(unsafe) var domain: MirroredDomain?
nonisolated(unsafe) var dictionary: [String: Int64] = [:]
let word = Atomic<Int64>(1)

/// The nanoseconds of one of `batch` reads.
func measure(_ read: () -> Int64?) -> Double {
    var found: Int64 = 0
    let begin = line_now()
    for _ in 0..<batch { found &+= (read() ?? -1) >= 0 ? 1 : 0 }
    let duration = line_now() - begin
    guard found == batch else { line_fail("a read has found nothing") }
    return Double(duration) / Double(batch)
}

/// Mirrors a domain on a loop.
func watch(_ name: String) throws -> (PreferencesMirror, MirroredDomain, PollLoop) {
    let loop = PollLoop()
    let mirror = try PreferencesMirror(address: words[2], loop: loop)
    return (mirror, try mirror.watch(name), loop)
}

func run() throws {
    switch words[1] {
    case "mirror":
        let (mirror, watched, _) = try watch("org.example.App0")
        domain = watched
        guard !watched.read(names[0]).isStale else { line_fail("the mirror is stale") }
        line_serve { number in
            guard let domain else { return 0 }
            let name = names[Int(number) % names.count]
            return measure { domain.read(name).value?.get(as: Int64.self) }
        }
        // A domain doesn't keep its mirror.
        withExtendedLifetime(mirror) {}
    case "dictionary":
        for (index, name) in names.enumerated() { dictionary[name] = Int64(index + 1) }
        line_serve { number in
            let name = names[Int(number) % names.count]
            return measure { dictionary[name] }
        }
    case "atomic":
        line_serve { _ in measure { word.load(ordering: .acquiring) } }
    case "check":
        let (mirror, watched, _) = try watch(words[3])
        domain = watched
        line_serve { _ in Double(domain?.read(words[4]).value?.get(as: Int64.self) ?? -1) }
        withExtendedLifetime(mirror) {}
    case "notify", "idle":
        let (mirror, watched, loop) = try watch(words[3])
        if words[1] == "notify" {
            watched.onChange = { _ in
                let line = Array("\(line_now())\n".utf8)
                _ = write(STDOUT_FILENO, line, line.count)
            }
        }
        line_ready()
        loop.run()
        withExtendedLifetime((mirror, watched)) {}
    default: line_fail("\(words[1]) is none of mirror, dictionary, atomic, check, notify, idle")
    }
}

let words = CommandLine.arguments
guard words.count == 5 else {
    line_fail("usage: MirrorReader mirror|dictionary|atomic ADDRESS KEYS BATCH | check|notify|idle ADDRESS DOMAIN KEY")
}
names = (0..<(Int(words[3]) ?? 1)).map { "setting-\($0)" }
batch = Int(words[4]) ?? 1
do { try run() } catch { line_fail("\(error)") }

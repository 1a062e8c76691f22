// One process among those that try to catch a mirror with an old value:
//     MirrorHammer reader|writer ADDRESS SCOREBOARD SEED [PREFERENCE…]
import Glibc
import LibDBus
import Support

func fail(_ message: String) -> Never {
    let text = "MirrorHammer: \(message)\n"
    _ = write(STDERR_FILENO, text, text.utf8.count)
    exit(1)
}

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 4, let seed = UInt64(words[3]) else { fail("reader|writer ADDRESS SCOREBOARD SEED [PREFERENCE…]") }
let random = SeededGenerator(seed: seed)
do {
    let board = try Scoreboard(words[2])
    if words[0] == "reader" {
        if let failure = try Reader(board, random, address: words[1]).run() { fail(failure) }
    } else {
        var writer = Writer(
            board: board, preferences: words.dropFirst(4).compactMap { Int($0) }, random: random,
            connection: try BusConnection(address: words[1]))
        writer.run()
    }
} catch {
    fail("\(error)")
}

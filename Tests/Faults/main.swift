import Glibc
import Support

signal(SIGPIPE, SIG_IGN)
var words = Array(CommandLine.arguments.dropFirst())
do {
    switch words.first {
    case "--help":
        print(Options.help)
    case "generate":
        try Growth.generate(Array(words.dropFirst()))
    case "growth":
        try Growth.measure(Array(words.dropFirst()))
    default:
        exit(run(try Options(words)))
    }
} catch let error as Options.UsageError {
    complain("faults: \(error.message)\nTry 'scripts/faults --help'.\n")
    exit(64)
} catch {
    complain("faults: \(error)\n")
    exit(1)
}

/// Tries every kind that was asked for and prints the table; the exit status.
@MainActor func run(_ options: Options) -> Int32 {
    var table: [String] = []
    var tried = 0
    var lost = 0
    for (number, kind) in Kind.all.enumerated() where options.only == nil || options.only == kind.name {
        let trial = Trial(isShort: options.isShort, seed: options.seed &* 1_000 &+ UInt64(number), part: options.part)
        let start = ContinuousClock.now
        say("\(kind.name): \(kind.summary)")
        do {
            guard !kind.mounts || TemporaryMount.isPossible else { throw TestFailure("mounting needs root") }
            try kind.run(trial)
            trial.check(trial.tried > 0 || !trial.isWhole, "no fault struck")
        } catch {
            trial.lose("the trial could not go on: \(error)")
        }
        let seconds = (ContinuousClock.now - start).components.seconds
        let count = String(trial.tried)
        table.append(
            kind.name.padded(to: 13) + String(repeating: " ", count: max(0, 8 - count.count)) + count + " faults, lost "
                + "\(trial.losses.count)".padded(to: 4) + "(\(seconds) s)" + trial.notes.map { "; " + $0 }.joined())
        tried += trial.tried
        lost += trial.losses.count
    }
    print("\n" + table.joined(separator: "\n"))
    print("seed \(options.seed): \(tried) faults, \(lost) lost")
    return lost == 0 ? 0 : 1
}

/// Writes to standard error.
func complain(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}

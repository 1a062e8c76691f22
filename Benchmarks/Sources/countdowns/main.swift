import DBusTypes
import Glibc
import Harness

/// What the command line says.
struct Options {
    var count = 10_000
    var period = 1_000
    var seconds = 5
    var rounds = 3
    var isAligned = false
    var isJSON = false
    /// Where defaultsd is.
    var programs = ""
    /// Where this program is.
    var own = ""
}

let help = """
    usage: countdowns [--aligned] [--count=10000] [--period=1000] [--seconds=5] [--rounds=3] [--json] --programs=FOLDER

    Measures live countdowns of the defaultsd in FOLDER beside a peer in C, in turns.

    """

func parse(_ words: [String]) throws -> Options {
    var options = Options()
    for word in words {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        let number = parts.count == 2 ? Int(parts[1]) : nil
        switch (parts[0], number) {
        case ("--aligned", _): options.isAligned = true
        case ("--json", _): options.isJSON = true
        case ("--count", let number?) where number > 0: options.count = number
        case ("--period", let number?) where number >= 50: options.period = number
        case ("--seconds", let number?) where number > 0: options.seconds = number
        case ("--rounds", let number?) where number > 0: options.rounds = number
        case ("--programs", _) where parts.count == 2: options.programs = parts[1]
        default: throw BenchmarkFailure("\"\(word)\" is no option of this\n" + help)
        }
    }
    guard !options.programs.isEmpty else { throw BenchmarkFailure(help) }
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &path, path.count)
    let own = String(decoding: path.prefix(max(length, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    options.own = String(own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex))
    return options
}

func run(_ words: [String]) throws {
    if words.count == 3, words[0] == "--probe", let name = BusName(words[2]) {
        return try Probe.run(words[1], name, interval: 5_000)
    }
    let options = try parse(words)
    var rounds: [Service: [Round]] = [:]
    for _ in 0..<options.rounds {
        for service in Service.allCases { rounds[service, default: []].append(try Round.run(service, options)) }
    }
    Report(options, rounds).print()
}

do {
    try run(Array(CommandLine.arguments.dropFirst()))
} catch {
    let text = Array("countdowns: \(error)\n".utf8)
    _ = write(STDERR_FILENO, text, text.count)
    exit(1)
}

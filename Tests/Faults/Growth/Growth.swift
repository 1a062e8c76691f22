import DBusTypes
import DefaultsInterface
import Glibc
import Support

/// How the daemon fares as its store grows.
enum Growth {
    /// Does what `generate [--domains=N] [--keys=N] FOLDER` asks for.
    static func generate(_ words: [String]) throws {
        let (domains, keys, rest) = try sizes(words)
        guard rest.count == 1 else { throw Options.UsageError(message: "generate takes one folder.") }
        try StoreGenerator.generate(rest[0], domains: domains, keys: keys)
        print("\(rest[0]): \(domains) domains of \(keys) keys")
    }

    /// Does what `growth [--domains=N] [--keys=N]` asks for: the figures of a store of 100 keys, of that many, and their ratios.
    static func measure(_ words: [String]) throws {
        let (domains, keys, rest) = try sizes(words)
        guard rest.isEmpty else { throw Options.UsageError(message: "growth takes no folder.") }
        let small = try GrowthSubject(domains: 1, keys: 100)
        let large = try GrowthSubject(domains: domains, keys: keys)
        for subject in [small, large] { try subject.measureStarts(count: 15) }
        for subject in [small, large] { try subject.measureRest() }
        for subject in [small, large] { try subject.measureColdReads(count: min(50, domains - 1)) }
        // Turn by turn, so that what else the machine does meets both.
        for _ in 0..<20 { for subject in [small, large] { try subject.measureCalls(count: 100) } }
        print("".padded(to: 34) + "100 keys".padded(to: 16) + "\(domains * keys) keys".padded(to: 16) + "ratio")
        for name in GrowthSubject.times {
            let (one, other) = (small.median(name), large.median(name))
            print(
                name.padded(to: 34) + microseconds(one).padded(to: 16) + microseconds(other).padded(to: 16)
                    + (one > 0 && other > 0 ? decimals(Double(other) / Double(one)) : ""))
        }
        for (name, one) in small.sizes {
            let other = large.sizes.first { $0.name == name }?.kibibytes ?? 0
            print(name.padded(to: 34) + "\(one) KiB".padded(to: 16) + "\(other) KiB")
        }
    }

    private static func sizes(_ words: [String]) throws -> (domains: Int, keys: Int, rest: [String]) {
        var (domains, keys) = (1_000, 1_000)
        var rest: [String] = []
        for word in words {
            if word.hasPrefix("--domains="), let number = Int(word.dropFirst(10)), number > 0 {
                domains = number
            } else if word.hasPrefix("--keys="), let number = Int(word.dropFirst(7)), number > 0 {
                keys = number
            } else if word.hasPrefix("-") {
                throw Options.UsageError(message: "\(word) is no option, or has no number above 0.")
            } else {
                rest.append(word)
            }
        }
        return (domains, keys, rest)
    }

    private static func microseconds(_ nanoseconds: Int64) -> String { decimals(Double(nanoseconds) / 1_000) + " µs" }

    private static func decimals(_ number: Double) -> String {
        let tenths = Int((number * 100).rounded())
        return "\(tenths / 100).\(tenths % 100 < 10 ? "0" : "")\(tenths % 100)"
    }
}

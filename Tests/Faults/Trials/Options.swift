/// What the command line of `faults` says.
struct Options {
    var isShort = false
    var seed: UInt64 = 1
    var only: String?
    /// Which part of how many.
    var part = (number: 1, count: 1)

    /// A command line that can't be followed, as a sentence.
    struct UsageError: Error {
        let message: String
    }

    static let help = """
        Usage: faults [--short] [--seed=N] [--only=NAME] [--part=K/N]
               faults generate [--domains=N] [--keys=N] FOLDER
               faults growth [--domains=N] [--keys=N]

        Does to the real defaultsd what can happen to it, and counts what is lost by that: it must be 0.

          --short      few faults of each kind, in less than a minute; without it, as many as the project promises
          --seed=N     another choice of moments and places
          --only=NAME  one kind alone
          --part=K/N   of crash, calls and damage the K-th of N parts, which together are all of it
          generate     makes a store of many keys in a folder
          growth       measures the daemon on a store of 100 keys and on one of 1,000,000

        Kinds:
        \(Kind.all.map { "  " + $0.name.padded(to: 13) + $0.summary }.joined(separator: "\n"))
        """

    init(_ words: [String]) throws(UsageError) {
        for word in words {
            if word == "--short" {
                isShort = true
            } else if word.hasPrefix("--seed=") {
                guard let seed = UInt64(word.dropFirst(7)) else {
                    throw UsageError(message: "\(word) is no seed: it takes a number, as in --seed=7.")
                }
                self.seed = seed
            } else if word.hasPrefix("--part=") {
                let numbers = word.dropFirst(7).split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
                guard numbers.count == 2, let number = numbers[0], let count = numbers[1], count > 0, (1...count).contains(number)
                else {
                    throw UsageError(message: "\(word) is no part: it takes two numbers, as in --part=1/4.")
                }
                part = (number, count)
            } else if word.hasPrefix("--only=") {
                let name = String(word.dropFirst(7))
                guard Kind.all.contains(where: { $0.name == name }) else {
                    throw UsageError(
                        message: "There is no kind \"\(name)\"; there are \(Kind.all.map(\.name).joined(separator: ", ")).")
                }
                only = name
            } else {
                throw UsageError(message: "There is no option \(word).")
            }
        }
    }
}

extension String {
    /// With spaces behind it up to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

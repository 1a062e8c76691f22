import DefaultsInterface

/// Reads the command line of `defaultsd`: GNU long options, as `--name=VALUE` or `--name VALUE`.
enum OptionParser {
    /// What is wrong with a command line, as a sentence for standard error.
    struct UsageError: Error, Equatable {
        let message: String
    }

    private static let flags = ["--session", "--user", "--system", "--test-clock", "--help", "--version"]
    private static let valued = ["--address", "--store", "--config", "--limits", "--introspect"]

    /// Reads the words that follow the program's name.
    static func parse(_ words: [String]) throws(UsageError) -> DaemonOptions {
        var options = DaemonOptions()
        var modes: Set<DaemonOptions.Mode> = []
        var rest = words[...]
        while let word = rest.popFirst() {
            let (name, inline) = split(word)
            if flags.contains(name) {
                guard inline == nil else { throw UsageError(message: "\(name) takes no value.") }
                if let mode = applyFlag(name, to: &options) { modes.insert(mode) }
            } else if valued.contains(name) {
                guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
                    throw UsageError(message: "\(name) needs a value: \(name)=\(placeholder(name)).")
                }
                try apply(name, value, to: &options)
            } else {
                throw unknown(word, name)
            }
        }
        guard modes.count < 2 else { throw UsageError(message: "--session and --system exclude each other.") }
        return options
    }

    private static func split(_ word: String) -> (name: String, value: String?) {
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }

    private static func applyFlag(_ name: String, to options: inout DaemonOptions) -> DaemonOptions.Mode? {
        switch name {
        case "--session", "--user": options.mode = .session
        case "--system": options.mode = .system
        case "--test-clock": options.usesTestClock = true
        case "--help": options.action = .help
        case "--version": if options.action != .help { options.action = .version }
        default: preconditionFailure("\(name) is listed and not read")
        }
        return ["--session", "--user", "--system"].contains(name) ? options.mode : nil
    }

    private static func apply(_ name: String, _ value: String, to options: inout DaemonOptions) throws(UsageError) {
        switch name {
        case "--address": options.address = value
        case "--store": options.store = value
        case "--config": options.configuration = (options.configuration ?? []) + [value]
        case "--limits":
            guard value == "none" else { throw UsageError(message: "--limits=\(value) is unknown; only --limits=none is.") }
            options.hasLimits = false
        case "--introspect": options.action = .introspect(directory: value)
        default: preconditionFailure("\(name) is listed and not read")
        }
    }

    private static func placeholder(_ name: String) -> String {
        switch name {
        case "--address": "ADDRESS"
        case "--limits": "none"
        default: "DIRECTORY"
        }
    }

    private static func unknown(_ word: String, _ name: String) -> UsageError {
        guard word.hasPrefix("-") else {
            return UsageError(message: "There is no argument \"\(word)\"; defaultsd takes only options.")
        }
        let guess = Suggestion.closest(to: name, among: flags + valued).map { " Did you mean \($0)?" } ?? ""
        return UsageError(message: "There is no option \(name).\(guess)")
    }
}

/// Why a command ends without doing what it was asked to: one sentence for standard error, and the exit status.
struct Failure: Error, Equatable {
    /// The sentence, without the program's name and without a line break at its end.
    let message: String
    /// How the process ends.
    let status: ExitStatus
    /// The command whose `--help` says more, in words; nil where help would not help.
    let helpPath: [String]?

    init(_ message: String, status: ExitStatus, helpPath: [String]? = nil) {
        self.message = message
        self.status = status
        self.helpPath = helpPath
    }

    /// A wrong command line: exit 64, with a pointer to the help of `path`.
    static func usage(_ message: String, _ path: [String] = []) -> Failure {
        Failure(message, status: .usage, helpPath: path)
    }

    /// What goes to standard error, lines included.
    var report: String {
        var report = "\(programName): \(message)\n"
        if let helpPath {
            report += "Try \"\(([programName] + helpPath).joined(separator: " ")) --help\".\n"
        }
        return report
    }
}

/// The name under which messages are reported and help is given.
let programName = "defaultsctl"

/// Puts the words that one types in place of the names that the bus interface has, in what the daemon says.
enum CommandWords {
    /// The command for a member of the interface, and the operand or option for an entry of a dictionary that a command sends.
    private static let replacements = [
        ("Admin.AcknowledgeLoss", "\"\(programName) status --acknowledge\""),
        ("Launches.Record", "\"\(programName) launch record\""),
        ("spec entry \"duration\" is", "SECONDS, in milliseconds, is"), ("spec entry \"tick\" is", "--tick is"),
        ("spec entry \"skippable_after\" is", "--skippable-after is"), ("spec entry \"purpose\" has", "--purpose has"),
    ]

    /// The message in the words of the command line.
    static func message(_ message: String) -> String {
        replacements.reduce(message) { $0.replacing($1.0, with: $1.1) }
    }
}

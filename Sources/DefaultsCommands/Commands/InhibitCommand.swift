import Glibc

/// `inhibit [--why=TEXT] COMMAND…`: runs a command while nothing new is shown to the user.
enum InhibitCommand {
    /// The columns of a command that are told for a reason: enough to know it by.
    private static let longestReason = 200

    /// Runs the command; its exit status is this one's.
    static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        // The connection takes it away from this process; the command is to have what it would have without one.
        let ignoredPipe = ChildProgram.isIgnored(SIGPIPE)
        let words = context.invocation.operands
        let inhibition = Inhibition(
            daemon: try context.connect(),
            why: context.invocation.argument(of: "--why") ?? TextWidth.truncated(words.joined(separator: " "), to: longestReason),
            output: context.output)
        return try inhibition.run(words, restoring: ignoredPipe ? [] : [SIGPIPE])
    }
}

import DBusTypes

/// What a command works with: what was typed, where results go, and the daemon once it is asked for.
///
/// One thread only.
struct CommandContext {
    /// What was typed.
    let invocation: Invocation
    /// Where results go.
    let output: Output

    /// Connects to the daemon's bus.
    func connect() throws(Failure) -> Daemon { try Daemon(on: invocation.globals.bus) }

    /// The operand at `index` as a value to send.
    func text(_ index: Int) -> Value { .string(invocation.requiredOperand(index)) }
}

/// What a command line asks for.
enum Request {
    /// Help on the program, on a command, or on a group of commands.
    case help([String])
    /// The version of the program.
    case version
    /// A command.
    case run(Invocation)
}

/// The bus to connect to.
enum BusChoice: Equatable, Sendable {
    case user, system
    case address(String)
}

/// The options that go with every command.
struct GlobalOptions: Equatable, Sendable {
    /// Where the daemon is.
    var bus = BusChoice.user
    /// How results are printed; nil as people write them.
    var json: JSONStyle?
    /// Whether what merely informs is left out.
    var isQuiet = false
}

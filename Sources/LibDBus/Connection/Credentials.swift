public import DBusTypes

/// Who is behind a connection, as the bus reports it.
public struct Credentials: Hashable, Sendable {
    /// The user.
    public let userID: UInt32
    /// The process at the time when it connected; nil where the bus doesn't know.
    ///
    /// A number can be another process's by now: the connection still being there is no proof.
    public let processID: UInt32?
    /// A descriptor of that process, which is never another's (pidfd); nil where the bus doesn't give one, as those before 2023 don't.
    public let processDescriptor: UnixFD?

    /// Makes credentials.
    public init(userID: UInt32, processID: UInt32?, processDescriptor: UnixFD? = nil) {
        self.userID = userID
        self.processID = processID
        self.processDescriptor = processDescriptor
    }

    /// Reads what the bus answers to `GetConnectionCredentials`.
    static func read(_ answer: [Value]) -> Result<Credentials, DBusError> {
        guard let entries = answer.first?.dictionary, case .uint32(let user)? = entries["UnixUserID"] else {
            return .failure(DBusError(.accessDenied, "the bus doesn't say which user the caller is"))
        }
        var process: UInt32?
        if case .uint32(let number)? = entries["ProcessID"] { process = number }
        var descriptor: UnixFD?
        if case .unixFD(let file)? = entries["ProcessFD"] { descriptor = file }
        return .success(Credentials(userID: user, processID: process, processDescriptor: descriptor))
    }

    /// Without the descriptor, to be kept for as long as the connection lasts.
    var withoutDescriptor: Credentials { Credentials(userID: userID, processID: processID) }
}

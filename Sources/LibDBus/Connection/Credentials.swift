/// Who is behind a connection, as the bus reports it.
public struct Credentials: Hashable, Sendable {
    /// The user.
    public let userID: UInt32
    /// The process at the time when it connected; nil where the bus doesn't know.
    ///
    /// A number can be another process's by now: the connection still being there is no proof.
    public let processID: UInt32?

    /// Makes credentials.
    public init(userID: UInt32, processID: UInt32?) {
        self.userID = userID
        self.processID = processID
    }
}

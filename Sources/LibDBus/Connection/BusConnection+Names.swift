public import DBusTypes

extension BusConnection {
    /// What became of a request for a name.
    public enum NameResult: Sendable {
        /// The name is this connection's, now or already.
        case owned
        /// Another connection has the name and keeps it; this one doesn't queue for it.
        case taken
    }

    /// `DBUS_NAME_FLAG_DO_NOT_QUEUE`: the name is had now or not at all.
    private static let doNotQueue: UInt32 = 4

    /// Asks for a well-known name and waits for the answer.
    ///
    /// Export the objects first: a call can come with the name.
    ///
    /// - Throws: `accessDenied` (by the bus's policy), `invalidArgs`, `disconnected`, `noReply`.
    public func requestName(_ name: BusName) throws(DBusError) -> NameResult {
        let answer = try call(.bus, .bus, .bus, "RequestName", [.string(name.text), .uint32(Self.doNotQueue)])
        return try Self.nameResult(of: answer)
    }

    /// Asks for a well-known name.
    ///
    /// Export the objects first: a call can come with the name.
    public func requestName(_ name: BusName, completion: @escaping (Result<NameResult, DBusError>) -> Void) {
        send(.bus, .bus, .bus, "RequestName", [.string(name.text), .uint32(Self.doNotQueue)]) { result in
            completion(result.flatMap { answer in Result { () throws(DBusError) in try Self.nameResult(of: answer) } })
        }
    }

    /// Gives a name back, without waiting.
    ///
    /// - Throws: `disconnected`.
    public func releaseName(_ name: BusName) throws(DBusError) {
        try post(.bus, .bus, .bus, "ReleaseName", [.string(name.text)])
    }

    /// Answers of RequestName: 1 primary owner, 2 in queue, 3 exists, 4 already owner.
    private static func nameResult(of answer: [Value]) throws(DBusError) -> NameResult {
        switch answer.first {
        case .uint32(1), .uint32(4): return .owned
        case .uint32(2), .uint32(3): return .taken
        default: throw DBusError(.failed, "the bus answered RequestName with something unknown")
        }
    }

    /// Who is behind a connection; `completion` is called at once where it is known already, else when the bus has answered.
    ///
    /// What the bus said is kept until the name goes. Errors: `nameHasNoOwner`, `disconnected`, `noReply`.
    public func credentials(of name: BusName, completion: @escaping (Result<Credentials, DBusError>) -> Void) {
        peers.credentials(of: name, completion: completion)
    }

    /// Who is behind a connection, asked of the bus anew and not kept, with a descriptor of the process where the bus gives one.
    ///
    /// It takes no match rule, and so costs little for a connection that will soon be gone. `completion` is called when the bus has answered. Errors:
    /// `nameHasNoOwner`, also where the connection has ended meanwhile; `disconnected`, `noReply`.
    public func askCredentials(of name: BusName, completion: @escaping (Result<Credentials, DBusError>) -> Void) {
        send(.bus, .bus, .bus, "GetConnectionCredentials", [.string(name.text)]) { result in
            completion(result.flatMap(Credentials.read))
        }
    }
}

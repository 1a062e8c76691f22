import DBusTypes

/// A subscription to signals; it lasts until `cancel()` or the connection's end, whether it is kept or not.
public final class Subscription {
    let rule: MatchRule
    private var handler: ((SignalMessage) -> Void)?
    private weak var connection: BusConnection?

    init(_ connection: BusConnection, _ rule: MatchRule, _ handler: @escaping (SignalMessage) -> Void) {
        self.connection = connection
        self.rule = rule
        self.handler = handler
    }

    /// Ends the subscription; its handler isn't called any more.
    ///
    /// Twice is no error.
    public func cancel() {
        guard handler != nil else { return }
        handler = nil
        connection?.remove(self)
    }

    func deliver(_ signal: SignalMessage) { handler?(signal) }

    var isCancelled: Bool { handler == nil }
}

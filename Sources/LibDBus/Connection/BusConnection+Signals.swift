import DBusTypes

extension BusConnection {
    /// Subscribes to signals and waits until the bus knows: from its return on none is missed.
    ///
    /// Not inside a handler; there it is a bug and traps.
    ///
    /// - Throws: `disconnected`, `limitsExceeded` (too many rules for this bus).
    @discardableResult
    public func subscribe(_ rule: MatchRule, handler: @escaping (SignalMessage) -> Void) throws(DBusError) -> Subscription {
        try matches.addWaiting(rule.text)
        if let sender = rule.sender {
            do {
                try owners.followWaiting(sender)
            } catch {
                matches.remove(rule.text)
                throw error
            }
        }
        let subscription = Subscription(self, rule, handler)
        subscriptions[rule.member, default: []].append(subscription)
        return subscription
    }

    /// Subscribes to signals without waiting; `completion` is called when the bus knows.
    ///
    /// What is sent to the bus after this call reaches it after the rule. A signal of a well-known sender is delivered once the
    /// bus has said who that is: from `completion` on. After a failure the subscription is cancelled.
    @discardableResult
    public func subscribe(
        _ rule: MatchRule, handler: @escaping (SignalMessage) -> Void,
        completion: @escaping (Result<Void, DBusError>) -> Void
    ) -> Subscription {
        let subscription = Subscription(self, rule, handler)
        subscriptions[rule.member, default: []].append(subscription)
        var missing = rule.sender == nil ? 1 : 2
        var failure: DBusError?
        let done: (Result<Void, DBusError>) -> Void = { result in
            missing -= 1
            if case .failure(let error) = result { failure = failure ?? error }
            guard missing == 0 else { return }
            if let failure {
                subscription.cancel()
                completion(.failure(failure))
            } else {
                completion(.success(()))
            }
        }
        matches.add(rule.text, completion: done)
        if let sender = rule.sender { owners.follow(sender, completion: done) }
        return subscription
    }

    func remove(_ subscription: Subscription) {
        let rule = subscription.rule
        subscriptions[rule.member]?.removeAll { $0 === subscription }
        if subscriptions[rule.member]?.isEmpty == true { subscriptions[rule.member] = nil }
        guard !isClosed else { return }
        matches.remove(rule.text)
        if let sender = rule.sender { owners.unfollow(sender) }
    }

    func receiveSignal(_ message: ReceivedMessage) {
        guard let path = message.path, let interface = message.interface, let member = message.member else { return }
        if interface == .local {
            if member == "Disconnected" { busWasLost() }
            return
        }
        guard let sender = message.sender else { return }
        let isFromBus = sender == .bus && interface == .bus
        let interested = (subscriptions[member] ?? []) + (subscriptions[nil] ?? [])
        guard isFromBus || !interested.isEmpty else { return }
        // A signal whose arguments can't be read (its descriptors don't fit in here) is no use to anyone.
        guard let arguments = try? MessageReader.arguments(of: message.pointer) else { return }
        let signal = SignalMessage(sender: sender, path: path, interface: interface, member: member, arguments: arguments)
        if isFromBus { receiveFromBus(signal) }
        for subscription in interested where !subscription.isCancelled && subscription.rule.matchesContent(of: signal) {
            if let wanted = subscription.rule.sender, !owners.matches(wanted, sender: sender) { continue }
            subscription.deliver(signal)
        }
    }

    private func receiveFromBus(_ signal: SignalMessage) {
        guard case .string(let text)? = signal.arguments.first, let name = BusName(text) else { return }
        if signal.member == "NameLost" {
            if name != uniqueName { onNameLost?(name) }
        } else if signal.member == .nameOwnerChanged, signal.arguments.count == 3, case .string(let owner) = signal.arguments[2] {
            owners.ownerChanged(name, to: BusName(owner))
            if owner.isEmpty { peers.left(name) }
        }
    }
}

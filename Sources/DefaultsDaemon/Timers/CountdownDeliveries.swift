import DefaultsModel

/// What is sent about each countdown, in the order in which it was caused, though some of it waits for the disk.
///
/// A reply that rests on a record is sent once that is on disk. What comes for the same countdown meanwhile waits behind it, also what
/// needs no disk: else a Skip would be answered before the Start that it follows, and that Start's first tick would come after the end (C4).
final class CountdownDeliveries {
    /// Something to send in its turn.
    final class Delivery {
        fileprivate let id: CountdownID
        fileprivate let send: () -> Void
        fileprivate var isReady: Bool

        fileprivate init(_ id: CountdownID, isReady: Bool, _ send: @escaping () -> Void) {
            self.id = id
            self.isReady = isReady
            self.send = send
        }
    }

    /// What isn't sent yet; a queue that is there has a first that isn't ready.
    private var queues: [CountdownID: [Delivery]] = [:]

    /// Called after the last that waited for one countdown was sent.
    var onDrained: ((CountdownID) -> Void)?

    /// Sends at once where nothing about this countdown waits, otherwise behind that.
    func deliver(_ id: CountdownID, _ send: @escaping () -> Void) {
        if queues[id] == nil { send() } else { queues[id]?.append(Delivery(id, isReady: true, send)) }
    }

    /// Sends after `resume`, and behind what waits already.
    func wait(for id: CountdownID, _ send: @escaping () -> Void) -> Delivery {
        let delivery = Delivery(id, isReady: false, send)
        queues[id, default: []].append(delivery)
        return delivery
    }

    /// Sends what has waited for this, in order.
    func resume(_ delivery: Delivery) {
        delivery.isReady = true
        let id = delivery.id
        while let next = queues[id]?.first, next.isReady {
            // In the queue until it is sent: what sending it causes comes behind it.
            next.send()
            queues[id]?.removeFirst()
        }
        guard queues[id]?.isEmpty == true else { return }
        queues[id] = nil
        onDrained?(id)
    }
}

import DefaultsModel

/// What runs on the store thread.
final class StoreWorker {
    private let requests: HandOver<(UInt64, StoreRequest)>
    private let messages: HandOver<StoreMessage>
    private let wake: @Sendable () -> Void

    init(requests: HandOver<(UInt64, StoreRequest)>, messages: HandOver<StoreMessage>, wake: @Sendable @escaping () -> Void) {
        self.requests = requests
        self.messages = messages
        self.wake = wake
    }

    /// Serves requests until the queue is closed and empty.
    func run() {
    }
}

import LibDBus

/// Keeps what waits for the bus bounded: libdbus's outgoing queue isn't (P12).
///
/// Over the limit the daemon leaves requests unread and drops signals; the generation and the revision tell later. Replies to
/// requests that were read already are still sent.
final class BackPressure {
    /// What may wait for the bus, in bytes.
    static let limit = 16 << 20
    /// Reading goes on when half of it has gone, so that the daemon doesn't flutter.
    private static let resumeBelow = limit / 2
    /// How often the queue is looked at while it is over the limit: libdbus tells no one that it has shrunk.
    private static let interval = 5

    private let connection: BusConnection
    private var timer: (any TimerSource)?

    init(_ connection: BusConnection, loop: any Loop) {
        self.connection = connection
        timer = loop.addTimer { [unowned self] in look() }
    }

    /// Whether a signal may be sent now.
    var allowsSignals: Bool { connection.outgoingBytes < Self.limit }

    /// Call it after anything was sent.
    func check() {
        guard !connection.isReadingPaused, connection.outgoingBytes >= Self.limit else { return }
        connection.isReadingPaused = true
        timer?.arm(afterMilliseconds: Self.interval)
    }

    private func look() {
        if connection.outgoingBytes < Self.resumeBelow {
            connection.isReadingPaused = false
        } else {
            timer?.arm(afterMilliseconds: Self.interval)
        }
    }
}

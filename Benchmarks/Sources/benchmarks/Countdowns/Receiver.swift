import DBusTypes
import Harness
import LibDBus

/// The owner of all countdowns: starts them, and takes the time of each tick.
final class Receiver {
    private struct Countdown {
        /// The receipts of ticks, as moments less the number of ticks before: equal but for lateness.
        var phases: [Int64] = []
        var last: UInt32?
    }

    private static let interface: InterfaceName = "org.defaultsd1.Countdown"
    private let service: Service
    private let connection: BusConnection
    private let loop = PollLoop()
    private let period: Int64
    private var countdowns: [ObjectPath: Countdown] = [:]
    private var isMeasuring = false
    /// Whole milliseconds that ticks were late where the daemon made them, from what they say is left.
    private(set) var lateAtService = Samples()
    /// When each of these came, of CLOCK_BOOTTIME in nanoseconds.
    private(set) var arrivals: [Int64] = []
    private(set) var missed = 0

    init(_ service: Service, on bus: PrivateBus, period: Int64) throws {
        self.service = service
        self.period = period
        connection = try BusConnection(address: bus.address)
        try service.waitUntilReady(connection)
        connection.attach(to: loop)
        try connection.subscribe(MatchRule(sender: service.name, interface: Self.interface, member: "Tick")) {
            [unowned self] in receive($0)
        }
    }

    deinit { connection.close() }

    /// Starts `count` countdowns, with their ticks spread over the period or all at one moment.
    func start(_ count: Int, aligned: Bool) throws {
        guard service == .daemon else {
            _ = try connection.call(
                service.name, "/org/defaultsd1", "org.defaultsd1.Peer", "Start",
                [.uint32(UInt32(count)), .uint32(UInt32(period / 1_000_000)), .boolean(aligned)])
            return
        }
        var open = 0
        var failure: DBusError?
        func send(_ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value]) {
            while open > 500 { loop.iterate(deadline: .now + .milliseconds(1)) }
            open += 1
            connection.send(service.name, path, interface, member, arguments) { result in
                open -= 1
                if case .failure(let error) = result { failure = failure ?? error }
            }
        }
        let milliseconds = UInt64(period / 1_000_000)
        for number in 0..<count {
            let spec: [(String, Value)] = [("duration", .uint64(3_600_000)), ("tick", .uint64(milliseconds))]
            send("/org/defaultsd1", "org.defaultsd1.Countdowns", "Start", [.string("c\(number)"), .vardict(spec)])
        }
        while open > 0 { loop.iterate(deadline: .now + .milliseconds(1)) }
        // All that is left at one moment, to the millisecond; what lacks to the moment where a countdown's ticks belong is added. How long the
        // starts took, and which of them had to wait, must not show in how evenly ticks are spread.
        let reply = try connection.call(service.name, "/org/defaultsd1", "org.defaultsd1.Countdowns", "List")
        guard case .array(let rows)? = reply.first else { throw BenchmarkFailure("List answered \(reply)") }
        for (number, row) in rows.values.enumerated() {
            guard case .structure(let fields) = row, case .objectPath(let path) = fields[0],
                let remaining: UInt64 = fields[1].dictionary?["remaining"]?.get()
            else { throw BenchmarkFailure("a row of List is \(row)") }
            let place = aligned ? 0 : milliseconds * UInt64(number) / UInt64(count)
            let lacking = (place + milliseconds - remaining % milliseconds) % milliseconds
            if lacking > 0 { send(path, Self.interface, "Extend", [.uint64(lacking)]) }
        }
        while open > 0 { loop.iterate(deadline: .now + .milliseconds(1)) }
        if let failure { throw failure }
    }

    /// Receives for so many nanoseconds, and forgets or keeps what comes.
    func receive(for duration: Int64, measuring: Bool) {
        isMeasuring = measuring
        let end = ContinuousClock.now + .nanoseconds(duration)
        loop.run(deadline: end)
    }

    /// Microseconds that each tick came after the earliest of its countdown.
    func lateOnArrival() -> Samples {
        var samples = Samples()
        for countdown in countdowns.values {
            guard let earliest = countdown.phases.min() else { continue }
            for phase in countdown.phases { samples.add(Double(phase - earliest) / 1_000) }
        }
        return samples
    }

    /// By how much the ticks of a countdown come later as time goes on, in milliseconds: from the earliest of each in the first half of
    /// the measured time to the earliest in the second, the middle one of all countdowns.
    func drift() -> Double {
        var shifts = Samples()
        for countdown in countdowns.values {
            let half = countdown.phases.count / 2
            guard half > 0, let early = countdown.phases[..<half].min(), let late = countdown.phases[half...].min() else {
                continue
            }
            shifts.add(Double(late - early) / 1e6)
        }
        return shifts.median
    }

    private func receive(_ signal: SignalMessage) {
        guard isMeasuring, signal.arguments.count == 3, case .uint32(let ticks) = signal.arguments[0],
            case .uint64(let remaining) = signal.arguments[1], case .uint32(let missed) = signal.arguments[2]
        else { return }
        let due = UInt64(ticks) * UInt64(period / 1_000_000)
        let now = boottime()
        lateAtService.add(Double(due - min(remaining, due)))
        arrivals.append(now)
        self.missed += Int(missed)
        countdowns[signal.path, default: Countdown()].phases.append(now + Int64(ticks) * period)
    }
}

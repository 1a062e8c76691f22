import DBusTypes
import Testing

@testable import DefaultsModel

/// A board with hands on its clocks: it wakes up exactly when the board asks for it, and notes what was sent when.
struct CountdownDesk {
    /// What was sent, and how many milliseconds after the desk was set up.
    struct Sent: Hashable, CustomStringConvertible {
        let milliseconds: Double
        let token: String
        let event: CountdownEvent

        var description: String { "\(token) \(event) at \(milliseconds) ms" }
    }

    static let alice = CountdownOwner(name: ":1.42", user: 1000)

    var board: CountdownBoard
    var now = Instant.start
    var sent: [Sent] = []

    init(limits: CountdownLimits = .standard) {
        board = CountdownBoard(bootID: "boot", busGUID: "bus", limits: limits)
    }

    /// Milliseconds of CLOCK_BOOTTIME since the desk was set up.
    var milliseconds: Double { Double(now.boottime - Instant.start.boottime) / 1e6 }

    mutating func note(_ actions: [CountdownAction]) {
        for action in actions { sent.append(Sent(milliseconds: milliseconds, token: action.id.token, event: action.event)) }
    }

    /// Takes a reply as the daemon does when nothing has to be waited for.
    @discardableResult
    mutating func take(_ reply: CountdownReply) -> CountdownReply {
        note(reply.beforeReply)
        note(reply.afterReply)
        return reply
    }

    @discardableResult
    mutating func start(
        _ token: String = "t", _ spec: CountdownSpec = CountdownSpec(), scale: CountdownScale = .standard,
        owner: CountdownOwner = alice
    ) throws -> CountdownID {
        try take(board.start(token: token, spec: spec, scale: scale, owner: owner, at: now)).id
    }

    /// Lets time pass with the machine awake, a wake-up at each deadline of the board.
    mutating func run(_ milliseconds: Double) {
        let end = now.after(awake: Int64(milliseconds * 1e6))
        while let step = untilNext, now.boottime + step <= end.boottime {
            now = now.after(awake: step)
            note(board.advance(to: now))
        }
        now = now.after(awake: end.boottime - now.boottime)
    }

    /// Lets time pass with the loop stalled; then it wakes up once.
    mutating func stall(_ milliseconds: Double) {
        now = now.after(awake: Int64(milliseconds * 1e6))
        note(board.advance(to: now))
    }

    /// Lets time pass with the machine asleep; then the loop wakes up once.
    mutating func sleep(_ milliseconds: Double) {
        now = now.after(asleep: Int64(milliseconds * 1e6))
        note(board.advance(to: now))
    }

    /// Nanoseconds until the next wake-up that the board asks for; nil where it asks for none.
    private var untilNext: Int64? {
        let next = board.nextDeadline
        let steps = [next.boottime.map { $0 - now.boottime }, next.monotonic.map { $0 - now.monotonic }].compactMap { $0 }
        return steps.min().map { max($0, 0) }
    }

    /// What was sent since the last look.
    mutating func look() -> [Sent] {
        defer { sent = [] }
        return sent
    }

    /// The numbers of the ticks among what was sent.
    var ticks: [UInt32] {
        sent.compactMap { sent in
            guard case .tick(let remaining, _, _) = sent.event else { return nil }
            return remaining
        }
    }
}

extension CountdownDesk.Sent {
    init(_ milliseconds: Double, _ event: CountdownEvent, token: String = "t") {
        self.init(milliseconds: milliseconds, token: token, event: event)
    }

    /// A tick with the remaining milliseconds; the number of missed ones is 0 unless said.
    static func tick(_ milliseconds: Double, _ number: UInt32, _ remaining: UInt64, missed: UInt32 = 0) -> Self {
        Self(milliseconds, .tick(remainingTicks: number, remainingMilliseconds: remaining, missed: missed))
    }

    static func end(_ milliseconds: Double, _ reason: CountdownReason, late: UInt64 = 0) -> Self {
        Self(milliseconds, .finished(reason, lateMilliseconds: late))
    }
}

extension CountdownSpec {
    /// A spec with some fields set.
    init(duration: UInt64 = 10_000, tick: UInt64 = 1_000, _ change: (inout CountdownSpec) -> Void = { _ in }) {
        self.init()
        self.duration = duration
        self.tick = tick
        change(&self)
    }
}

import DBusTypes
import DefaultsInterface

extension Defaults {
    /// The application's tips as they become available or no longer are, beginning with how they are now.
    public var tips: TipStatuses { TipStatuses(defaults: self) }

    /// Asks whether a tip is to be shown now, and begins its presentation if it is.
    ///
    /// Decided within 500 ms; where the daemon can't be asked it is skipped as `unavailable`. A `replay` is shown whatever the user has
    /// seen, and nothing of it is recorded (G9).
    public func present(tip: String, replay: Bool = false) async -> TipDecision {
        let (domain, handle) = (domain, handle)
        return await withCheckedContinuation { continuation in
            domain.link.runtime.run {
                RunFollower<LocalTip>.begin(domain, tip, Self.options(replay)) { result in
                    switch result {
                    case .skip(let reason): continuation.resume(returning: .skip(reason))
                    case .run(let follower):
                        continuation.resume(returning: .show(TipPresentation(follower, handle, follower.state)))
                    }
                }
            }
        }
    }

    /// Defines a tip, or replaces its definition and keeps what the user did with it; true where that changed anything.
    ///
    /// - Throws: `unencodable` for an attribute or a value without a D-Bus type, `invalidArgument` naming what is wrong, `unreachable`.
    @discardableResult
    public func define(tip: String, _ definition: TipDefinition) async throws(DefaultsError) -> Bool {
        try await define(TipsInterface.name, tip, definition.builder)
    }

    /// Counts an event, on which rules of tips may be, and returns how often it has happened in all.
    ///
    /// It counts at once and is on disk within a second, which `synchronize()` waits for.
    ///
    /// - Throws: `invalidName` for an event that breaks the rule for ids, `limitExceeded` for a 1,025th, `unreachable`.
    @discardableResult
    public func donate(_ event: String, count: UInt32 = 1) async throws(DefaultsError) -> UInt64 {
        let reply = try await call(TipsInterface.name, TipsInterface.donate, [.string(app), .string(event), .uint32(count)])
        return reply.first?.get(as: UInt64.self) ?? 0
    }

    /// Puts a tip off for so long, in whole milliseconds; zero ends an earlier one.
    ///
    /// - Throws: `notFound` where nobody defines it, `unreachable`.
    public func snooze(tip: String, for duration: Duration) async throws(DefaultsError) {
        _ = try await call(
            TipsInterface.name, TipsInterface.snooze,
            [.string(app), .string(tip), .uint64(UInt64(max(duration.inMilliseconds, 0)))])
    }

    /// Forgets what the user did with a tip, so that it is new.
    ///
    /// - Throws: `notFound` where nobody defines it, `unreachable`.
    public func reset(tip: String) async throws(DefaultsError) {
        _ = try await call(TipsInterface.name, TipsInterface.reset, [.string(app), .string(tip)])
    }

    /// Takes away a tip that was defined here.
    ///
    /// - Throws: `notFound` where nobody defines it, `unreachable`.
    public func remove(tip: String) async throws(DefaultsError) {
        _ = try await call(TipsInterface.name, TipsInterface.remove, [.string(app), .string(tip)])
    }
}

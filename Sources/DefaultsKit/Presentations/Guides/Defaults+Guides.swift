import DBusTypes
import DefaultsInterface

extension Defaults {
    /// Asks whether a guide is to be shown now, and begins its presentation if it is.
    ///
    /// Decided within 500 ms; where the daemon can't be asked it is skipped as `unavailable`. One that was left in the middle goes on at
    /// its page. A `replay` is shown whatever the user has seen, and nothing of it is recorded (G9).
    public func present(guide: String, replay: Bool = false) async -> GuideDecision {
        let (domain, handle) = (domain, handle)
        return await withCheckedContinuation { continuation in
            domain.link.runtime.run {
                RunFollower<LocalGuide>.begin(domain, guide, Self.options(replay)) { result in
                    switch result {
                    case .skip(let reason): continuation.resume(returning: .skip(reason))
                    case .run(let follower):
                        let countdown = follower.countdownPath.map { path in
                            let run = CountdownRun(domain, .zero, Countdown.Options())
                            follower.take(run)
                            run.adopt(path)
                            return run
                        }
                        let presentation = Presentation(follower, countdown, handle, follower.state)
                        continuation.resume(returning: .show(presentation))
                    }
                }
            }
        }
    }

    static func options(_ replay: Bool) -> Value {
        .vardict(replay ? [(PresentationOptions.replay.name, .boolean(true))] : [])
    }

    /// Defines a guide, or replaces its definition and keeps what the user did with it; true where that changed anything.
    ///
    /// - Throws: `unencodable` for an attribute without a D-Bus type, `invalidArgument` naming what is wrong, `unreachable`.
    @discardableResult
    public func define(guide: String, _ definition: GuideDefinition) async throws(DefaultsError) -> Bool {
        try await define(GuidesInterface.name, guide, definition.builder)
    }

    func define(_ interface: InterfaceName, _ item: String, _ builder: EntryBuilder) async throws(DefaultsError) -> Bool {
        let reply = try await call(interface, GuidesInterface.define, [.string(app), .string(item), try builder.finish()])
        return reply.first?.get(as: Bool.self) ?? false
    }

    /// The guides that are due, in the order to present them (G5); none where the daemon can't be asked.
    public func pendingGuides() async -> [String] {
        do throws(DefaultsError) {
            return try await call(GuidesInterface.name, GuidesInterface.pending, [.string(app)]).first?.get() ?? []
        } catch {
            return []
        }
    }

    /// Forgets what the user did with a guide, so that it is new.
    ///
    /// - Throws: `notFound` where nobody defines it, `unreachable`.
    public func reset(guide: String) async throws(DefaultsError) {
        _ = try await call(GuidesInterface.name, GuidesInterface.reset, [.string(app), .string(guide)])
    }

    /// Takes away a guide that was defined here.
    ///
    /// - Throws: `notFound` where nobody defines it, `unreachable`.
    public func remove(guide: String) async throws(DefaultsError) {
        _ = try await call(GuidesInterface.name, GuidesInterface.remove, [.string(app), .string(guide)])
    }
}

extension RunFollower where Local == LocalGuide {
    /// Where the daemon keeps its countdown; nil where it has none.
    var countdownPath: ObjectPath? { local.countdown }
}

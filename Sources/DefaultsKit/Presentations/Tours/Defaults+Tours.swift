import DBusTypes
import DefaultsInterface

extension Defaults {
    /// Asks whether a tour is to be shown now, and begins it if it is.
    ///
    /// Decided within 500 ms; where the daemon can't be asked it is skipped as `unavailable`. One whose presenter died goes on at its step
    /// (T7). A `replay` is shown whatever the user has seen, and nothing of it is recorded (G9).
    public func start(tour: String, replay: Bool = false) async -> TourDecision {
        let (domain, handle) = (domain, handle)
        return await withCheckedContinuation { continuation in
            domain.link.runtime.run {
                RunFollower<LocalTour>.begin(domain, tour, Self.options(replay)) { result in
                    switch result {
                    case .skip(let reason): continuation.resume(returning: .skip(reason))
                    case .run(let follower):
                        follower.know(domain.link.steps[domain.name + "\n" + tour] ?? [])
                        continuation.resume(returning: .show(TourRun(follower, handle, follower.state)))
                    }
                }
            }
        }
    }

    /// Defines a tour, or replaces its definition and keeps what the user did with it; true where that changed anything.
    ///
    /// - Throws: `unencodable` for an attribute without a D-Bus type, `invalidArgument` naming what is wrong, `unreachable`.
    @discardableResult
    public func define(tour: String, _ definition: TourDefinition) async throws(DefaultsError) -> Bool {
        let isNew = try await define(ToursInterface.name, tour, definition.builder)
        let (link, name) = (link, app + "\n" + tour)
        link.runtime.run { link.steps[name] = definition.steps }
        return isNew
    }

    /// Forgets what the user did with a tour, so that it is new.
    ///
    /// - Throws: `notFound` where nobody defines it, `unreachable`.
    public func reset(tour: String) async throws(DefaultsError) {
        _ = try await call(ToursInterface.name, ToursInterface.reset, [.string(app), .string(tour)])
    }

    /// Takes away a tour that was defined here.
    ///
    /// - Throws: `notFound` where nobody defines it, `unreachable`.
    public func remove(tour: String) async throws(DefaultsError) {
        _ = try await call(ToursInterface.name, ToursInterface.remove, [.string(app), .string(tour)])
    }
}

extension RunFollower where Local == LocalTour {
    func know(_ steps: [TourStep]) { local.know(steps) }
}

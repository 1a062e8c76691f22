import DBusTypes
import DefaultsInterface

extension Defaults {
    /// Records that the program starts, and says what kind of start it is.
    ///
    /// It is decided and on disk before this returns, within 500 ms; a process that asks twice gets the same answer (L2). Where the daemon
    /// can't be asked the kind is `unknown`, and nothing should be shown.
    ///
    /// `existingUser` is for a program that only now begins to record launches: true for someone whom it knows already, by a file of its
    /// own perhaps, with the version that they had in `baselineVersion`.
    public func launch(version: String, existingUser: Bool = false, baselineVersion: String = "") async -> Launch {
        var options: [(String, Value)] = []
        if existingUser { options.append((RecordOptions.existingUser.name, .boolean(true))) }
        if !baselineVersion.isEmpty { options.append((RecordOptions.baselineVersion.name, .string(baselineVersion))) }
        do throws(DefaultsError) {
            let reply = try await call(
                LaunchesInterface.name, LaunchesInterface.record, [.string(app), .string(version), .vardict(options)])
            guard let launch = Launch(reply.first) else {
                throw DefaultsError(.unreachable, "Record was answered with something else than a launch.")
            }
            return launch
        } catch {
            return Launch(version: version, failure: error)
        }
    }

    /// True exactly once per user, application and flag, over all processes and crashes (L7).
    ///
    /// False also where the daemon couldn't be asked within 500 ms: what is shown once is then not shown.
    public func once(_ flag: String) async -> Bool {
        await first(LaunchesInterface.once, [.string(app), .string(flag)])
    }

    /// As ``once(_:)``, and again for each version higher than all before.
    public func once(_ flag: String, version: String) async -> Bool {
        await first(LaunchesInterface.onceForVersion, [.string(app), .string(flag), .string(version)])
    }

    private func first(_ member: MemberName, _ arguments: [Value]) async -> Bool {
        do throws(DefaultsError) {
            return try await call(LaunchesInterface.name, member, arguments).first?.get(as: Bool.self) ?? false
        } catch {
            return false
        }
    }

    /// Has a flag be true once more.
    ///
    /// - Throws: `unreachable`, and what the daemon answers.
    public func resetOnce(_ flag: String) async throws(DefaultsError) {
        _ = try await call(LaunchesInterface.name, LaunchesInterface.resetFlag, [.string(app), .string(flag)])
    }

    /// Forgets all launches and flags of the application.
    ///
    /// - Throws: `unreachable`, and what the daemon answers.
    public func forgetLaunches() async throws(DefaultsError) {
        _ = try await call(LaunchesInterface.name, LaunchesInterface.forget, [.string(app)])
    }
}

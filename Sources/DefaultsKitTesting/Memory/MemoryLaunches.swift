import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Launches` of a daemon in memory.
struct MemoryLaunches: MemoryHandler {
    let core: MemoryCore

    func handle(_ call: MemoryCall, _ completion: @escaping MemoryCore.Completion) {
        do throws(ModelError) {
            core.write(call.client, try body(call), completion)
        } catch {
            completion(.failure(DBusError(error)))
        }
    }

    private func body(_ call: MemoryCall) throws(ModelError) -> Operation.Body {
        let arguments = MemoryArguments(call)
        let app = try arguments.app()
        let now = core.now
        switch call.member {
        case LaunchesInterface.record: return try record(call.client, app, arguments)
        case LaunchesInterface.query:
            return { view throws(ModelError) in
                let pending = try view.pendingGuides(app, storeLostData: false)
                return Outcome(reply: [try view.launches(of: app).query(app: app).dictionary(pending: pending)])
            }
        case LaunchesInterface.history:
            return { view throws(ModelError) in Outcome(reply: [try view.launches(of: app).versionsValue]) }
        case LaunchesInterface.once:
            let flag = try arguments.flag()
            return Self.test(app, flag) { earlier throws(ModelError) in
                try FlagRecord.once(earlier, flag: flag, storeLostData: false, at: now)
            }
        case LaunchesInterface.onceForVersion:
            let flag = try arguments.flag()
            let version = try Version(try arguments.get(2))
            return Self.test(app, flag) { earlier throws(ModelError) in
                try FlagRecord.onceForVersion(earlier, flag: flag, version: version, storeLostData: false, at: now)
            }
        case LaunchesInterface.flags:
            return { view in
                let flags = view.onboardingIDs(app, .flag).compactMap { id in
                    view.onboarding(app, id).flatMap(FlagRecord.init(stored:)).map { record in
                        Value.structure([.string(id.id), .int64(record.when)])
                    }
                }
                return Outcome(reply: [.array(ArrayValue(unchecked: flags, of: .structure([.string, .int64])))])
            }
        case LaunchesInterface.resetFlag:
            let id = OnboardingID(.flag, try arguments.flag().text)
            return { view in Outcome(changes: view.onboarding(app, id) == nil ? [] : [.onboarding(app, id, nil)]) }
        case LaunchesInterface.forget:
            core.sticky.forget(app: app)
            return { view in
                let ids = view.onboardingIDs(app, .flag) + view.onboardingIDs(app, .launches)
                return Outcome(changes: ids.map { .onboarding(app, $0, nil) })
            }
        default: throw ModelError(.invalidArgument, "The daemon in memory has no \(call.member).")
        }
    }

    private func record(
        _ client: MemoryClient, _ app: DomainName, _ arguments: MemoryArguments
    ) throws(ModelError) -> Operation.Body {
        let options = try LaunchOptions(try arguments.dictionary(2))
        let version = try Version(try arguments.get(1), scheme: options.scheme)
        let lasting = ConnectionName(bus: MemoryCore.busGUID, name: client.name)
        let (core, now) = (core, core.now)
        return { view throws(ModelError) in
            if let launch = core.sticky.answer(caller: client.name, app: app, version: version) {
                let pending = try view.pendingGuides(app, storeLostData: false)
                return Outcome(reply: [launch.dictionary(pending: pending)])
            }
            var history = try view.launches(of: app)
            if let launch = history.ownerAnswer(to: lasting, version: version) {
                core.sticky.remember(launch, caller: client.name, app: app, version: version)
                let pending = try view.pendingGuides(app, storeLostData: false)
                return Outcome(reply: [launch.dictionary(pending: pending)])
            }
            if history.isEmpty { try view.checkRoom(for: app) }
            let launch = history.record(version, options: options, storeLostData: false, by: lasting, at: now)
            core.sticky.remember(launch, caller: client.name, app: app, version: version)
            let due = view.pendingGuides(app, after: history)
            let dictionary = launch.dictionary(pending: due.pending)
            return Outcome(
                reply: [dictionary], changes: [.onboarding(app, OnboardingID(.launches), history.stored)] + due.changes,
                announcements: [.launchRecorded(app, dictionary)])
        }
    }

    private static func test(
        _ app: DomainName, _ flag: Identifier, _ decide: @escaping (FlagRecord?) throws(ModelError) -> FlagRecord?
    ) -> Operation.Body {
        let id = OnboardingID(.flag, flag.text)
        return { view throws(ModelError) in
            let earlier = view.onboarding(app, id).flatMap(FlagRecord.init(stored:))
            guard let record = try decide(earlier) else { return Outcome(reply: [.boolean(false)]) }
            if earlier == nil { try view.checkRoom(forFlagOf: app) }
            return Outcome(reply: [.boolean(true)], changes: [.onboarding(app, id, record.stored)])
        }
    }
}

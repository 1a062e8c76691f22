import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Launches`: arguments to the model and back.
final class LaunchesHandler: RequestHandler {
    let description = LaunchesInterface.description
    private let router: RequestRouter

    init(router: RequestRouter) { self.router = router }

    func route(_ call: IncomingCall) throws(ModelError) {
        switch call.member {
        case LaunchesInterface.record: try record(call)
        case LaunchesInterface.query: try query(call)
        case LaunchesInterface.history: try history(call)
        case LaunchesInterface.once: try once(call)
        case LaunchesInterface.onceForVersion: try onceForVersion(call)
        case LaunchesInterface.flags: try flags(call)
        case LaunchesInterface.resetFlag: try resetFlag(call)
        case LaunchesInterface.forget: try forget(call)
        default: preconditionFailure("\(call.member) is described and not served")
        }
    }

    // MARK: Launches

    private func record(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let app = try arguments.app(0)
        let text = try arguments.string(1)
        let options = try LaunchOptions(try arguments.dictionary(2))
        let version = try Version(text, scheme: options.scheme)
        router.accept(call, needs: [app]) { [router] request, session in
            router.callers.track(request.caller)
            let now = router.clock.now
            let caller = request.caller.name
            let lasting = router.connectionName(of: request.caller)
            // The answer sticks as soon as it is computed, since the same connection may ask again before it is on disk (L2).
            let answer = StickyAttempt(session: session, caller: caller, app: app)
            session.write(for: request.caller) { view throws(ModelError) in
                answer.takeBack()
                let isLost = session.storeLostData
                if let launch = session.sticky.answer(caller: caller, app: app, version: version) {
                    let pending = try view.pendingGuides(app, storeLostData: isLost)
                    return Outcome(reply: [launch.dictionary(pending: pending)])
                }
                var history = try view.launches(of: app, storeLostData: isLost)
                if let launch = history.ownerAnswer(to: lasting, version: version) {
                    // Of an earlier run of the daemon.
                    answer.stick(launch, version: version)
                    let pending = try view.pendingGuides(app, storeLostData: isLost)
                    return Outcome(reply: [launch.dictionary(pending: pending)])
                }
                if history.isEmpty { try view.checkRoom(for: app) }
                let launch = history.record(version, options: options, storeLostData: isLost, by: lasting, at: now)
                answer.stick(launch, version: version)
                let due = view.pendingGuides(app, after: history)
                let dictionary = launch.dictionary(pending: due.pending)
                return Outcome(
                    reply: [dictionary],
                    changes: [.onboarding(app, OnboardingID(.launches), history.stored)] + due.changes,
                    announcements: [.launchRecorded(app, dictionary)])
            } completion: { result in
                if case .failure = result { answer.takeBack() }
                request.answer(result)
            }
        }
    }

    private func query(_ call: IncomingCall) throws(ModelError) {
        let app = try Arguments(call).app(0)
        router.ask(call, needs: app) { view, presenting throws(ModelError) in
            let launch = try view.launches(of: app).query(app: app)
            let pending = try view.pendingGuides(app, storeLostData: presenting.storeLostData)
            return [launch.dictionary(pending: pending)]
        }
    }

    private func history(_ call: IncomingCall) throws(ModelError) {
        let app = try Arguments(call).app(0)
        router.read(call, needs: [app]) { view throws(ModelError) in [try view.launches(of: app).versionsValue] }
    }

    private func forget(_ call: IncomingCall) throws(ModelError) {
        let app = try Arguments(call).app(0)
        router.accept(call, needs: [app]) { request, session in
            session.write(for: request.caller) { view in
                session.sticky.forget(app: app)
                var ids = view.onboardingIDs(app, .flag)
                if view.onboarding(app, OnboardingID(.launches)) != nil { ids.append(OnboardingID(.launches)) }
                return Outcome(changes: ids.map { .onboarding(app, $0, nil) })
            } completion: {
                request.answer($0)
            }
        }
    }

    private static func unreadable(_ what: String, _ app: DomainName) -> ModelError {
        ModelError(.unavailable, "The stored \(what) of \"\(app)\" can't be read.")
    }

    // MARK: Flags

    private func once(_ call: IncomingCall) throws(ModelError) {
        let (app, flag) = try appAndFlag(call)
        test(call, app, flag) { (earlier, session, now) throws(ModelError) in
            try FlagRecord.once(earlier, flag: flag, storeLostData: session.storeLostData, at: now)
        }
    }

    private func onceForVersion(_ call: IncomingCall) throws(ModelError) {
        let (app, flag) = try appAndFlag(call)
        let version = try Version(try Arguments(call).string(2))
        test(call, app, flag) { (earlier, session, now) throws(ModelError) in
            try FlagRecord.onceForVersion(
                earlier, flag: flag, version: version, storeLostData: session.storeLostData, at: now)
        }
    }

    /// One atomic test-and-set, on disk before the answer (L7).
    private func test(
        _ call: IncomingCall, _ app: DomainName, _ flag: Identifier,
        _ decide: @escaping (FlagRecord?, UserSession, Instant) throws(ModelError) -> FlagRecord?
    ) {
        router.accept(call, needs: [app]) { [router] request, session in
            let now = router.clock.now
            let id = OnboardingID(.flag, flag.text)
            session.write(for: request.caller) { view throws(ModelError) in
                var earlier: FlagRecord?
                if let stored = view.onboarding(app, id) {
                    guard let record = FlagRecord(stored: stored) else { throw Self.unreadable("flag \"\(flag)\"", app) }
                    earlier = record
                }
                guard let record = try decide(earlier, session, now) else { return Outcome(reply: [.boolean(false)]) }
                if earlier == nil { try view.checkRoom(forFlagOf: app) }
                return Outcome(reply: [.boolean(true)], changes: [.onboarding(app, id, record.stored)])
            } completion: {
                request.answer($0)
            }
        }
    }

    private func flags(_ call: IncomingCall) throws(ModelError) {
        let app = try Arguments(call).app(0)
        router.read(call, needs: [app]) { view in
            let flags = view.onboardingIDs(app, .flag).compactMap { id in
                view.onboarding(app, id).flatMap(FlagRecord.init(stored:)).map { record in
                    Value.structure([.string(id.id), .int64(record.when)])
                }
            }
            return [.array(ArrayValue(unchecked: flags, of: .structure([.string, .int64])))]
        }
    }

    private func resetFlag(_ call: IncomingCall) throws(ModelError) {
        let (app, flag) = try appAndFlag(call)
        router.write(call, needs: app) { view, _, _ in
            let id = OnboardingID(.flag, flag.text)
            return Outcome(changes: view.onboarding(app, id) == nil ? [] : [.onboarding(app, id, nil)])
        }
    }

    private func appAndFlag(_ call: IncomingCall) throws(ModelError) -> (DomainName, Identifier) {
        let arguments = Arguments(call)
        return (try arguments.app(0), try arguments.identifier(1, called: "flag"))
    }
}

/// What one `Record` has put among the sticky answers, so that it can be taken back when it didn't reach the disk.
private final class StickyAttempt {
    private let session: UserSession
    private let caller: BusName
    private let app: DomainName
    private var isStuck = false

    init(session: UserSession, caller: BusName, app: DomainName) {
        self.session = session
        self.caller = caller
        self.app = app
    }

    func stick(_ launch: Launch, version: Version) {
        isStuck = true
        session.sticky.remember(launch, caller: caller, app: app, version: version)
    }

    func takeBack() {
        guard isStuck else { return }
        isStuck = false
        session.sticky.forget(caller: caller, app: app)
    }
}

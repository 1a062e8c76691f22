import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// What happens to presentations without a call about them: their owners leave, the daemon restarts, their time runs out.
final class PresentationService {
    private let router: RequestRouter
    private let users: Users
    private var alarm: Alarms.Slot?
    /// When the time of a user's run is up, in nanoseconds of CLOCK_BOOTTIME; who isn't here has none.
    private var deadlines: [UInt32: Int64] = [:]

    init(router: RequestRouter, users: Users, alarms: Alarms) {
        self.router = router
        self.users = users
        alarm = alarms.add { [unowned self] in endForsaken() }
    }

    // MARK: Ends

    /// Ends what a connection that has left presented and held back, behind all that it had sent (G2, T7).
    func connectionEnded(_ caller: Caller) {
        let owner = router.connectionName(of: caller)
        for session in caller.sessions {
            caller.perform(
                Caller.Job(
                    session: session, domains: [],
                    run: { [self] session in
                        clean(session, at: router.clock.now) { owner == $0 ? .ownerLost : nil }
                    }, fail: { _ in }))
        }
    }

    /// Ends the run that a countdown belongs to, if one does: the end of the one is that of the other (G8).
    ///
    /// A countdown that was cancelled leaves the guide as it is.
    func countdownEnded(_ recordKey: String, _ reason: CountdownReason, in session: UserSession) {
        switch reason {
        case .cancelled, .ownerLost, .policy: return
        case .elapsed, .skipped: break
        }
        end(session, at: router.clock.now) { run in run.countdown == recordKey ? .countdown(reason) : nil }
    }

    /// Ends the runs of a session that `cause` names a cause for.
    private func end(_ session: UserSession, at now: Instant, _ cause: @escaping (Run) -> RunEnd?) {
        let apps = Self.apps(of: session.ledger?.pendingView.liveRuns ?? [], where: cause)
        guard !apps.isEmpty else { return }
        session.prepare(apps) { result in
            guard case .success = result else { return }
            session.writeOrGoOn { view in view.ending(cause, at: now) }
        }
    }

    /// Ends the runs of connections that have left and removes what was kept for them; `cause` says why, nil for those still there.
    private func clean(_ session: UserSession, at now: Instant, _ cause: @escaping (ConnectionName) -> RunEnd?) {
        guard let view = session.ledger?.pendingView else { return }
        guard view.runs.contains(where: { cause($0.owner) != nil }) || view.inhibitors.contains(where: { cause($0.owner) != nil })
        else { return }
        session.prepare(Self.apps(of: view.liveRuns) { cause($0.owner) }) { result in
            guard case .success = result else { return }
            session.writeOrGoOn { view in view.cleaning(at: now, cause) }
        }
    }

    /// The applications of the runs that `cause` names a cause for, which must be in memory before those can end.
    private static func apps(of runs: [Run], where cause: (Run) -> RunEnd?) -> [DomainName] {
        Set(runs.filter { cause($0) != nil }.map(\.app)).sorted()
    }

    // MARK: After a restart

    /// Takes up the presentations that an earlier run of the daemon has left (S1); `connected` are the names on the bus.
    ///
    /// `completion` is called when those whose owners have left have ended: a read sees what is on disk.
    func restore(_ session: UserSession, connected: Set<String>, completion: @escaping () -> Void) {
        guard let view = session.ledger?.committedView else { return completion() }
        let now = router.clock.now
        let bus = router.busGUID
        let cause = { (owner: ConnectionName) -> RunEnd? in
            owner.bus != bus ? .busLost : connected.contains(owner.name.text) ? nil : .ownerLost
        }
        for owner in view.runs.map(\.owner) + view.inhibitors.map(\.owner) where cause(owner) == nil {
            router.callers.track(router.callers.caller(owner.name))
        }
        for run in view.liveRuns { session.activity.note(run.id, at: now) }
        session.prepareAtStart(Self.apps(of: view.liveRuns) { cause($0.owner) }) { result in
            guard case .success = result else {
                Log.write(.warning, "Presentations of user \(session.userID) wait for a restart: their data can't be read now.")
                return completion()
            }
            session.writeOrGoOn({ view in view.cleaning(at: now, cause) }) { _ in completion() }
        }
        rearm(session)
    }

    // MARK: Time

    /// Sets the alarm to when a run is given up that outlives its owner; the runs of `session` have changed, and no others.
    func rearm(_ session: UserSession) {
        deadlines[session.userID] = nextDeadline(of: session)
        setAlarm()
    }

    private func nextDeadline(of session: UserSession) -> Int64? {
        guard let live = session.ledger?.committedView.liveRuns else { return nil }
        session.activity.retain(live)
        return session.activity.nextDeadline(of: live, at: router.clock.now)
    }

    private func setAlarm() { alarm?.set(Alarm(boottime: deadlines.values.min())) }

    private func endForsaken() {
        let now = router.clock.now
        for (user, deadline) in deadlines where deadline <= now.boottime {
            let session = users.session(of: user)
            let activity = session.activity
            end(session, at: now) { run in activity.isForsaken(run, at: now) ? .ownerLost : nil }
            deadlines[user] = nextDeadline(of: session)
        }
        setAlarm()
    }
}

import DBusTypes
import DefaultsModel

/// Tells those who watch an application when one of its tips has become available, or is no longer, or for another reason.
///
/// What was last told of each watched application with tips is kept, with what that rests on: only a commit that touches it has the tips looked at
/// again. One alarm is set for the earliest moment at which time alone changes one. Where nobody watches there is nothing to do and no alarm.
final class TipStatuses {
    /// One user's watched applications.
    fileprivate final class Watched {
        let session: UserSession
        /// Those that have tips.
        var apps: [DomainName: TipOutlook] = [:]
        /// What must be looked at again.
        var touched: Set<DomainName> = []
        /// The run that had the stage when they were last looked at.
        var stageHolder: UInt64?

        init(_ session: UserSession) { self.session = session }
    }

    private let clock: any TimeSource
    private let caller: ConnectionName
    private var users: [UInt32: Watched] = [:]
    private var alarm: Alarms.Slot?
    /// Called with the tip of an application whose status has changed.
    var onChange: ((UserSession, DomainName, TipStatus) -> Void)?

    /// `caller` is the daemon itself.
    init(clock: any TimeSource, alarms: Alarms, caller: ConnectionName) {
        self.clock = clock
        self.caller = caller
        alarm = alarms.add { [unowned self] in timePassed() }
    }

    // MARK: What happens

    /// Takes note that someone watches an application from now on, or that perhaps no one does any more.
    func watchChanged(_ app: DomainName, in session: UserSession) {
        guard !app.isGlobal else { return }
        if session.watchers.isWatched(app) {
            let watched = users[session.userID] ?? Watched(session)
            users[session.userID] = watched
            if watched.apps[app] == nil, !watched.touched.contains(app) { look(at: [app], of: watched, telling: false) }
        } else if users[session.userID]?.apps.removeValue(forKey: app) != nil {
            rearm()
        }
    }

    /// Looks at the tips that a change may concern, once what came with it has been handled: its reply is on its way then.
    func settled(_ outcome: Outcome, in session: UserSession) {
        guard let watched = users[session.userID] else { return }
        let touched =
            outcome.takesFiles
            ? Set(session.watchers.domains.filter { !$0.isGlobal })
            : outcome.changes.reduce(into: Set<DomainName>()) { watched.collect($1, into: &$0) }
        touch(touched, of: watched)
    }

    /// Looks at the tips of an application whose records have all been replaced.
    func replaced(_ app: DomainName, in session: UserSession) {
        if let watched = users[session.userID], !app.isGlobal { touch([app], of: watched) }
    }

    private func touch(_ apps: Set<DomainName>, of watched: Watched) {
        guard !apps.isEmpty else { return }
        let isScheduled = !watched.touched.isEmpty
        watched.touched.formUnion(apps)
        guard !isScheduled else { return }
        watched.session.runBeforeWait { [self] in
            let touched = watched.touched
            watched.touched = []
            look(at: touched, of: watched)
        }
    }

    private func timePassed() {
        let now = clock.now.boottime
        for watched in users.values {
            look(at: Set(watched.apps.filter { $0.value.nextChange.map { $0 <= now } ?? false }.keys), of: watched)
        }
        rearm()
    }

    // MARK: Looking

    /// Finds how the tips of some applications are now, and tells what has changed.
    private func look(at apps: Set<DomainName>, of watched: Watched, telling: Bool = true) {
        let session = watched.session
        guard let ledger = session.ledger, ledger.isLoaded(.global) else { return }
        let call = Presenting(
            now: clock.now, caller: caller, activity: session.activity, storeLostData: session.storeLostData)
        let view = ledger.committedView
        watched.stageHolder = view.stageHolder(call)?.id
        for app in apps.sorted() where session.watchers.isWatched(app) && ledger.isLoaded(app) {
            // What can't be read says nothing: what was told stands.
            guard let outlook = try? view.tipOutlook(app, call) else { continue }
            let earlier = watched.apps.updateValue(outlook, forKey: app)
            if outlook.statuses.isEmpty { watched.apps[app] = nil }
            if telling { tell(outlook, since: earlier, of: app, in: session) }
            session.clampTipTimes(of: app, at: call.now)
        }
        rearm()
    }

    private func tell(_ outlook: TipOutlook, since earlier: TipOutlook?, of app: DomainName, in session: UserSession) {
        var reasons: [Identifier: String] = [:]
        for status in earlier?.statuses ?? [] { reasons[status.tip] = status.reason }
        for status in outlook.statuses where reasons.removeValue(forKey: status.tip) != status.reason {
            onChange?(session, app, status)
        }
        // What is left is defined no more: to who watches, as good as used up.
        let gone = Gate.invalid.rawValue
        for (tip, reason) in reasons.sorted(by: { $0.key < $1.key }) where reason != gone {
            onChange?(session, app, TipStatus(tip: tip, reason: gone))
        }
    }

    private func rearm() {
        alarm?.set(Alarm(boottime: users.values.flatMap { $0.apps.values.compactMap(\.nextChange) }.min()))
    }
}

extension TipStatuses.Watched {
    /// Adds the applications whose tips a change may concern.
    fileprivate func collect(_ change: RecordChange, into touched: inout Set<DomainName>) {
        switch change {
        case .preference(let domain, _, let key, _):
            guard !apps.isEmpty else { return }
            if domain.isGlobal {
                touched.formUnion(apps.filter { $0.value.keys.contains(key) }.keys)
            } else if apps[domain]?.keys.contains(key) == true {
                touched.insert(domain)
            }
        case .onboarding(let domain, let id, let value):
            switch id.kind {
            case .tipDefinition:
                if session.watchers.isWatched(domain) { touched.insert(domain) }
            case .tip, .event:
                if apps[domain] != nil { touched.insert(domain) }
            case .tips:
                touched.formUnion(domain.isGlobal ? Set(apps.keys) : apps[domain] == nil ? [] : [domain])
            case .run:
                // A run that keeps the stage, as when it turns a page, changes nothing.
                let isLive = value?.dictionary?["state"] == .string(Run.State.presenting.rawValue)
                if !isLive || stageHolder.map({ "\($0)" }) != id.id { touched.formUnion(apps.keys) }
            case .inhibitor:
                touched.formUnion(apps.keys)
            case .configuration, .launches, .flag, .guideDefinition, .guide, .tourDefinition, .tour, .runContent, .stage:
                break
            }
        case .revision, .domain, .countdown:
            break
        }
    }
}

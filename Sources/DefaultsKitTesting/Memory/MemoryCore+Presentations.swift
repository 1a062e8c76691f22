import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// What happens to presentations without a call about them.
extension MemoryCore {
    /// A call about presentations, as the model takes it.
    func presenting(_ client: MemoryClient) -> Presenting {
        Presenting(now: now, caller: lasting(client.name), activity: activity)
    }

    private func lasting(_ name: BusName) -> ConnectionName { ConnectionName(bus: Self.busGUID, name: name) }

    /// Ends what clients that have left presented (G2, T7).
    func cleanPresentations() {
        let (now, present) = (now, Set(clients.keys.map { lasting($0) }))
        write(nil, { view in view.cleaning(at: now) { present.contains($0) ? nil : .ownerLost } }, { _ in })
    }

    /// Ends the runs that countdowns belonged to which have ended by themselves or were skipped (G8).
    func endRunsOfEndedCountdowns() {
        while !endedCountdowns.isEmpty {
            let (now, (key, reason)) = (now, endedCountdowns.removeFirst())
            write(nil, { view in view.ending({ $0.countdown == key ? .countdown(reason) : nil }, at: now) }, { _ in })
        }
    }

    /// When a run loses the stage, is given up, or time alone changes a tip, in nanoseconds of CLOCK_BOOTTIME; nil for never.
    var nextPresentationDeadline: Int64? {
        let runs = activity.nextDeadline(of: ledger.committedView.liveRuns, at: now)
        return ([runs] + outlooks.values.map(\.nextChange)).compactMap { $0 }.filter { $0 > now.boottime }.min()
    }

    /// Ends what outlives its owner and was left alone for an hour, and tells what time has changed of tips.
    func presentationTimePassed() {
        let live = ledger.committedView.liveRuns
        activity.retain(live)
        let (now, activity) = (now, activity)
        if live.contains(where: { activity.isForsaken($0, at: now) }) {
            write(
                nil, { view in view.ending({ activity.isForsaken($0, at: now) ? .ownerLost : nil }, at: now) }, { _ in })
        }
        lookAtTips()
    }

    // MARK: Signals

    func announce(_ signal: PresentationSignal) {
        let head: [Value] = [.string(signal.app.text), .string(signal.item.text), .uint64(signal.run)]
        let (interface, member, rest): (InterfaceName, MemberName, [Value])
        switch signal.event {
        case .pageChanged(let page, let count):
            (interface, member, rest) = (GuidesInterface.name, GuidesInterface.pageChanged, [.uint32(page), .uint32(count)])
        case .guideChanged(let guide):
            (interface, member, rest) = (GuidesInterface.name, GuidesInterface.changed, [guide])
        case .stepChanged(let step, let index, let count, let sequence):
            (interface, member) = (ToursInterface.name, ToursInterface.stepChanged)
            rest = [.string(step), .uint32(index), .uint32(count), .uint64(sequence)]
        case .tourChanged(let step):
            (interface, member, rest) = (ToursInterface.name, ToursInterface.changed, [step])
        case .finished(let outcome, let shown):
            guard signal.kind != .tip else { return }
            let isTour = signal.kind == .tour
            (interface, member) =
                isTour
                ? (ToursInterface.name, ToursInterface.finished) : (GuidesInterface.name, GuidesInterface.finished)
            rest = [.string(outcome)] + (isTour ? [.array(shown)] : [])
        }
        for client in clients.values
        where client.watched.contains(signal.app.text) || lasting(client.name) == signal.presenter {
            client.transport?.send(
                .signal(path: WellKnown.rootPath, interface: interface, member: member, arguments: head + rest))
        }
    }

    /// Tells those who watch an application which of its tips have become available, or are no longer, or for another reason.
    func lookAtTips() {
        guard ownerName != nil else { return }
        let caller = ConnectionName(bus: Self.busGUID, name: .bus)
        let call = Presenting(now: now, caller: caller, activity: activity)
        let view = ledger.committedView
        outlooks = outlooks.filter { ledger.watchedDomains.contains($0.key) }
        for app in ledger.watchedDomains where !app.isGlobal {
            guard let outlook = try? view.tipOutlook(app, call) else { continue }
            let earlier = outlooks.updateValue(outlook, forKey: app)
            // What was so when the first began to watch is theirs to ask for.
            guard let earlier else { continue }
            var reasons = Dictionary(uniqueKeysWithValues: earlier.statuses.map { ($0.tip, $0.reason) })
            for status in outlook.statuses where reasons.removeValue(forKey: status.tip) != status.reason {
                tell(app, status.tip, status.reason)
            }
            for (tip, reason) in reasons where reason != Reasons.invalid { tell(app, tip, Reasons.invalid) }
        }
    }

    private func tell(_ app: DomainName, _ tip: Identifier, _ reason: String) {
        signal(
            app, TipsInterface.name, TipsInterface.statusChanged,
            [.string(app.text), .string(tip.text), .boolean(reason.isEmpty), .string(reason)])
    }
}

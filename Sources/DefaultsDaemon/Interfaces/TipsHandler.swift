import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Tips`: arguments to the model and back.
final class TipsHandler: RequestHandler {
    let description = TipsInterface.description
    private let router: RequestRouter

    init(router: RequestRouter) { self.router = router }

    func route(_ call: IncomingCall) throws(ModelError) {
        switch call.member {
        case TipsInterface.define: try define(call)
        case TipsInterface.remove: try remove(call)
        case TipsInterface.reset: try reset(call)
        case TipsInterface.list: try list(call)
        case TipsInterface.donate: try donate(call)
        case TipsInterface.evaluate: try evaluate(call)
        case TipsInterface.present: try present(call)
        case TipsInterface.finish: try finish(call)
        case TipsInterface.snooze: try snooze(call)
        default: preconditionFailure("\(call.member) is described and not served")
        }
    }

    // MARK: Definitions

    private func define(_ call: IncomingCall) throws(ModelError) {
        let (app, tip) = try appAndTip(call)
        let definition = try TipDefinition(try Arguments(call).dictionary(2))
        router.write(call, needs: app) { view, _, _ throws(ModelError) in try view.definingTip(app, tip, definition) }
    }

    private func remove(_ call: IncomingCall) throws(ModelError) {
        let (app, tip) = try appAndTip(call)
        router.write(call, needs: app) { view, now, _ throws(ModelError) in try view.removingTip(app, tip, at: now) }
    }

    private func reset(_ call: IncomingCall) throws(ModelError) {
        let (app, tip) = try appAndTip(call)
        router.write(call, needs: app) { view, now, _ throws(ModelError) in try view.resettingTip(app, tip, at: now) }
    }

    private func list(_ call: IncomingCall) throws(ModelError) {
        let app = try Arguments(call).app(0)
        ask(call, app) { view, asking throws(ModelError) in try view.listingTips(app, asking) }
    }

    private func evaluate(_ call: IncomingCall) throws(ModelError) {
        let app = try Arguments(call).app(0)
        ask(call, app) { view, asking throws(ModelError) in try view.evaluatingTips(app, asking) }
    }

    /// Answers a question about an application's tips; times in the future that it takes for now are written back first (I3).
    private func ask(
        _ call: IncomingCall, _ app: DomainName, _ body: @escaping (StateView, Presenting) throws(ModelError) -> Value
    ) {
        router.accept(call, needs: [app]) { [router] request, session in
            let asking = router.presenting(request.caller, session)
            if session.hasFutureTipTimes(of: app, at: asking.now) {
                session.writeOrGoOn(for: request.caller) { view throws(ModelError) in
                    Outcome(
                        reply: [try body(view, asking)], changes: view.clampingTipTimes(of: app, at: asking.now))
                } completion: {
                    request.answer($0)
                }
            } else {
                session.read(for: request.caller, { view throws(ModelError) in [try body(view, asking)] }) { request.answer($0) }
            }
        }
    }

    // MARK: Presentations

    private func donate(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let app = try arguments.app(0)
        let event = try arguments.identifier(1, called: "event")
        let count: UInt32 = try arguments.get(2)
        router.accept(call, needs: [app]) { [router] request, session in
            let now = router.clock.now
            session.writeLazily(for: request.caller) { view throws(ModelError) in
                try view.donating(app, event, count: count, at: now)
            } completion: {
                request.answer($0)
            }
        }
    }

    private func present(_ call: IncomingCall) throws(ModelError) {
        let (app, tip) = try appAndTip(call)
        let options = try TipOptions(try Arguments(call).dictionary(2))
        router.present(call, needs: app) { view, presenting throws(ModelError) in
            try view.presentingTip(app, tip, options, presenting)
        }
    }

    private func finish(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let run: UInt64 = try arguments.get(0)
        let outcome = try TipOutcome(argument: try arguments.string(1))
        router.withRun(call, run, .tip) { view, _, presenting throws(ModelError) in
            try view.finishingTip(run, outcome, at: presenting.now)
        }
    }

    private func snooze(_ call: IncomingCall) throws(ModelError) {
        let (app, tip) = try appAndTip(call)
        let duration: UInt64 = try Arguments(call).get(2)
        router.write(call, needs: app) { view, now, _ throws(ModelError) in
            try view.snoozingTip(app, tip, for: duration, at: now)
        }
    }

    private func appAndTip(_ call: IncomingCall) throws(ModelError) -> (DomainName, Identifier) {
        let arguments = Arguments(call)
        return (try arguments.app(0), try arguments.identifier(1, called: "tip"))
    }
}

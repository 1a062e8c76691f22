import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Guides`: arguments to the model and back.
final class GuidesHandler: RequestHandler {
    let description = GuidesInterface.description
    private let router: RequestRouter
    private let countdowns: CountdownService

    init(router: RequestRouter, countdowns: CountdownService) {
        self.router = router
        self.countdowns = countdowns
    }

    func route(_ call: IncomingCall) throws(ModelError) {
        switch call.member {
        case GuidesInterface.define: try define(call)
        case GuidesInterface.remove: try remove(call)
        case GuidesInterface.reset: try reset(call)
        case GuidesInterface.list: try list(call)
        case GuidesInterface.pending: try pending(call)
        case GuidesInterface.present: try present(call)
        case GuidesInterface.advance: try advance(call)
        case GuidesInterface.goTo: try goTo(call)
        case GuidesInterface.finish: try finish(call)
        default: preconditionFailure("\(call.member) is described and not served")
        }
    }

    // MARK: Definitions

    private func define(_ call: IncomingCall) throws(ModelError) {
        let (app, guide) = try appAndGuide(call)
        let definition = try GuideDefinition(try Arguments(call).dictionary(2))
        router.present(call, needs: app) { view, presenting throws(ModelError) in
            try view.definingGuide(app, guide, as: definition, presenting)
        }
    }

    private func remove(_ call: IncomingCall) throws(ModelError) {
        let (app, guide) = try appAndGuide(call)
        router.present(call, needs: app) { view, presenting throws(ModelError) in
            try view.removingGuide(app, guide, presenting)
        }
    }

    private func reset(_ call: IncomingCall) throws(ModelError) {
        let (app, guide) = try appAndGuide(call)
        router.present(call, needs: app) { view, presenting throws(ModelError) in
            try view.resettingGuide(app, guide, presenting)
        }
    }

    private func list(_ call: IncomingCall) throws(ModelError) {
        let app = try Arguments(call).app(0)
        router.read(call, needs: [app]) { view throws(ModelError) in [try view.listGuides(app)] }
    }

    private func pending(_ call: IncomingCall) throws(ModelError) {
        let app = try Arguments(call).app(0)
        router.ask(call, needs: app) { view, presenting throws(ModelError) in
            [.array(try view.pendingGuides(app, storeLostData: presenting.storeLostData))]
        }
    }

    private func appAndGuide(_ call: IncomingCall) throws(ModelError) -> (DomainName, Identifier) {
        let arguments = Arguments(call)
        return (try arguments.app(0), try arguments.identifier(1, called: "guide"))
    }

    // MARK: Presentation

    private func present(_ call: IncomingCall) throws(ModelError) {
        let (app, guide) = try appAndGuide(call)
        let options = try GuideOptions(try Arguments(call).dictionary(2))
        router.accept(call, needs: [app]) { [router, countdowns] request, session in
            router.callers.track(request.caller)
            let presenting = router.presenting(request.caller, session)
            let wish = GuideWish(app: app, guide: guide, options: options, call: presenting, user: session.userID)
            let planned = PlannedCountdown(countdowns)
            session.write(for: request.caller) { view throws(ModelError) in
                planned.forget()
                return try view.presentingGuide(wish) { start throws(ModelError) in try planned.plan(start) }
            } completion: { result in
                if case .failure = result { planned.forget() }
                router.noteBegun(result, in: session, at: presenting.now)
                request.answer(result)
            }
        }
    }

    private func advance(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let run: UInt64 = try arguments.get(0)
        let pages: Int32 = try arguments.get(1)
        router.withRun(call, run, .guide, goesOn: true) { view, _, _ throws(ModelError) in
            try view.advancingGuide(run, by: pages)
        }
    }

    private func goTo(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let run: UInt64 = try arguments.get(0)
        let page: UInt32 = try arguments.get(1)
        router.withRun(call, run, .guide, goesOn: true) { view, _, _ throws(ModelError) in
            try view.turningGuide(run, to: page)
        }
    }

    private func finish(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let run: UInt64 = try arguments.get(0)
        let outcome = try GuideOutcome(finish: try arguments.string(1))
        router.withRun(call, run, .guide) { view, _, _ throws(ModelError) in
            try view.finishingGuide(run, as: outcome)
        }
    }
}

/// The countdown that one `Present` plans, whose token is taken until it begins or comes to nothing.
private final class PlannedCountdown {
    private let service: CountdownService
    private var start: CountdownStart?

    init(_ service: CountdownService) { self.service = service }

    func plan(_ start: CountdownStart) throws(ModelError) -> Value? {
        let record = try service.plan(start)
        self.start = start
        return record
    }

    /// Gives the token free: the call failed, or is computed again.
    func forget() {
        if let start { service.forget(start) }
        start = nil
    }
}

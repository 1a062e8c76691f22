import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Tours`: arguments to the model and back.
final class ToursHandler: RequestHandler {
    let description = ToursInterface.description
    private let router: RequestRouter

    init(router: RequestRouter) { self.router = router }

    func route(_ call: IncomingCall) throws(ModelError) {
        switch call.member {
        case ToursInterface.define: try define(call)
        case ToursInterface.remove: try remove(call)
        case ToursInterface.reset: try reset(call)
        case ToursInterface.list: try list(call)
        case ToursInterface.start: try start(call)
        case ToursInterface.next: try next(call)
        case ToursInterface.back: try back(call)
        case ToursInterface.goTo: try goTo(call)
        case ToursInterface.stepUnavailable: try stepUnavailable(call)
        case ToursInterface.finish: try finish(call)
        default: preconditionFailure("\(call.member) is described and not served")
        }
    }

    // MARK: Definitions

    private func define(_ call: IncomingCall) throws(ModelError) {
        let (app, tour) = try appAndTour(call)
        let definition = try TourDefinition(try Arguments(call).dictionary(2))
        router.write(call, needs: app) { view, _, _ throws(ModelError) in
            try view.definingTour(app, tour, as: definition)
        }
    }

    private func remove(_ call: IncomingCall) throws(ModelError) {
        let (app, tour) = try appAndTour(call)
        router.write(call, needs: app) { view, now, _ throws(ModelError) in try view.removingTour(app, tour, at: now) }
    }

    private func reset(_ call: IncomingCall) throws(ModelError) {
        let (app, tour) = try appAndTour(call)
        router.write(call, needs: app) { view, now, _ throws(ModelError) in try view.resettingTour(app, tour, at: now) }
    }

    private func list(_ call: IncomingCall) throws(ModelError) {
        let app = try Arguments(call).app(0)
        router.ask(call, needs: app) { view, asking throws(ModelError) in [try view.tourList(app, at: asking.now)] }
    }

    // MARK: Runs

    private func start(_ call: IncomingCall) throws(ModelError) {
        let (app, tour) = try appAndTour(call)
        let options = try TourStartOptions(try Arguments(call).dictionary(2))
        router.present(call, needs: app) { view, presenting throws(ModelError) in
            try view.startingTour(app, tour, options, presenting)
        }
    }

    private func next(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let step = try arguments.string(1)
        let sequence = try arguments.get(2, as: UInt64.self)
        try withRun(call) { view, run, now throws(ModelError) in
            try view.nextStep(run, ending: step, sequence: sequence, at: now)
        }
    }

    private func back(_ call: IncomingCall) throws(ModelError) {
        try withRun(call) { view, run, _ throws(ModelError) in try view.previousStep(run) }
    }

    private func goTo(_ call: IncomingCall) throws(ModelError) {
        let step = try Arguments(call).string(1)
        try withRun(call) { view, run, _ throws(ModelError) in try view.goingToStep(run, step) }
    }

    private func stepUnavailable(_ call: IncomingCall) throws(ModelError) {
        let step = try Arguments(call).string(1)
        try withRun(call) { view, run, now throws(ModelError) in try view.skippingStep(run, step, at: now) }
    }

    private func finish(_ call: IncomingCall) throws(ModelError) {
        let outcome = try Arguments(call).string(1)
        try withRun(call, goesOn: false) { view, run, now throws(ModelError) in try view.finishingTour(run, outcome, at: now) }
    }

    /// A call about a run; one that `goesOn` is done in memory where the disk refuses, so that nobody is stuck at a step (P11).
    private func withRun(
        _ call: IncomingCall, goesOn: Bool = true, _ body: @escaping (StateView, UInt64, Instant) throws(ModelError) -> Outcome
    ) throws(ModelError) {
        let id = try Arguments(call).get(0, as: UInt64.self)
        router.withRun(call, id, .tour, goesOn: goesOn) { view, run, presenting throws(ModelError) in
            try body(view, run.id, presenting.now)
        }
    }

    private func appAndTour(_ call: IncomingCall) throws(ModelError) -> (DomainName, Identifier) {
        let arguments = Arguments(call)
        return (try arguments.app(0), try arguments.identifier(1, called: "tour"))
    }
}

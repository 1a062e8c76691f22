import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Guides`, `Tours` and `Tips` of a daemon in memory: arguments to the model and back.
struct MemoryPresentations: MemoryHandler {
    let core: MemoryCore

    func handle(_ call: MemoryCall, _ completion: @escaping MemoryCore.Completion) {
        do throws(ModelError) {
            let body =
                switch call.interface {
                case GuidesInterface.name: try guides(call)
                case ToursInterface.name: try tours(call)
                default: try tips(call)
                }
            let now = core.now
            core.write(call.client, body) { [core] result in
                if case .success(let reply) = result, reply.count == 4, reply[0].get() == true,
                    let run = reply[2].get(as: UInt64.self)
                {
                    core.activity.note(run, at: now)
                }
                completion(result)
            }
        } catch {
            completion(.failure(DBusError(error)))
        }
    }

    private func unknown(_ call: MemoryCall) -> ModelError {
        ModelError(.invalidArgument, "The daemon in memory has no \(call.member).")
    }

    /// The run that a call is about, which thereby goes on.
    private func run(_ arguments: MemoryArguments) throws(ModelError) -> UInt64 {
        let run: UInt64 = try arguments.get(0)
        core.activity.note(run, at: core.now)
        return run
    }

    private func guides(_ call: MemoryCall) throws(ModelError) -> Operation.Body {
        let arguments = MemoryArguments(call)
        let presenting = core.presenting(call.client)
        switch call.member {
        case GuidesInterface.advance:
            let (run, pages) = (try run(arguments), try arguments.get(1, as: Int32.self))
            return { view throws(ModelError) in try view.advancingGuide(run, by: pages) }
        case GuidesInterface.goTo:
            let (run, page) = (try run(arguments), try arguments.get(1, as: UInt32.self))
            return { view throws(ModelError) in try view.turningGuide(run, to: page) }
        case GuidesInterface.finish:
            let (run, outcome) = (try run(arguments), try GuideOutcome(finish: try arguments.get(1)))
            return { view throws(ModelError) in try view.finishingGuide(run, as: outcome) }
        default: break
        }
        let app = try arguments.app()
        switch call.member {
        case GuidesInterface.list:
            return { view throws(ModelError) in Outcome(reply: [try view.listGuides(app)]) }
        case GuidesInterface.pending:
            return { view throws(ModelError) in Outcome(reply: [.array(try view.pendingGuides(app))]) }
        default: break
        }
        let guide = try arguments.identifier(1, called: "guide")
        switch call.member {
        case GuidesInterface.define:
            let definition = try GuideDefinition(try arguments.dictionary(2))
            return { view throws(ModelError) in try view.definingGuide(app, guide, as: definition, presenting) }
        case GuidesInterface.remove:
            return { view throws(ModelError) in try view.removingGuide(app, guide, presenting) }
        case GuidesInterface.reset:
            return { view throws(ModelError) in try view.resettingGuide(app, guide, presenting) }
        case GuidesInterface.present:
            let wish = GuideWish(
                app: app, guide: guide, options: try GuideOptions(try arguments.dictionary(2)), call: presenting,
                user: MemoryCore.user)
            return { [core] view throws(ModelError) in
                try view.presentingGuide(wish) { start throws(ModelError) in
                    try core.board.check(start)
                    return try core.board.record(of: start)
                }
            }
        default: throw unknown(call)
        }
    }

    private func tours(_ call: MemoryCall) throws(ModelError) -> Operation.Body {
        let arguments = MemoryArguments(call)
        let now = core.now
        switch call.member {
        case ToursInterface.next:
            let (run, step) = (try run(arguments), try arguments.get(1, as: String.self))
            let sequence = try arguments.get(2, as: UInt64.self)
            return { view throws(ModelError) in try view.nextStep(run, ending: step, sequence: sequence, at: now) }
        case ToursInterface.back:
            let run = try run(arguments)
            return { view throws(ModelError) in try view.previousStep(run) }
        case ToursInterface.goTo:
            let (run, step) = (try run(arguments), try arguments.get(1, as: String.self))
            return { view throws(ModelError) in try view.goingToStep(run, step) }
        case ToursInterface.stepUnavailable:
            let (run, step) = (try run(arguments), try arguments.get(1, as: String.self))
            return { view throws(ModelError) in try view.skippingStep(run, step, at: now) }
        case ToursInterface.finish:
            let (run, outcome) = (try run(arguments), try arguments.get(1, as: String.self))
            return { view throws(ModelError) in try view.finishingTour(run, outcome, at: now) }
        default: break
        }
        let app = try arguments.app()
        if call.member == ToursInterface.list {
            return { view throws(ModelError) in Outcome(reply: [try view.tourList(app, at: now)]) }
        }
        let tour = try arguments.identifier(1, called: "tour")
        switch call.member {
        case ToursInterface.define:
            let definition = try TourDefinition(try arguments.dictionary(2))
            return { view throws(ModelError) in try view.definingTour(app, tour, as: definition) }
        case ToursInterface.remove: return { view throws(ModelError) in try view.removingTour(app, tour, at: now) }
        case ToursInterface.reset: return { view throws(ModelError) in try view.resettingTour(app, tour, at: now) }
        case ToursInterface.start:
            let options = try TourStartOptions(try arguments.dictionary(2))
            let presenting = core.presenting(call.client)
            return { view throws(ModelError) in try view.startingTour(app, tour, options, presenting) }
        default: throw unknown(call)
        }
    }

    private func tips(_ call: MemoryCall) throws(ModelError) -> Operation.Body {
        let arguments = MemoryArguments(call)
        let (now, presenting) = (core.now, core.presenting(call.client))
        if call.member == TipsInterface.finish {
            let (run, outcome) = (try run(arguments), try TipOutcome(argument: try arguments.get(1)))
            return { view throws(ModelError) in try view.finishingTip(run, outcome, at: now) }
        }
        let app = try arguments.app()
        switch call.member {
        case TipsInterface.list:
            return { view throws(ModelError) in Outcome(reply: [try view.listingTips(app, presenting)]) }
        case TipsInterface.evaluate:
            return { view throws(ModelError) in Outcome(reply: [try view.evaluatingTips(app, presenting)]) }
        case TipsInterface.donate:
            let (event, count) = (try arguments.identifier(1, called: "event"), try arguments.get(2, as: UInt32.self))
            return { view throws(ModelError) in try view.donating(app, event, count: count, at: now) }
        default: break
        }
        let tip = try arguments.identifier(1, called: "tip")
        switch call.member {
        case TipsInterface.define:
            let definition = try TipDefinition(try arguments.dictionary(2))
            return { view throws(ModelError) in try view.definingTip(app, tip, definition) }
        case TipsInterface.remove: return { view throws(ModelError) in try view.removingTip(app, tip, at: now) }
        case TipsInterface.reset: return { view throws(ModelError) in try view.resettingTip(app, tip, at: now) }
        case TipsInterface.present:
            let options = try TipOptions(try arguments.dictionary(2))
            return { view throws(ModelError) in try view.presentingTip(app, tip, options, presenting) }
        case TipsInterface.snooze:
            let duration: UInt64 = try arguments.get(2)
            return { view throws(ModelError) in try view.snoozingTip(app, tip, for: duration, at: now) }
        default: throw unknown(call)
        }
    }
}

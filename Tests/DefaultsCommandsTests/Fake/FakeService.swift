import DBusTypes
import DefaultsInterface
import LibDBus
import Support

/// Answers as the contract says, with what tests need of it and nothing behind.
///
/// It has the guides `intro` (three pages), `form` (the same with a button), `timed` (with a countdown), `old` (seen) and `held` (busy), the
/// tour `tools` of two steps and the tip `undo`. One thread only.
final class FakeService {
    /// Told each call.
    var onCall: (String) -> Void = { _ in }

    private let connection: BusConnection
    private let server: ObjectServer
    private let loop = PollLoop()
    private var lastRun: UInt64 = 0
    private var guide = ""
    private var page: UInt32 = 0
    private var step: UInt32 = 0
    private var sequence: UInt64 = 1
    private var outcome = ""
    private var countdown: ObjectPath = "/"

    init(address: String) throws {
        connection = try BusConnection(address: address)
        server = ObjectServer(connection)
        guard try connection.requestName(WellKnown.busName) == .owned else { throw TestFailure("the name is taken") }
        server.export(
            WellKnown.rootPath,
            [
                handler(GuidesInterface.description, FakeService.guides), handler(ToursInterface.description, FakeService.tours),
                handler(TipsInterface.description, FakeService.tips), handler(AdminInterface.description, FakeService.admin),
            ])
    }

    func serve(until isStopping: () -> Bool) {
        connection.attach(to: loop)
        while !isStopping() { loop.iterate(deadline: .now + .milliseconds(5)) }
        connection.close()
    }

    private func handler(
        _ description: InterfaceDescription, _ answer: @escaping (FakeService) -> (IncomingCall) throws(DBusError) -> [Value]
    ) -> FakeHandler {
        FakeHandler(description) { [unowned self] call throws(DBusError) in
            let words =
                ["\(call.interface.text.split(separator: ".").last ?? "").\(call.member)"] + call.arguments.map(ValueTexts.text)
            onCall(words.joined(separator: " "))
            return try answer(self)(call)
        }
    }

    private func begin(_ id: String, _ known: [String]) throws(DBusError) -> String {
        guard known.contains(id) else { throw DBusError(ErrorNames.notFound, "there is no \(id)") }
        lastRun += 1
        (guide, page, step, outcome, countdown) = (id, 0, 0, "", "/")
        return id == "old" ? "seen" : id == "held" ? "busy" : ""
    }

    private func finish(_ call: IncomingCall) {
        if outcome.isEmpty { outcome = call.arguments[1].get() ?? "" }
    }

    private var state: String { outcome.isEmpty ? "presenting" : outcome == "released" ? "released" : "finished" }

    // MARK: Guides

    private func guides(_ call: IncomingCall) throws(DBusError) -> [Value] {
        switch call.member {
        case GuidesInterface.list:
            let entries = PlayerSamples.listed(state: "finished", outcome: "completed")
            return [PlayerSamples.list([("intro", entries)])]
        case GuidesInterface.present:
            let reason = try begin(call.arguments[1].get() ?? "", ["intro", "form", "timed", "old", "held"])
            if guide == "timed", let token: String = call.arguments[2].dictionary?["countdown_token"]?.get(),
                let path = WellKnown.countdownPath(owner: call.sender, token: token)
            {
                countdown = path
                server.export(path, [handler(CountdownInterface.description, FakeService.countdown)])
            }
            return [.boolean(reason.isEmpty), .string(reason), .uint64(lastRun), .dictionary(presented)]
        case GuidesInterface.advance:
            let by: Int32 = call.arguments[1].get() ?? 0
            if page == 2, by > 0 {
                if guide != "form" { outcome = "completed" }
            } else {
                page = UInt32(clamping: Int32(page) + by)
            }
        case GuidesInterface.finish: finish(call)
        case GuidesInterface.reset, GuidesInterface.remove: return []
        default: throw DBusError(ErrorNames.unknownMethod, "not here")
        }
        return [.dictionary(presented)]
    }

    private var presented: DictionaryValue {
        PlayerSamples.guide(
            page: page, state: state, outcome: outcome, completion: guide == "form" ? "button" : "swipe", countdown: countdown)
    }

    /// A countdown with 7 of 10 seconds left, which ends the guide when it is skipped.
    private func countdown(_ call: IncomingCall) throws(DBusError) -> [Value] {
        let isSkipped = call.member == CountdownInterface.skip
        // After the reply, as the daemon does.
        loop.addTimer { [self] in follow(call, isSkipped: isSkipped) }.arm(afterMilliseconds: 0)
        return [
            .vardict([
                ("state", .string(isSkipped ? "finished" : "running")), ("duration", .uint64(10_000)), ("tick", .uint64(1000)),
                ("remaining", .uint64(7000)), ("remaining_ticks", .uint32(7)), ("skippable", .boolean(true)),
                ("owner", .string(call.sender.text)), ("purpose", .string("")), ("reason", .string(isSkipped ? "skipped" : "")),
            ])
        ]
    }

    private func follow(_ call: IncomingCall, isSkipped: Bool) {
        if isSkipped {
            outcome = "skipped"
            let arguments: [Value] = [.string("org.example.App"), .string(guide), .uint64(lastRun), .string(outcome)]
            try? connection.emit(WellKnown.rootPath, GuidesInterface.name, GuidesInterface.finished, arguments, to: call.sender)
        } else {
            let tick: [Value] = [.uint32(6), .uint64(6000), .uint32(0)]
            try? connection.emit(call.path, CountdownInterface.name, CountdownInterface.tickSignal, tick, to: call.sender)
        }
    }

    // MARK: Tours and tips

    private func tours(_ call: IncomingCall) throws(DBusError) -> [Value] {
        switch call.member {
        case ToursInterface.start:
            let reason = try begin(call.arguments[1].get() ?? "", ["tools"])
            return [.boolean(true), .string(reason), .uint64(lastRun), .dictionary(presentedStep)]
        case ToursInterface.next where call.arguments[2] == .uint64(sequence):
            sequence += 1
            if step == 1 { outcome = "completed" } else { step += 1 }
        case ToursInterface.next: break
        case ToursInterface.back:
            sequence += 1
            step = 0
        case ToursInterface.finish: finish(call)
        default: throw DBusError(ErrorNames.unknownMethod, "not here")
        }
        return [.dictionary(presentedStep)]
    }

    private var presentedStep: DictionaryValue {
        PlayerSamples.step(step, sequence: sequence, state: state, outcome: outcome)
    }

    private func tips(_ call: IncomingCall) throws(DBusError) -> [Value] {
        switch call.member {
        case TipsInterface.present:
            let reason = try begin(call.arguments[1].get() ?? "", ["undo"])
            return [.boolean(true), .string(reason), .uint64(lastRun), .dictionary(PlayerSamples.tip())]
        case TipsInterface.finish:
            finish(call)
            return [.dictionary(PlayerSamples.tip(state: state, outcome: outcome))]
        case TipsInterface.donate: return [.uint64(41 + (call.arguments[2].integer() ?? 0))]
        case TipsInterface.snooze: return []
        default: throw DBusError(ErrorNames.unknownMethod, "not here")
        }
    }

    // MARK: Admin

    private func admin(_ call: IncomingCall) throws(DBusError) -> [Value] {
        switch call.member {
        case AdminInterface.explain:
            let gates: [Value] = [("policy", true, "allow"), ("seen", false, "completed at revision 1")].map { gate in
                .structure([.string(gate.0), .boolean(gate.1), .string(gate.2)])
            }
            return [.array(ArrayValue(unchecked: gates, of: .structure([.string, .boolean, .string])))]
        case AdminInterface.statistics:
            let counts = Value.vardict([("shown", .uint64(3)), ("completed", .uint64(1)), ("furthest", .uint32(2))])
            return [.vardict([("guide", .vardict([("intro", counts)]))])]
        case AdminInterface.inhibit: return [.uint64(17)]
        case AdminInterface.uninhibit: return []
        default: throw DBusError(ErrorNames.unknownMethod, "not here")
        }
    }
}

/// Arguments as the log has them.
private enum ValueTexts {
    static func text(_ value: Value) -> String {
        switch value {
        case .string(let text): text
        case .dictionary(let entries): entries.entries.map { "\(text($0.key))" }.joined(separator: ",")
        default: value.integer(as: Int64.self).map { "\($0)" } ?? value.integer(as: UInt64.self).map { "\($0)" } ?? "?"
        }
    }
}

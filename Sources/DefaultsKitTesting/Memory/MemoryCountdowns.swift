import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Countdowns` and `org.defaultsd1.Countdown` of a daemon in memory.
struct MemoryCountdowns: MemoryHandler {
    let core: MemoryCore

    func handle(_ call: MemoryCall, _ completion: @escaping MemoryCore.Completion) {
        do throws(ModelError) {
            if call.interface == CountdownsInterface.name {
                try handleRoot(call, completion)
            } else {
                try handleObject(call, completion)
            }
        } catch {
            completion(.failure(DBusError(error)))
        }
    }

    private func handleRoot(_ call: MemoryCall, _ completion: MemoryCore.Completion) throws(ModelError) {
        if call.member == CountdownsInterface.list {
            let live = core.board.list(user: MemoryCore.user, at: core.now)
            let values = live.map { Value.structure([.objectPath($0.id.path), $0.state.dictionary]) }
            let element = DBusType.structure([.objectPath, .dictionary(key: .string, value: .variant)])
            return completion(.success([.array(ArrayValue(unchecked: values, of: element))]))
        }
        let arguments = MemoryArguments(call)
        let token: String = try arguments.get(0)
        let spec = try CountdownSpec(try arguments.dictionary(1))
        let owner = CountdownOwner(name: call.client.name, user: MemoryCore.user)
        let reply = try core.board.start(token: token, spec: spec, scale: scale, owner: owner, at: core.now)
        answer(reply, [.objectPath(reply.id.path), reply.state.dictionary], completion)
    }

    private var scale: CountdownScale {
        guard let key = PreferenceKey(CountdownScale.key) else { return .standard }
        return CountdownScale(core.ledger.committedView.effectiveValue(.global, key)?.value)
    }

    private func handleObject(_ call: MemoryCall, _ completion: MemoryCore.Completion) throws(ModelError) {
        guard let id = CountdownID(path: call.path) else { throw .unknownObject("there is no countdown \(call.path)") }
        if call.member == CountdownInterface.watch {
            let state = try core.board.state(of: id, at: core.now)
            core.watchers[id, default: []].insert(call.client.name)
            return completion(.success([state.dictionary]))
        }
        let reply = try act(call, id)
        answer(reply, [reply.state.dictionary], completion)
    }

    private func act(_ call: MemoryCall, _ id: CountdownID) throws(ModelError) -> CountdownReply {
        switch call.member {
        case CountdownInterface.ready: try core.board.ready(id, at: core.now)
        case CountdownInterface.pause: try core.board.pause(id, at: core.now)
        case CountdownInterface.resume: try core.board.resume(id, at: core.now)
        case CountdownInterface.skip: try core.board.skip(id, at: core.now)
        case CountdownInterface.cancel: try core.board.cancel(id, at: core.now)
        case CountdownInterface.extend: try core.board.extend(id, by: try MemoryArguments(call).get(0), at: core.now)
        default: throw ModelError(.invalidArgument, "The daemon in memory has no \(call.member).")
        }
    }

    private func answer(_ reply: CountdownReply, _ values: [Value], _ completion: MemoryCore.Completion) {
        core.send(reply.beforeReply)
        completion(.success(values))
        core.send(reply.afterReply)
    }
}

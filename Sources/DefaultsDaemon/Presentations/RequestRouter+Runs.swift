import DBusTypes
import DefaultsModel
import LibDBus

extension RequestRouter {
    /// The caller, by a name that means the same after a restart of the daemon.
    func connectionName(of caller: Caller) -> ConnectionName { ConnectionName(bus: busGUID, name: caller.name) }

    /// Computes a change that rests on what is presented, and answers when it is on disk.
    ///
    /// The caller is known from then on: what it presents or holds back ends with its connection. A run that begins with it is as if it was just
    /// called about.
    func present(
        _ call: IncomingCall, needs app: DomainName,
        _ body: @escaping (StateView, Presenting) throws(ModelError) -> Outcome
    ) {
        accept(call, needs: [app]) { [self] request, session in
            callers.track(request.caller)
            let presenting = presenting(request.caller, session)
            session.write(for: request.caller, { view throws(ModelError) in try body(view, presenting) }) { [self] result in
                noteBegun(result, in: session, at: presenting.now)
                request.answer(result)
            }
        }
    }

    /// Takes note of a run that a reply of Present or Start says has begun: its silence counts from there (S1).
    func noteBegun(_ result: Result<[Value], ModelError>, in session: UserSession, at now: Instant) {
        guard case .success(let reply) = result, reply.count == 4, reply[0].get() == true,
            let run = reply[2].get(as: UInt64.self)
        else { return }
        session.activity.note(run, at: now)
        onBegin?(session)
    }

    /// Answers a question that rests on what is presented; the caller need not stay known.
    func ask(
        _ call: IncomingCall, needs app: DomainName,
        _ body: @escaping (StateView, Presenting) throws(ModelError) -> [Value]
    ) {
        accept(call, needs: [app]) { [self] request, session in
            let presenting = presenting(request.caller, session)
            session.read(for: request.caller, { view throws(ModelError) in try body(view, presenting) }) { request.answer($0) }
        }
    }

    /// Computes what a call about a run changes, once the run's application is in memory, and answers when it is on disk.
    ///
    /// One that `goesOn` is done in memory where the disk refuses: pages turn on a full disk (P11).
    func withRun(
        _ call: IncomingCall, _ id: UInt64, _ kind: PresentationKind, goesOn: Bool = false,
        _ body: @escaping (StateView, Run, Presenting) throws(ModelError) -> Outcome
    ) {
        accept(call) { [self] request, session in
            let app: DomainName
            do throws(ModelError) {
                app = try session.view(for: request.caller).run(id).app
            } catch {
                return request.answer(.failure(error))
            }
            // Only in its turn is it known whose run it is: a Present may have been sent just before (P15).
            if let own = request.caller.app, own != app {
                return request.answer(.failure(SandboxRules.refused("run \(id), which is another application's", own)))
            }
            request.caller.performNext(
                Caller.Job(
                    session: session, domains: [app],
                    run: { [self] session in
                        session.activity.note(id, at: clock.now)
                        let presenting = presenting(request.caller, session)
                        let operation: Operation.Body = { view throws(ModelError) in
                            try body(view, try view.run(id, kind), presenting)
                        }
                        if goesOn {
                            session.writeOrGoOn(for: request.caller, operation) { request.answer($0) }
                        } else {
                            session.write(for: request.caller, operation) { request.answer($0) }
                        }
                    }, fail: { request.answer(.failure($0)) }))
        }
    }

    /// A call about presentations, as the model takes it.
    func presenting(_ caller: Caller, _ session: UserSession) -> Presenting {
        Presenting(
            now: clock.now, caller: connectionName(of: caller), activity: session.activity,
            storeLostData: session.storeLostData, sandbox: caller.app)
    }
}

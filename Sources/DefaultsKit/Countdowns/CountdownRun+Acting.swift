import DBusTypes
import DefaultsInterface

// What a program asks for, on the runtime's thread.
extension CountdownRun {
    func act(_ action: CountdownAction, _ done: @escaping @Sendable (Result<Void, DefaultsError>) -> Void) {
        switch keeper {
        case .undecided: waiting.append { [self] in act(action, done) }
        case .daemon: actThere(action, done)
        case .process, .processForGood: actHere(action, done)
        }
    }

    private func actThere(_ action: CountdownAction, _ done: @escaping @Sendable (Result<Void, DefaultsError>) -> Void) {
        guard let path else { return actHere(action, done) }
        let (member, arguments) = Self.call(action)
        link.call(CountdownInterface.name, member, arguments, at: path) { [self] result in
            switch result {
            case .success(let reply):
                if let state = reply.first { follow(state) }
                awaitDaemon()
                done(.success(()))
            case .failure(let error) where error.code == .unreachable:
                if case .daemon = keeper { keeper = .process }
                actHere(action, done)
            case .failure(let error): done(.failure(error))
            }
        }
    }

    private func actHere(_ action: CountdownAction, _ done: (Result<Void, DefaultsError>) -> Void) {
        let now = now
        tell(local.advance(to: now))
        do throws(DefaultsError) {
            let due = try local.act(action, at: now)
            leaveDaemon()
            tell(due)
            if !local.isFinished { work() }
            done(.success(()))
        } catch {
            done(.failure(error))
        }
    }

    /// What the daemon may still keep is no longer this countdown.
    private func leaveDaemon() {
        guard case .process = keeper else { return }
        keeper = .processForGood
        if let path, owner == link.name { link.cancelCountdown(at: path) }
    }

    private static func call(_ action: CountdownAction) -> (MemberName, [Value]) {
        switch action {
        case .skip: (CountdownInterface.skip, [])
        case .cancel: (CountdownInterface.cancel, [])
        case .ready: (CountdownInterface.ready, [])
        case .pause: (CountdownInterface.pause, [])
        case .resume: (CountdownInterface.resume, [])
        case .extend(let duration): (CountdownInterface.extend, [.uint64(UInt64(max(duration.inMilliseconds, 0)))])
        }
    }

    /// No one wants it any more.
    func abandon() {
        isAbandoned = true
        guard !local.isFinished else { return }
        act(.cancel) { _ in }
    }
}

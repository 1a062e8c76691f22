import CLinux
import DefaultsModel
import Glibc

/// What runs on the store thread: serves requests in order, and tidies up while none waits.
final class StoreWorker {
    private let requests: HandOver<(UInt64, StoreRequest)>
    private let messages: HandOver<StoreMessage>
    private let wake: @Sendable () -> Void
    private var sessions: [StoreID: StoreSession] = [:]
    private var backup: StoreBackup?

    private let pace: BackupPace

    init(
        requests: HandOver<(UInt64, StoreRequest)>, messages: HandOver<StoreMessage>, pace: BackupPace,
        wake: @Sendable @escaping () -> Void
    ) {
        self.pace = pace
        self.requests = requests
        self.messages = messages
        self.wake = wake
    }

    /// Serves requests until the queue is closed and empty; then closes every store.
    func run() {
        while true {
            switch requests.receive(until: nextBackup()) {
            case .items(let items):
                for (number, request) in items { serve(number, request) }
                for session in sessions.values where requests.isEmpty { session.current?.tidy() }
            case .timedOut: workOnBackup()
            case .closed:
                backup = nil
                for session in sessions.values {
                    // What a failed checkpoint leaves in the -wal is as durable there, and read at the next start.
                    try? session.close()
                }
                sessions = [:]
                return
            }
        }
    }

    /// When there is something to do for a backup; nil where no store has changed since its last one.
    private func nextBackup() -> Int64? {
        // One in progress goes on whenever no request waits.
        if backup != nil { return 0 }
        return sessions.values.compactMap { $0.current?.backupTime(pace) }.min()
    }

    private func workOnBackup() {
        if let backup {
            guard let store = sessions[backup.id]?.current, store.database === backup.source else {
                self.backup = nil
                return
            }
            // After a failure the backup before stays, and the next one begins after the next change.
            let isOver = (try? backup.step()) ?? true
            if isOver {
                self.backup = nil
                // A backup is begun when there was nothing to write for a while: what was busy before is quiet now.
                clinux_release_memory()
                clinux_release_file_pages()
            }
            return
        }
        let now = monotonicNow()
        for (id, session) in sessions {
            guard let store = session.current, let time = store.backupTime(pace), time <= now else { continue }
            store.backupBegins(pace, now: now)
            backup = try? StoreBackup(id, store)
            return
        }
    }

    private func serve(_ number: UInt64, _ request: StoreRequest) {
        switch request {
        case .open(let id, let directory, let holder):
            send(.answer(number, .opened(result { () throws(StoreError) in try open(id, directory, holder) })))
        case .load(let id, let domain):
            answer(number, id) { (session) throws(StoreError) in
                .loaded(.success(try session.load(domain)))
            } failing: {
                .loaded(.failure($0))
            }
        case .commit(let id, let changes, let replacements):
            perform(number, id) { (session) throws(StoreError) in
                try session.commit(changes, after: replacements, now: monotonicNow())
            }
        case .acknowledgeLoss(let id):
            perform(number, id) { (session) throws(StoreError) in try session.acknowledgeLoss(now: monotonicNow()) }
        case .close(let id):
            perform(number, id) { (session) throws(StoreError) in
                sessions[id] = nil
                if backup?.id == id { backup = nil }
                try session.close()
            }
        }
    }

    private func open(_ id: StoreID, _ directory: String, _ holder: StoreHolder) throws(StoreError) -> StoreReport {
        let session = try StoreSession(directory, holder)
        let report = try session.report()
        sessions[id] = session
        return report
    }

    private func perform(_ number: UInt64, _ id: StoreID, _ body: (StoreSession) throws(StoreError) -> Void) {
        answer(number, id) { (session) throws(StoreError) in
            try body(session)
            return .done(.success(()))
        } failing: {
            .done(.failure($0))
        }
    }

    private func answer(
        _ number: UInt64, _ id: StoreID, _ body: (StoreSession) throws(StoreError) -> StoreOutcome,
        failing: (StoreError) -> StoreOutcome
    ) {
        guard let session = sessions[id] else {
            send(.answer(number, failing(StoreError(.closed, "The store was closed before this request."))))
            return
        }
        let outcome: StoreOutcome
        do throws(StoreError) {
            outcome = try body(session)
        } catch {
            outcome = failing(error)
        }
        for event in session.takeEvents() { send(.event(id, event)) }
        send(.answer(number, outcome))
        session.current?.followUp()
        // A copy of a database that is no longer the store's would keep its files open and locked.
        if let backup, backup.id == id, session.current?.database !== backup.source { self.backup = nil }
    }

    private func result<Success>(_ body: () throws(StoreError) -> Success) -> Result<Success, StoreError> {
        do throws(StoreError) {
            return .success(try body())
        } catch {
            return .failure(error)
        }
    }

    private func send(_ message: StoreMessage) {
        if messages.append(message) { wake() }
    }
}

/// Nanoseconds of CLOCK_MONOTONIC.
func monotonicNow() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

import DBusTypes
import DefaultsInterface
import LibDBus

/// What this process writes to one daemon, in the order written, over restarts of the daemon and of the bus.
///
/// On the runtime's thread. A write that may be repeated without harm is sent again where its answer never came; any other fails as
/// unreachable, since whether it happened is not known.
final class WriteQueue {
    /// How many may be sent and not answered: the daemon takes 256 calls of a connection, and others want some.
    private static let window = 128
    /// How many wait for a daemon that isn't there.
    private static let limit = 10_000
    /// How long until unanswered writes are sent again where nothing says that the daemon is back: at first, and at most, in milliseconds.
    private static let retries = (first: 100, last: 5_000)

    private unowned let link: Link
    private var operations: [WriteOperation] = []
    /// How many of the first are sent.
    private var sent = 0
    /// Answers to what was sent before the last interruption don't count.
    private var epoch = 0
    private var isHeldBack = false
    private var retryDelay = WriteQueue.retries.first
    private var retryTimer: (any TimerSource)?
    private var patienceTimer: (any TimerSource)?

    init(_ link: Link) { self.link = link }

    /// Whether everything is answered.
    var isEmpty: Bool { operations.isEmpty }

    /// Adds a write and sends it as soon as its turn comes.
    func add(_ operation: WriteOperation) {
        guard operations.count < Self.limit else {
            let message = "\(Self.limit) writes wait for the preferences daemon already; this one was not added."
            return operation.finish(.failure(DefaultsError(.limitExceeded, message)))
        }
        operations.append(operation)
        link.connect()
        send()
        watchPatience()
    }

    /// Does something once all that was written before it is sent, so that a call sees it.
    ///
    /// Says whether that is so: where nothing can be sent it gives up within the link's deadline.
    func afterWrites(_ job: @escaping (Bool) -> Void) {
        guard sent < operations.count else { return job(true) }
        operations.append(WriteOperation(job: job))
        send()
        watchPatience()
    }

    private func send() {
        guard link.isConnected, !isHeldBack else { return }
        while sent < operations.count, sent < Self.window {
            let operation = operations[sent]
            if let job = operation.job {
                operations.remove(at: sent)
                job(true)
                continue
            }
            sent += 1
            let epoch = epoch
            link.call(PreferencesInterface.name, operation.member, operation.arguments, timeout: WriteOperation.timeout) {
                [weak self] result in
                guard let self, epoch == self.epoch else { return }
                answered(operation, result)
            }
        }
    }

    private func answered(_ operation: WriteOperation, _ result: Result<[Value], DefaultsError>) {
        if case .failure(let error) = result, error.code == .unreachable { return interrupted() }
        retryDelay = Self.retries.first
        if let index = operations.firstIndex(where: { $0 === operation }) { operations.remove(at: index) }
        sent -= 1
        operation.finish(result)
        send()
        if operations.isEmpty { link.closeIfUnused() }
    }

    /// No answer will come any more to what was sent.
    func interrupted() {
        epoch += 1
        let lost = operations.prefix(sent).filter { !$0.isRepeatable }
        sent = 0
        operations.removeAll { operation in lost.contains { $0 === operation } }
        for operation in lost {
            let message = "The preferences daemon left before it answered; whether the change was made is not known."
            operation.finish(.failure(DefaultsError(.unreachable, message)))
        }
        watchPatience()
        holdBack()
    }

    /// Tries again only after a while, or when the daemon is seen to be back.
    private func holdBack() {
        guard !operations.isEmpty else { return }
        isHeldBack = true
        retryTimer?.cancel()
        retryTimer = link.runtime.after(milliseconds: retryDelay) { [weak self] in self?.resume() }
        retryDelay = min(retryDelay * 2, Self.retries.last)
    }

    /// Sends again: the daemon may be there.
    func resume() {
        retryTimer?.cancel()
        retryTimer = nil
        isHeldBack = false
        send()
    }

    /// Gives up: no one uses the link any more, and there is no daemon.
    func abandon() {
        retryTimer?.cancel()
        patienceTimer?.cancel()
        let left = operations
        operations = []
        sent = 0
        for operation in left {
            if let job = operation.job { job(false) } else { operation.finish(.failure(.unreachable)) }
        }
    }

    // MARK: Patience

    /// Those who wait for the disk are told after a while that there is no one to write; what may still be written stays.
    private func watchPatience() {
        guard sent < operations.count, patienceTimer == nil else { return }
        patienceTimer = link.runtime.after(milliseconds: Link.deadline) { [weak self] in
            guard let self else { return }
            patienceTimer?.cancel()
            patienceTimer = nil
            guard !link.isConnected || isHeldBack else { return watchPatience() }
            let waiting = operations.dropFirst(sent)
            let lost = waiting.filter { !$0.isRepeatable }
            operations.removeAll { operation in lost.contains { $0 === operation } }
            for operation in lost {
                if let job = operation.job { job(false) } else { operation.finish(.failure(.unreachable)) }
            }
            for operation in waiting where operation.isRepeatable { operation.write.losePatience() }
        }
    }
}

/// One write on its way.
final class WriteOperation {
    /// How long a daemon that is there may take: its disk may be slow.
    static let timeout = 25_000

    let member: MemberName
    let arguments: [Value]
    /// Whether it may be sent again where its answer is lost: its effect twice is its effect once.
    let isRepeatable: Bool
    let write: PendingWrite
    private let completion: (Result<[Value], DefaultsError>) -> Void
    /// What this is in place of a write: something to do when its turn comes.
    let job: ((Bool) -> Void)?

    /// A place in the line.
    init(job: @escaping (Bool) -> Void) {
        member = PreferencesInterface.synchronize
        arguments = []
        isRepeatable = false
        write = PendingWrite()
        completion = { _ in }
        self.job = job
    }

    init(
        _ member: MemberName, _ arguments: [Value], isRepeatable: Bool, write: PendingWrite,
        completion: @escaping (Result<[Value], DefaultsError>) -> Void
    ) {
        self.member = member
        self.arguments = arguments
        self.isRepeatable = isRepeatable
        self.write = write
        self.completion = completion
        job = nil
    }

    func finish(_ result: Result<[Value], DefaultsError>) {
        completion(result)
        write.finish(result.map { _ in })
    }
}

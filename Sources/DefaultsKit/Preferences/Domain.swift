import DBusTypes
import DefaultsInterface

/// One domain as this process sees it: the daemon's values, and over them what this process writes and the daemon hasn't answered yet.
final class Domain: @unchecked Sendable {
    // `memory` is used under `lock`; what a `Link` uses of it, on the runtime's thread.

    /// A fetch is tried again when the daemon was restarted meanwhile, or a slot has only now become known.
    private static let attempts = 5
    /// How long reads return stale values without asking again once the daemon could not be asked.
    private static let pause = Duration.milliseconds(100)

    /// What all threads share.
    struct Contents {
        var snapshot = DomainSnapshot()
        var overlay = Overlay()
        var pausedUntil: ContinuousClock.Instant?
        /// The snapshot as it is now; nil where the overlay must be looked at too.
        var readView: DomainSnapshot.ReadView?
    }

    let name: String
    let link: Link
    let watchers = Watchers()
    private let lock = StripedLock()
    /// In memory of its own: a read looks at it where it lies, without keeping count of references to what is in it.
    let memory: UnsafeMutablePointer<Contents>

    /// Who waits for the fetch that is on its way, and who came after it was begun; on the runtime's thread.
    private var waiting: [@Sendable (Bool) -> Void] = []
    private var waitingForNext: [@Sendable (Bool) -> Void] = []
    private var isFetching = false

    init(_ name: String, _ link: Link) {
        self.name = name
        self.link = link
        memory = .allocate(capacity: 1)
        memory.initialize(to: Contents())
    }

    deinit {
        memory.deinitialize(count: 1)
        memory.deallocate()
    }

    // MARK: Reading

    /// What a look into memory found.
    private enum Look: Sendable {
        case current(Value?)
        case unsure
        /// The daemon couldn't be asked a moment ago.
        case paused
    }

    /// The effective value: from memory where that is current, else from the daemon; 500 ms at most, from any thread.
    @inline(__always)
    func read(_ key: HashedKey) -> RawReading {
        let look = lock.read { () -> Look in
            guard let view = memory.pointee.readView else { return lookThroughOverlay(key.key) }
            return view.isCurrent ? .current(key.value(in: view.values)) : .unsure
        }
        if case .current(let value) = look { return RawReading(value: value) }
        return readSlowly(key)
    }

    private func lookThroughOverlay(_ key: MirrorKey) -> Look {
        let isCurrent = memory.pointee.snapshot.isCurrent
        switch memory.pointee.overlay.pending(key) {
        case .value(let value)?: return .current(value)
        case .absent?: return .unsure
        case .fallback(let value)? where isCurrent: return .current(memory.pointee.snapshot.values[key] ?? value)
        case .fallback?: return .unsure
        case nil: return isCurrent ? .current(memory.pointee.snapshot.values[key]) : .unsure
        }
    }

    /// Changes what all threads share, with no reader anywhere.
    func change<Result: Sendable>(_ body: () -> Result) -> Result {
        lock.write {
            // What a view shows may move with the first change.
            memory.pointee.readView = nil
            let result = body()
            if memory.pointee.overlay.isEmpty { memory.pointee.readView = memory.pointee.snapshot.readView }
            return result
        }
    }

    private func readSlowly(_ key: HashedKey) -> RawReading {
        let isPaused = lock.read { memory.pointee.pausedUntil.map { $0 > .now } ?? false }
        let isFresh = !isPaused && (link.runtime.wait(milliseconds: Link.deadline) { [self] done in refresh(done) } ?? false)
        if !isFresh && !isPaused { pause() }
        return lock.read { raw(key.key, isStale: !isFresh) }
    }

    /// What is known of a key, current or not; under the lock.
    private func raw(_ key: MirrorKey, isStale: Bool) -> RawReading {
        let stored = memory.pointee.snapshot.values[key]
        switch memory.pointee.overlay.latest(key) {
        case .value(let value)?: return RawReading(value: value, isStale: isStale)
        case .absent?: return RawReading(value: isStale ? nil : stored, isStale: isStale)
        case .fallback(let value)?: return RawReading(value: stored ?? value, isStale: isStale)
        case nil: return RawReading(value: stored, isStale: isStale, isKnown: memory.pointee.snapshot.hasValues)
        }
    }

    /// The value as far as this process knows it, without asking anyone.
    func peek(_ key: MirrorKey) -> Value? { lock.read { raw(key, isStale: true).value } }

    /// As `read`, without a thread that waits.
    func fetch(_ key: MirrorKey) async -> RawReading {
        await withCheckedContinuation { continuation in
            link.runtime.run { [self] in
                refresh { [self] isFresh in
                    continuation.resume(returning: lock.read { raw(key, isStale: !isFresh) })
                }
            }
        }
    }

    /// All effective values by key, and the domain's revision, as `read`; nil where nothing is known.
    func readAll() -> (values: [MirrorKey: Value], revision: UInt64, isStale: Bool)? {
        let isFresh = link.runtime.wait(milliseconds: Link.deadline) { [self] done in refresh(done) } ?? false
        return lock.read {
            guard memory.pointee.snapshot.hasValues || !memory.pointee.overlay.isEmpty else { return nil }
            var values = memory.pointee.snapshot.values.dictionary
            memory.pointee.overlay.apply(to: &values)
            return (values, memory.pointee.snapshot.revision, !isFresh)
        }
    }

    /// Has the next reads not ask again: a daemon that hangs must not cost its deadline on each.
    private func pause() { change { memory.pointee.pausedUntil = .now + Self.pause } }

    // MARK: Fetching

    /// Brings the values up to date and says whether they are; on the runtime's thread, within the link's deadline.
    func refresh(_ done: @escaping @Sendable (Bool) -> Void) {
        if isFetching {
            waitingForNext.append(done)
        } else if isUpToDate {
            done(true)
        } else {
            waiting.append(done)
            isFetching = true
            fetch(attempts: Self.attempts)
        }
    }

    /// Where a reset is on its way, what lies below isn't known before the daemon says so.
    private var isUpToDate: Bool { lock.read { memory.pointee.snapshot.isCurrent && !memory.pointee.overlay.hidesStored } }

    private func fetch(attempts: Int) {
        link.withPage { [self] page in
            link.writes.afterWrites { [self] isTurn in
                guard isTurn else { return finishFetch(false) }
                let start = change { Carried(start: memory.pointee.snapshot.startFetch(with: page)) }
                link.call(PreferencesInterface.name, PreferencesInterface.watch, [.string(name)]) { [self] result in
                    fetched(result, start.start, attempts)
                }
            }
        }
    }

    /// A page is read on the runtime's thread here; elsewhere only its words are.
    private struct Carried: @unchecked Sendable {
        let start: DomainSnapshot.FetchStart
    }

    private func fetched(_ result: Result<[Value], DefaultsError>, _ start: DomainSnapshot.FetchStart, _ attempts: Int) {
        guard case .success(let values) = result, let reply = try? WatchReply(values) else { return finishFetch(false) }
        let isDone = change {
            memory.pointee.pausedUntil = nil
            // Answers come in the order in which the daemon gave them, so this one has seen what was answered before.
            memory.pointee.overlay.settleAcknowledged()
            return memory.pointee.snapshot.take(reply, start)
        }
        notify()
        if isDone { return finishFetch(true) }
        if let page = start.page, page.instance != reply.instance { link.dropPage() }
        if attempts > 1 { fetch(attempts: attempts - 1) } else { finishFetch(false) }
    }

    private func finishFetch(_ isFresh: Bool) {
        let due = waiting
        waiting = []
        for done in due { done(isFresh) }
        // Who came while the answer was on its way may have to see more than it says.
        let later = waitingForNext
        waitingForNext = []
        if later.isEmpty || !isFresh || isUpToDate {
            isFetching = false
            for done in later { done(isFresh) }
        } else {
            waiting = later
            fetch(attempts: Self.attempts)
        }
    }

    /// Subscribes again with a daemon that came, or with this one on another connection.
    func resynchronize() {
        let isUsed = change {
            memory.pointee.pausedUntil = nil
            return memory.pointee.snapshot.hasValues
        }
        guard isUsed || !watchers.isEmpty else { return }
        if isFetching { return waitingForNext.append({ _ in }) }
        isFetching = true
        fetch(attempts: Self.attempts)
    }

    // MARK: Signals

    /// Applies what a signal says; on the runtime's thread.
    func take(_ signal: ChangedSignal) {
        change {
            _ = memory.pointee.snapshot.take(signal)
            memory.pointee.overlay.settle(at: memory.pointee.snapshot.revision)
        }
        notify()
    }

    /// Tells those who watch what they see now; with no lock held.
    func notify() {
        watchers.tell { key in
            lock.read {
                // What lies below a reset isn't known yet, and what was never fetched is told by the fetch.
                if case .absent? = memory.pointee.overlay.latest(key),
                    !memory.pointee.snapshot.isCurrent || memory.pointee.overlay.hidesStored
                {
                    return nil
                }
                let raw = raw(key, isStale: false)
                return raw.isKnown ? raw : nil
            }
        }
    }

    /// Gives a watcher what it sees first, and from then on each change.
    func watch(_ watcher: any Watcher) {
        link.runtime.run { [self] in
            watchers.add(watcher)
            refresh { [self] isFresh in watcher.tell(lock.read { raw(watcher.key, isStale: !isFresh) }) }
        }
    }

    /// No one will use it any more.
    func abandon() {
        let due = waiting + waitingForNext
        waiting = []
        waitingForNext = []
        for done in due { done(false) }
        watchers.finish()
    }
}

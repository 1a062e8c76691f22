public import DBusTypes
import DefaultsInterface
import LibDBus

/// The effective values of one domain, kept in this process and read without a call while they are current.
///
/// A read is two loads from the generation page and a dictionary look-up. Only where the page says that something changed, or that the
/// daemon has ended, the values are fetched first: so after a writer's reply, in whatever process, no read returns an older value as
/// current (P6). Signals are hints: each one that arrives brings its values along and saves a fetch.
///
/// Belongs to the thread of its mirror's loop.
public final class MirroredDomain {
    /// The domain's name.
    public let name: String
    /// Called once for each change, on the loop's thread, never from within a read; what a fetch finds is one change.
    public var onChange: ((MirroredChange) -> Void)?

    private weak var mirror: PreferencesMirror?
    private var snapshot = DomainSnapshot() {
        didSet { readView = snapshot.readView }
    }
    /// The snapshot as it is now.
    private var readView: DomainSnapshot.ReadView

    init(_ name: String, _ mirror: PreferencesMirror?) {
        readView = snapshot.readView
        self.name = name
        self.mirror = mirror
    }

    // MARK: Reading

    /// The effective value of a preference, fetched first where this process doesn't have the current one.
    ///
    /// Takes 500 ms at most. Never fails: where the daemon can't be asked, the last values are returned as stale.
    public func read(_ key: String) -> MirroredValue {
        let isStale = !isCurrent && !fetch()
        let view = readView.values
        return MirroredValue(
            value: MirrorKey(key).withBytes { view.value(of: $0, hash: ByteHash($0).value) }, isStale: isStale)
    }

    /// All effective values by key, as `read`.
    public func readAll() -> (values: [MirrorKey: Value], isStale: Bool) {
        let isStale = !isCurrent && !fetch()
        return (snapshot.values.dictionary, isStale)
    }

    /// Whether the values at hand are the current ones, without asking anyone.
    public var isCurrent: Bool { readView.isCurrent }

    private func fetch() -> Bool { mirror?.refresh(self) ?? false }

    // MARK: Fetching

    /// Begins a fetch; see ``DomainSnapshot``.
    func startFetch(with page: GenerationMap?) -> DomainSnapshot.FetchStart { snapshot.startFetch(with: page) }

    /// Takes what was fetched; returns whether that is all there is to do.
    func take(_ reply: WatchReply, _ start: DomainSnapshot.FetchStart) -> Bool {
        if onChange != nil, let change = snapshot.change(to: reply) { mirror?.announce(change, of: self) }
        return snapshot.take(reply, start)
    }

    /// Whether a fetch that was begun then has nothing to add: this domain's values are at least as new.
    func isNewer(than start: DomainSnapshot.FetchStart) -> Bool { snapshot.isNewer(than: start) }

    /// Whether what is known is newer than a reply, which a read's own fetch can have overtaken.
    func isNewer(than reply: WatchReply) -> Bool { snapshot.isNewer(than: reply) }

    // MARK: Signals

    /// Applies what a signal says, if it is newer than what is known.
    func take(_ signal: ChangedSignal) {
        guard snapshot.take(signal), onChange != nil else { return }
        mirror?.announce(
            MirroredChange(
                changed: signal.changed, removed: Set(signal.removed), revision: signal.revision, writer: signal.writer),
            of: self)
    }
}

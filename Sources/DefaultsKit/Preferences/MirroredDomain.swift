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
    private var values = ValueTable()
    private var revision: UInt64 = 0
    private var hasValues = false
    /// The page that `slot` is a slot of.
    private var page: GenerationMap? {
        didSet { view = page?.view }
    }
    /// What a read looks at, without keeping count of references to the page.
    private var view: GenerationMap.View?
    private var slot = 0
    /// What the slot's word is while `values` are current.
    private var word = MirroredDomain.neverCurrent

    /// No word gets there.
    private static let neverCurrent = UInt64.max

    init(_ name: String, _ mirror: PreferencesMirror?) {
        self.name = name
        self.mirror = mirror
    }

    // MARK: Reading

    /// The effective value of a preference, fetched first where this process doesn't have the current one.
    ///
    /// Takes 500 ms at most. Never fails: where the daemon can't be asked, the last values are returned as stale.
    public func read(_ key: String) -> MirroredValue {
        let isStale = !isCurrent && !fetch()
        return MirroredValue(value: values[MirrorKey(key)], isStale: isStale)
    }

    /// All effective values by key, as `read`.
    public func readAll() -> (values: [MirrorKey: Value], isStale: Bool) {
        let isStale = !isCurrent && !fetch()
        return (values.dictionary, isStale)
    }

    /// Whether the values at hand are the current ones, without asking anyone.
    public var isCurrent: Bool { view?.isCurrent(slot, word) ?? false }

    private func fetch() -> Bool { mirror?.refresh(self) ?? false }

    // MARK: Fetching

    /// What must be known before `Watch` is called, to know afterwards whether its answer is still current.
    struct FetchStart {
        let page: GenerationMap?
        let slot: Int?
        let word: UInt64
    }

    /// Begins a fetch: the word is read first, so that whatever changes from now on makes it differ.
    func startFetch(with page: GenerationMap?) -> FetchStart {
        guard let page, page === self.page else { return FetchStart(page: page, slot: nil, word: Self.neverCurrent) }
        return FetchStart(page: page, slot: slot, word: page.word(slot))
    }

    /// Takes what was fetched; returns whether that is all there is to do.
    ///
    /// It isn't where the slot has only now become known, or another instance has answered than the one whose page was looked at.
    func take(_ reply: WatchReply, _ start: FetchStart) -> Bool {
        note(changesTo: reply)
        values = reply.values
        revision = reply.revision
        hasValues = true
        word = Self.neverCurrent
        page = nil
        // Without a page every read fetches.
        guard let slot = reply.slot, let page = start.page else { return true }
        guard reply.instance == page.instance else { return false }
        self.page = page
        self.slot = slot
        guard start.slot == slot else { return false }
        word = start.word
        return true
    }

    /// Whether a fetch that was begun then has nothing to add: this domain's values are at least as new.
    func isNewer(than start: FetchStart) -> Bool {
        hasValues && page != nil && page === start.page && word != Self.neverCurrent
            && (start.word == Self.neverCurrent || word >= start.word)
    }

    private func note(changesTo reply: WatchReply) {
        guard hasValues, onChange != nil else { return }
        var change = MirroredChange(changed: [:], removed: [], revision: reply.revision, writer: "")
        for key in reply.values.keys {
            let value = reply.values[key]
            if values[key] != value { change.changed[key] = value }
        }
        for key in values.keys where reply.values[key] == nil { change.removed.insert(key) }
        if !change.changed.isEmpty || !change.removed.isEmpty { mirror?.announce(change, of: self) }
    }

    // MARK: Signals

    /// Applies what a signal says, if it is newer than what is known.
    ///
    /// Each signal stands for one step of the word. If all have come the count arrives at the word and the values are current; if the bus has
    /// dropped one it never does, and the next read fetches.
    func take(_ signal: ChangedSignal) {
        guard hasValues else { return }
        guard signal.revision > revision else {
            // Known already; or a second one of the same revision, which the count can't tell from one that was dropped.
            if signal.revision == revision && !agrees(with: signal) { word = Self.neverCurrent }
            return
        }
        for (key, value) in signal.changed { values[key] = value }
        for key in signal.removed { values[key] = nil }
        revision = signal.revision
        if word != Self.neverCurrent { word += 1 }
        guard onChange != nil else { return }
        mirror?.announce(
            MirroredChange(
                changed: signal.changed, removed: Set(signal.removed), revision: signal.revision, writer: signal.writer),
            of: self)
    }

    private func agrees(with signal: ChangedSignal) -> Bool {
        signal.changed.allSatisfy { values[$0.key] == $0.value } && signal.removed.allSatisfy { values[$0] == nil }
    }
}

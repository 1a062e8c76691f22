import DBusTypes
import DefaultsInterface

/// The effective values of one domain as they were fetched and told, and how to see that they still are.
///
/// A look at it is two loads from the generation page and a look-up in the table. Not safe to use from several threads: its owner has
/// a thread or a lock for it.
struct DomainSnapshot {
    private(set) var values = ValueTable()
    private(set) var revision: UInt64 = 0
    /// The instance that answered last; 0 where none has.
    private var instance: UInt64 = 0
    private(set) var hasValues = false
    /// The page that `slot` is a slot of.
    private var page: GenerationMap? {
        didSet { view = page?.view }
    }
    /// What a read looks at, without keeping count of references to the page.
    private var view: GenerationMap.View?
    private var slot = 0
    /// What the slot's word is while `values` are current.
    private var word = DomainSnapshot.neverCurrent

    /// No word gets there.
    private static let neverCurrent = UInt64.max

    /// Whether the values at hand are the current ones, without asking anyone.
    var isCurrent: Bool { view?.isCurrent(slot, word) ?? false }

    /// What a read looks at: plain numbers and addresses, good until the snapshot changes.
    var readView: ReadView { ReadView(page: view, slot: slot, word: word, values: values.view) }

    /// A snapshot as reads see it; whoever keeps one keeps the snapshot as it is, too.
    struct ReadView {
        private let page: GenerationMap.View?
        private let slot: Int
        private let word: UInt64
        let values: ValueTable.View

        fileprivate init(page: GenerationMap.View?, slot: Int, word: UInt64, values: ValueTable.View) {
            self.page = page
            self.slot = slot
            self.word = word
            self.values = values
        }

        /// Whether the values are the current ones.
        @inline(__always)
        var isCurrent: Bool { page?.isCurrent(slot, word) ?? false }
    }

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
    mutating func take(_ reply: WatchReply, _ start: FetchStart) -> Bool {
        values = reply.values
        revision = reply.revision
        instance = reply.instance
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

    /// Whether a fetch that was begun then has nothing to add: these values are at least as new.
    func isNewer(than start: FetchStart) -> Bool {
        hasValues && page != nil && page === start.page && word != Self.neverCurrent
            && (start.word == Self.neverCurrent || word >= start.word)
    }

    /// Whether a reply has been overtaken by what is known.
    ///
    /// Within one instance revisions only grow, and what one says that has gone is older than what the living one has said.
    func isNewer(than reply: WatchReply) -> Bool {
        guard hasValues else { return false }
        if reply.instance == instance { return revision > reply.revision }
        return page?.isLive == true && page?.instance == instance
    }

    /// What a reply changes in what is known; nil where that is nothing, or nothing was known.
    func change(to reply: WatchReply) -> MirroredChange? {
        guard hasValues else { return nil }
        var change = MirroredChange(changed: [:], removed: [], revision: reply.revision, writer: "")
        for key in reply.values.keys {
            let value = reply.values[key]
            if values[key] != value { change.changed[key] = value }
        }
        for key in values.keys where reply.values[key] == nil { change.removed.insert(key) }
        return change.changed.isEmpty && change.removed.isEmpty ? nil : change
    }

    // MARK: Signals

    /// Applies what a signal says, if it is newer than what is known; returns whether it was.
    ///
    /// Each signal stands for one step of the word. If all have come the count arrives at the word and the values are current; if the bus has
    /// dropped one it never does, and the next read fetches.
    mutating func take(_ signal: ChangedSignal) -> Bool {
        guard hasValues else { return false }
        guard signal.revision > revision else {
            // Known already; or a second one of the same revision, which the count can't tell from one that was dropped.
            if signal.revision == revision && !agrees(with: signal) { word = Self.neverCurrent }
            return false
        }
        for (key, value) in signal.changed { values[key] = value }
        for key in signal.removed { values[key] = nil }
        revision = signal.revision
        if word != Self.neverCurrent { word += 1 }
        return true
    }

    private func agrees(with signal: ChangedSignal) -> Bool {
        signal.changed.allSatisfy { values[$0.key] == $0.value } && signal.removed.allSatisfy { values[$0] == nil }
    }
}

import DBusTypes

/// What this process has written and the daemon's values don't show yet.
struct Overlay {
    /// What a write does to one key.
    enum Change: Hashable, Sendable {
        /// It has this value.
        case value(Value)
        /// The user's value goes; what lies below is the daemon's to say.
        case absent
        /// It has this value where nothing else gives it one.
        case fallback(Value)
    }

    private struct Entry {
        let number: UInt64
        let change: Change
        /// From which revision on the daemon's values show it; nil where it isn't answered.
        var revision: UInt64?
    }

    private var entries: [MirrorKey: Entry] = [:]
    private var number: UInt64 = 0
    /// How many entries hide what the daemon's values say without saying what is true instead.
    private var hiding = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Whether a reset isn't shown by the daemon's values yet.
    var hidesStored: Bool { hiding > 0 }

    /// The last change of a key that isn't answered yet.
    func pending(_ key: MirrorKey) -> Change? {
        guard let entry = entries[key], entry.revision == nil else { return nil }
        return entry.change
    }

    /// The last change of a key that the daemon's values don't show yet.
    func latest(_ key: MirrorKey) -> Change? { entries[key]?.change }

    /// What the values are with the changes.
    func apply(to values: inout [MirrorKey: Value]) {
        for (key, entry) in entries {
            switch entry.change {
            case .value(let value): values[key] = value
            case .absent: values[key] = nil
            case .fallback(let value): if values[key] == nil { values[key] = value }
            }
        }
    }

    /// Adds a write's changes and returns its number.
    mutating func add(_ changes: [(MirrorKey, Change)]) -> UInt64 {
        number += 1
        for (key, change) in changes { entries[key] = Entry(number: number, change: change) }
        count()
        return number
    }

    /// Notes that a write is on disk, and shown from a revision on.
    mutating func acknowledge(_ number: UInt64, _ keys: [MirrorKey], revision: UInt64) {
        for key in keys where entries[key]?.number == number { entries[key]?.revision = revision }
    }

    /// Takes back a write that was refused.
    mutating func remove(_ number: UInt64, _ keys: [MirrorKey]) {
        for key in keys where entries[key]?.number == number { entries[key] = nil }
        count()
    }

    /// Forgets all that is on disk: values that were asked for after its answer show it, whatever their revision.
    mutating func settleAcknowledged() { settle(at: .max) }

    /// Forgets what the daemon's values of this revision show.
    mutating func settle(at revision: UInt64) {
        guard !entries.isEmpty else { return }
        entries = entries.filter { $0.value.revision.map { $0 > revision } ?? true }
        count()
    }

    private mutating func count() {
        hiding = entries.values.reduce(0) { if case .absent = $1.change { $0 + 1 } else { $0 } }
    }
}

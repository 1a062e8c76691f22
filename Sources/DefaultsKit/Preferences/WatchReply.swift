import DBusTypes
import DefaultsInterface
import LibDBus

/// What `Watch` answered.
struct WatchReply {
    let values: ValueTable
    let revision: UInt64
    let instance: UInt64
    /// Nil where the caller has none.
    let slot: Int?

    init(_ reply: [Value]) throws(DBusError) {
        guard reply.count == 4, let entries = reply[0].dictionary?.entries, let revision = reply[1].get(as: UInt64.self),
            let instance = reply[2].get(as: UInt64.self), let slot = reply[3].get(as: UInt32.self)
        else { throw DBusError(.failed, "Watch was answered with something else than (a{sv}ttu).") }
        values = ValueTable(entries)
        self.revision = revision
        self.instance = instance
        self.slot = GenerationLayout.isSlot(Int(slot)) ? Int(slot) : nil
    }
}

/// What a `Changed` signal says.
struct ChangedSignal {
    let domain: String
    let changed: [MirrorKey: Value]
    let removed: [MirrorKey]
    let revision: UInt64
    let writer: String

    init?(_ arguments: [Value]) {
        guard arguments.count == 5, let domain = arguments[0].get(as: String.self),
            let entries = arguments[1].dictionary?.entries, let removed = arguments[2].get(as: [String].self),
            let revision = arguments[3].get(as: UInt64.self), let writer = arguments[4].get(as: String.self)
        else { return nil }
        self.domain = domain
        changed = entries.mirrored
        self.removed = removed.map { MirrorKey($0) }
        self.revision = revision
        self.writer = writer
    }
}

extension [DictionaryValue.Entry] {
    /// The entries of an `a{sv}` by key, out of their variants.
    fileprivate var mirrored: [MirrorKey: Value] {
        var values: [MirrorKey: Value] = [:]
        values.reserveCapacity(count)
        for entry in self {
            if case .string(let key) = entry.key, case .variant(let value) = entry.value { values[MirrorKey(key)] = value }
        }
        return values
    }
}

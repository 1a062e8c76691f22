import DBusTypes
import Glibc

/// Values by key, made for look-ups: keys compare by their bytes, as the daemon compares them, and nothing is retained on the way.
///
/// A Swift Dictionary of strings hashes with SipHash and compares with normalization, which together take longer than all else that a
/// read does. Here a hash is a multiplication for each eight bytes, over a secret of the process: whoever chooses keys can't choose
/// where they fall.
struct ValueTable {
    private var storage: TableStorage

    /// An empty table with room for so many keys.
    init(capacity: Int = 0) { storage = TableStorage(capacity: capacity) }

    /// Takes the entries of an `a{sv}` out of their variants; of a key that comes twice the last one.
    init(_ dictionary: [DictionaryValue.Entry]) {
        self.init(capacity: dictionary.count)
        for entry in dictionary {
            if case .string(let key) = entry.key, case .variant(let value) = entry.value { self[MirrorKey(key)] = value }
        }
    }

    /// The value of a key.
    subscript(_ key: MirrorKey) -> Value? {
        get { key.withBytes { view.value(of: $0, hash: ByteHash($0).value) } }
        set {
            if !isKnownUniquelyReferenced(&storage) { storage = storage.copy(capacity: storage.capacity) }
            key.withBytes { bytes in
                let hash = ByteHash(bytes).value
                if let index = storage.view.index(of: bytes, hash: hash) {
                    storage.entries[index].value = newValue
                } else if let newValue {
                    // Room for as many again, without what was removed.
                    if storage.count == storage.capacity { storage = storage.copy(capacity: storage.liveCount * 2 + 1) }
                    storage.insert(bytes, hash: hash, newValue)
                }
            }
        }
    }

    /// All keys that have a value, in the order in which they came.
    var keys: [MirrorKey] { storage.live.map(storage.key) }

    /// All values by key.
    var dictionary: [MirrorKey: Value] {
        var dictionary: [MirrorKey: Value] = [:]
        for index in storage.live { dictionary[storage.key(index)] = storage.entries[index].value }
        return dictionary
    }

    /// The table as look-ups see it: plain numbers and addresses, good until the table changes or goes.
    var view: View { storage.view }

    /// Where a table's contents lie.
    ///
    /// Whoever keeps one keeps the table as it is, too.
    struct View {
        fileprivate let places: UnsafePointer<Int32>
        fileprivate let mask: Int
        fileprivate let entries: UnsafePointer<TableStorage.Entry>
        fileprivate let bytes: UnsafePointer<UInt8>

        /// The value of the key with these bytes.
        @inline(__always)
        func value(of key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Value? {
            guard let index = index(of: key, hash: hash) else { return nil }
            return entries[index].value
        }

        @inline(__always)
        fileprivate func index(of key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int? {
            var place = Int(truncatingIfNeeded: hash) & mask
            while places[place] >= 0 {
                let index = Int(places[place])
                let entry = entries + index
                if entry.pointee.hash == hash, entry.pointee.count == key.count, isEqual(entry.pointee.start, key) {
                    return index
                }
                place = (place + 1) & mask
            }
            return nil
        }

        @inline(__always)
        private func isEqual(_ start: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
            guard let pointer = key.baseAddress else { return key.isEmpty }
            return memcmp(bytes + start, pointer, key.count) == 0
        }
    }
}

/// The memory of one table, or of several that are equal; changed only by the one table that has it.
private final class TableStorage: @unchecked Sendable {
    // Changed by its one table alone, which is a value: whoever shares that between threads has a lock for it.

    struct Entry {
        let hash: UInt64
        let start: Int
        let count: Int
        /// Nil where the key was removed; it keeps its place until the table is made anew.
        var value: Value?
    }

    /// How many entries there is room for.
    let capacity: Int
    private(set) var count = 0
    let entries: UnsafeMutablePointer<Entry>
    /// Places of entries by hash, with open addressing; -1 where there is none.
    ///
    /// As many as a power of two, at most half of them taken.
    private let places: UnsafeMutablePointer<Int32>
    private let mask: Int
    /// The bytes of all keys.
    private var bytes: UnsafeMutablePointer<UInt8>
    private var byteCount = 0
    private var byteCapacity: Int

    init(capacity wanted: Int) {
        var size = 8
        while size < wanted * 2 { size *= 2 }
        capacity = size / 2
        mask = size - 1
        places = .allocate(capacity: size)
        places.initialize(repeating: -1, count: size)
        entries = .allocate(capacity: capacity)
        byteCapacity = capacity * 16
        bytes = .allocate(capacity: byteCapacity)
    }

    deinit {
        entries.deinitialize(count: count)
        entries.deallocate()
        places.deallocate()
        bytes.deallocate()
    }

    var view: ValueTable.View { ValueTable.View(places: places, mask: mask, entries: entries, bytes: bytes) }

    /// The indices of entries that have a value.
    var live: [Int] { (0..<count).filter { entries[$0].value != nil } }

    var liveCount: Int { live.count }

    func key(_ index: Int) -> MirrorKey { MirrorKey(String(decoding: keyBytes(index), as: UTF8.self)) }

    private func keyBytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + entries[index].start, count: entries[index].count)
    }

    /// Puts in a key that isn't there; there is room for it.
    func insert(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64, _ value: Value?) {
        precondition(count < capacity, "there is room for an entry more")
        makeRoom(for: key.count)
        if let start = key.baseAddress { (bytes + byteCount).initialize(from: start, count: key.count) }
        (entries + count).initialize(to: Entry(hash: hash, start: byteCount, count: key.count, value: value))
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] >= 0 { place = (place + 1) & mask }
        places[place] = Int32(count)
        byteCount += key.count
        count += 1
    }

    private func makeRoom(for more: Int) {
        guard byteCount + more > byteCapacity else { return }
        byteCapacity = (byteCount + more) * 2
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: byteCapacity)
        larger.initialize(from: bytes, count: byteCount)
        bytes.deallocate()
        bytes = larger
    }

    /// The same values in other memory, without what was removed.
    func copy(capacity: Int) -> TableStorage {
        let copy = TableStorage(capacity: max(capacity, liveCount))
        for index in live { copy.insert(keyBytes(index), hash: entries[index].hash, entries[index].value) }
        return copy
    }
}

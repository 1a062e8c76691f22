import DBusTypes
import Glibc

/// Values by key, made for look-ups: keys compare by their bytes, as the daemon compares them, and nothing is retained on the way.
///
/// A Swift Dictionary of strings hashes with SipHash and compares with normalization, which together take longer than all else that a
/// read does. Here a hash is a multiplication for each eight bytes, over a secret of the process: whoever chooses keys can't choose
/// where they fall.
struct ValueTable {
    private struct Entry {
        let hash: UInt64
        let start: Int
        let count: Int
        /// Nil where the key was removed; it keeps its place until the table is made anew.
        var value: Value?
    }

    private static let secret = UInt64.random(in: 0...UInt64.max) | 1

    /// The bytes of all keys.
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// Places of entries by hash, with open addressing; -1 where there is none.
    ///
    /// As many as a power of two, at most half of them taken.
    private var places: [Int32]

    /// An empty table with room for so many keys.
    init(capacity: Int = 0) {
        var size = 8
        while size < capacity * 2 { size *= 2 }
        places = [Int32](repeating: -1, count: size)
        entries.reserveCapacity(capacity)
    }

    /// Takes the entries of an `a{sv}` out of their variants; of a key that comes twice the last one.
    init(_ dictionary: [DictionaryValue.Entry]) {
        self.init(capacity: dictionary.count)
        for entry in dictionary {
            if case .string(let key) = entry.key, case .variant(let value) = entry.value { self[MirrorKey(key)] = value }
        }
    }

    /// The value of a key.
    subscript(_ key: MirrorKey) -> Value? {
        get {
            var text = key.text
            return text.withUTF8 { key in find(key, Self.hash(key)).flatMap { entries[$0].value } }
        }
        set {
            var text = key.text
            text.withUTF8 { key in
                let hash = Self.hash(key)
                if let index = find(key, hash) {
                    entries[index].value = newValue
                } else if let newValue {
                    insert(key, hash, newValue)
                }
            }
        }
    }

    /// All keys that have a value, in the order in which they came.
    var keys: [MirrorKey] { entries.filter { $0.value != nil }.map(key) }

    /// All values by key.
    var dictionary: [MirrorKey: Value] {
        var dictionary: [MirrorKey: Value] = [:]
        for entry in entries { dictionary[key(entry)] = entry.value }
        return dictionary
    }

    private func key(_ entry: Entry) -> MirrorKey {
        MirrorKey(String(decoding: bytes[entry.start..<entry.start + entry.count], as: UTF8.self))
    }

    private func find(_ key: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> Int? {
        places.withUnsafeBufferPointer { places in
            entries.withUnsafeBufferPointer { entries in
                bytes.withUnsafeBufferPointer { bytes in
                    let mask = places.count - 1
                    var place = Int(truncatingIfNeeded: hash) & mask
                    while places[place] >= 0 {
                        let index = Int(places[place])
                        if entries[index].hash == hash, entries[index].count == key.count,
                            Self.areEqual(bytes.baseAddress, entries[index].start, key)
                        {
                            return index
                        }
                        place = (place + 1) & mask
                    }
                    return nil
                }
            }
        }
    }

    private static func areEqual(_ bytes: UnsafePointer<UInt8>?, _ start: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let bytes, let pointer = key.baseAddress else { return key.isEmpty }
        return memcmp(bytes + start, pointer, key.count) == 0
    }

    private mutating func insert(_ key: UnsafeBufferPointer<UInt8>, _ hash: UInt64, _ value: Value) {
        if (entries.count + 1) * 2 > places.count { grow() }
        entries.append(Entry(hash: hash, start: bytes.count, count: key.count, value: value))
        bytes.append(contentsOf: key)
        put(entries.count - 1)
    }

    private mutating func put(_ index: Int) {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: entries[index].hash) & mask
        while places[place] >= 0 { place = (place + 1) & mask }
        places[place] = Int32(index)
    }

    /// Makes room, and lets go of what was removed.
    private mutating func grow() {
        let old = self
        let kept = old.entries.filter { $0.value != nil }
        self = ValueTable(capacity: kept.count * 2 + 1)
        for entry in kept {
            entries.append(Entry(hash: entry.hash, start: bytes.count, count: entry.count, value: entry.value))
            bytes.append(contentsOf: old.bytes[entry.start..<entry.start + entry.count])
            put(entries.count - 1)
        }
    }

    private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let key = UnsafeRawBufferPointer(key)
        var hash = secret ^ UInt64(truncatingIfNeeded: key.count)
        var offset = 0
        while offset + 8 <= key.count {
            hash = mix(hash ^ key.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < key.count {
            rest = rest << 8 | UInt64(key[offset])
            offset += 1
        }
        return mix(hash ^ rest)
    }

    /// The two halves of a 128-bit product, folded: every bit of the input reaches the low bits, which choose the place.
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ secret).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}

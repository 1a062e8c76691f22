public import DBusTypes
import DefaultsInterface
public import FoundationEssentials

/// The names that `UserDefaults` has, so that moving a program is a search and replace.
///
/// One thing differs on purpose: what is absent, or can't be converted without a loss, is nil and not 0 or false (P14). Write
/// `defaults.integer(forKey: "count") ?? 0` where that is meant.
extension Defaults {
    // MARK: Reading

    /// The value as it is stored; nil where there is none.
    public func object(forKey name: String) -> Value? { domain.read(HashedKey(name)).value }

    /// A text, or a number as Swift writes it.
    public func string(forKey name: String) -> String? { object(forKey: name)?.convertedToString }

    /// An integer whose number fits, a double that is whole, a text that is an integer in decimal, a Boolean as 1 or 0.
    public func integer(forKey name: String) -> Int? { object(forKey: name)?.convertedToInt }

    /// A double, an integer that a double holds exactly, a text that is a number.
    public func double(forKey name: String) -> Double? { object(forKey: name)?.convertedToDouble }

    /// As ``double(forKey:)``, where the number is one that a Float holds, or is nearest to one.
    public func float(forKey name: String) -> Float? {
        guard let number = double(forKey: name) else { return nil }
        let result = Float(number)
        return result.isFinite || !number.isFinite ? result : nil
    }

    /// A Boolean, the integers 1 and 0, the texts true, yes, 1 and false, no, 0 in any case.
    public func bool(forKey name: String) -> Bool? { object(forKey: name)?.convertedToBool }

    /// The elements of an array.
    public func array(forKey name: String) -> [Value]? { object(forKey: name)?.convertedToArray }

    /// The elements of an array of texts; nil where one of them is none.
    public func stringArray(forKey name: String) -> [String]? {
        guard let value = object(forKey: name) else { return nil }
        return try? [String].decoded(from: value)
    }

    /// The entries of a dictionary with texts for keys.
    public func dictionary(forKey name: String) -> [String: Value]? { object(forKey: name)?.convertedToDictionary }

    /// The bytes of an `ay`.
    public func data(forKey name: String) -> Data? { decoded(name) }

    /// A text that is a URL; one without a scheme is the path of a file.
    public func url(forKey name: String) -> URL? {
        guard case .string(let text)? = object(forKey: name) else { return nil }
        return text.hasPrefix("/") ? URL(filePath: text) : URL(string: text)
    }

    private func decoded<Content: DefaultsValue>(_ name: String) -> Content? {
        guard let value = object(forKey: name) else { return nil }
        return try? Content.decoded(from: value)
    }

    // MARK: Writing

    /// Sets a preference in the user's layer and returns at once, as ``set(_:for:)`` does; nil resets.
    @discardableResult
    public func set(_ value: (any DefaultsValue)?, forKey name: String) -> PendingWrite {
        if let value { set(value, named: name) } else { reset(named: name) }
    }

    /// Takes a preference's value out of the user's layer and returns at once, as ``reset(_:)`` does.
    @discardableResult
    public func removeObject(forKey name: String) -> PendingWrite { reset(named: name) }

    /// Gives preferences that have no other value these values: in the lowest layer, for every program, on disk.
    ///
    /// Unlike those of `UserDefaults` they stay; register again to change them. Returns at once; this process's next read sees them.
    @discardableResult
    public func register(defaults values: [String: any DefaultsValue]) -> PendingWrite {
        var entries: [(String, Value)] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            do throws(ValueCodingError) {
                entries.append((name, try value.encoded()))
            } catch {
                return refuse(Array(values.keys), DefaultsError(error, key: name))
            }
        }
        return domain.write(
            entries.map { (MirrorKey($0.0), .fallback($0.1)) }, PreferencesInterface.registerDefaults,
            [.string(app), .vardict(entries)])
    }

    /// Waits until all that this process wrote before is on disk, 500 ms at most; false where it isn't by then.
    ///
    /// Call it before a program ends by `_exit`, or at the end of a short one: a write that has only been returned from is sent within
    /// moments by a thread of its own, and not at all where the process is gone by then. Nothing else needs it: readers see writes
    /// without, and `try await defaults.set(…).onDisk()` waits for a single one.
    @discardableResult
    public func synchronize() -> Bool {
        let domain = domain
        return link.runtime.wait(milliseconds: Link.deadline) { done in
            domain.write([], PreferencesInterface.synchronize, [], isRepeatable: false) { result in
                done((try? result.get()) != nil)
            }
        } ?? false
    }
}

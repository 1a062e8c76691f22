import DBusTypes
import DefaultsInterface

/// One write to a domain: what is asked of the daemon, and what it makes of the values.
enum Write {
    case set(String, Value)
    case increment(String)
    case apply([(String, Value)], reset: [String])
    case reset(String)

    /// Does to values what the daemon is to do to those in the store.
    func perform(on values: inout [String: Value]) {
        switch self {
        case .set(let key, let value): values[key] = value
        case .increment(let key): values[key] = .int64((values[key]?.get(as: Int64.self) ?? 0) + 1)
        case .apply(let set, let reset):
            for (key, value) in set { values[key] = value }
            for key in reset { values[key] = nil }
        case .reset(let key): values[key] = nil
        }
    }

    /// The method and its arguments.
    func call(_ domain: String) -> (MemberName, [Value]) {
        switch self {
        case .set(let key, let value): (PreferencesInterface.set, [.string(domain), .string(key), .variant(value)])
        case .increment(let key): (PreferencesInterface.increment, [.string(domain), .string(key), .int64(1)])
        case .apply(let set, let reset):
            (PreferencesInterface.apply, [.string(domain), .vardict(set), .array(reset), .uint64(0)])
        case .reset(let key): (PreferencesInterface.reset, [.string(domain), .string(key)])
        }
    }
}

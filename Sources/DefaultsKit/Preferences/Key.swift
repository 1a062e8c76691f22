/// Where an application's keys stand: extend it with static members, and `.theme` names one wherever a key is asked for.
///
///     extension Keys {
///         static let theme = Key<Theme>("theme", default: .light)
///         static let recent = Key<[URL]>("recent-files", default: [])
///         static let size = Key<Size?>("window-size")
///     }
///
///     defaults[.theme] = .dark
///     defaults[.theme] = 3        // doesn't compile
public class Keys: @unchecked Sendable {
    // Open to no other module, and all that the one subclass has never changes.
    init() {}
}

/// A preference: its name, the type of its value, and what an absent one is read as.
///
/// Make it once, as a static member of ``Keys``. The default is this program's own and isn't stored; for one that other programs see
/// too there is ``Defaults/register(defaults:)``.
public final class Key<Value: DefaultsValue>: Keys, @unchecked Sendable {
    // All of it is constant.

    /// The key as the daemon has it: 1–255 bytes of UTF-8 without control characters.
    public let name: String
    /// What an absent preference is read as.
    public let defaultValue: Value
    let hashed: HashedKey

    /// Names a preference; a name that breaks the rule makes each write fail with `invalidName`, and each read absent.
    public init(_ name: String, default defaultValue: Value) {
        self.name = name
        self.defaultValue = defaultValue
        hashed = HashedKey(name)
    }
}

extension Key {
    /// Names a preference that is nil where it is absent; setting nil resets it.
    public convenience init<Wrapped>(_ name: String) where Value == Wrapped? { self.init(name, default: nil) }
}

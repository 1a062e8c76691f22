import DBusTypes

/// One entry that a dictionary of type `a{sv}` has or may have.
public struct DictionaryEntry: Hashable, Sendable {
    /// The entry's key.
    public let name: String
    /// The type of its value.
    ///
    /// In what a client sends, an integer of any width is taken if its value fits.
    public let type: DBusType
    /// What it means, its unit and what is assumed where it is left out.
    public let documentation: String

    /// Describes an entry; `type` is a single complete type in D-Bus notation, anything else is a bug and traps.
    init(_ name: String, _ type: String, _ documentation: String) {
        self.name = name
        self.type = ArgumentDescription(name, type).type
        self.documentation = documentation
    }
}

/// The documentation of a dictionary as a whole: a sentence, then its entries, each with its type.
func documentation(_ sentence: String, _ entries: [DictionaryEntry]) -> String {
    sentence + " Entries: " + entries.map { "\($0.name) (\($0.type.text)): \($0.documentation)" }.joined(separator: "; ") + "."
}

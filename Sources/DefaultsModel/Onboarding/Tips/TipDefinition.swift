import DBusTypes

/// A tip as an application or its manifest defines it, checked.
public struct TipDefinition: Hashable, Sendable {
    /// The definition as given, an `a{sv}`.
    public let entries: DictionaryValue
    /// The revision of its content (G4).
    public let revision: UInt32

    /// Reads and checks an `a{sv}`; throws `InvalidArgument` naming the entry by its path.
    public init(_ definition: DictionaryValue) throws(ModelError) {
        let reader = try OptionReader(definition, argument: "definition", known: nil)
        entries = definition
        revision = UInt32(try reader.integer("revision", in: 1...UInt64(UInt32.max), default: 1, unit: ""))
    }
}

import DBusTypes

/// A connection, by a name that means the same after a restart of the daemon (S1).
public struct ConnectionName: Hashable, Sendable {
    /// The GUID of the bus: another bus hands out the same unique names.
    public let bus: String
    /// The unique name.
    public let name: BusName

    /// Names a connection.
    public init(bus: String, name: BusName) {
        self.bus = bus
        self.name = name
    }
}

extension ConnectionName {
    /// The entries of a record that names it.
    var stored: [(String, Value)] { [("bus", .string(bus)), ("owner", .string(name.text))] }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored entries: DictionaryValue) {
        guard let bus = entries["bus"]?.get(as: String.self),
            let name = entries["owner"]?.get(as: String.self).flatMap(BusName.init), name.isUnique
        else { return nil }
        self.init(bus: bus, name: name)
    }
}

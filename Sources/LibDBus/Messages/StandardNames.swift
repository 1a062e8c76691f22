import DBusTypes

extension BusName {
    /// The bus itself.
    public static let bus: BusName = "org.freedesktop.DBus"
}

extension ObjectPath {
    /// The bus's object.
    public static let bus: ObjectPath = "/org/freedesktop/DBus"
}

extension InterfaceName {
    /// The bus's interface.
    public static let bus: InterfaceName = "org.freedesktop.DBus"
    /// Where libdbus tells of itself; no message on the wire can have it.
    static let local: InterfaceName = "org.freedesktop.DBus.Local"
}

extension MemberName {
    static let nameOwnerChanged: MemberName = "NameOwnerChanged"
}

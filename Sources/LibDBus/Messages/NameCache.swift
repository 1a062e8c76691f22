import DBusTypes
import Glibc

/// The name that came last in one place of a message's header.
///
/// Calls come in runs: the same caller, object and interface. Comparing with the last is cheaper than a new string a message.
struct NameCache<Name: WireName> {
    private var last: Name?

    /// The name in a header field, nil where the field is absent.
    mutating func name(_ text: UnsafePointer<CChar>?) -> Name? {
        guard let text else { return nil }
        if let last, last.text.isEqual(to: text) { return last }
        let name = Name(unchecked: String(cString: text))
        last = name
        return name
    }
}

/// A name that libdbus has checked when it comes out of a message.
protocol WireName: ValidatedName {
    init(unchecked text: String)
}

extension ObjectPath: WireName {}
extension BusName: WireName {}
extension InterfaceName: WireName {}
extension MemberName: WireName {}

/// The header fields of the last call.
struct HeaderCache {
    var paths = NameCache<ObjectPath>()
    var interfaces = NameCache<InterfaceName>()
    var members = NameCache<MemberName>()
    var senders = NameCache<BusName>()
}

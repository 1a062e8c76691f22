import DBusTypes

/// The interfaces that every object has, described as any other.
enum StandardInterfaces {
    static let peer = InterfaceTable(
        InterfaceDescription(
            "org.freedesktop.DBus.Peer", "Whether the process is there, and on which machine.",
            methods: [
                MethodDescription("Ping", "Answers with nothing."),
                MethodDescription(
                    "GetMachineId",
                    out: [
                        ArgumentDescription(
                            "machine_uuid", "s", "32 hexadecimal digits, the same for all processes of a machine.")
                    ],
                    "Which machine the process runs on."),
            ]))

    static let introspectable = InterfaceTable(
        InterfaceDescription(
            "org.freedesktop.DBus.Introspectable", "What the object is.",
            methods: [
                MethodDescription(
                    "Introspect", out: [ArgumentDescription("xml_data", "s", "The object's interfaces and the nodes below it.")],
                    "Describes the object.")
            ]))

    static let properties = InterfaceTable(
        InterfaceDescription(
            "org.freedesktop.DBus.Properties", "The properties of the object's other interfaces.",
            methods: [
                MethodDescription(
                    "Get",
                    in: [
                        ArgumentDescription("interface_name", "s", "Empty for any that has the property."),
                        ArgumentDescription("property_name", "s"),
                    ],
                    out: [ArgumentDescription("value", "v")], "The value of one property."),
                MethodDescription(
                    "GetAll", in: [ArgumentDescription("interface_name", "s", "Empty for all interfaces.")],
                    out: [ArgumentDescription("props", "a{sv}")], "The values of all properties of an interface."),
                MethodDescription(
                    "Set",
                    in: [
                        ArgumentDescription("interface_name", "s"), ArgumentDescription("property_name", "s"),
                        ArgumentDescription("value", "v"),
                    ], "Always PropertyReadOnly: what changes state is a method."),
            ],
            signals: [
                SignalDescription(
                    "PropertiesChanged",
                    [
                        ArgumentDescription("interface_name", "s"), ArgumentDescription("changed_properties", "a{sv}"),
                        ArgumentDescription("invalidated_properties", "as"),
                    ], "Not sent for properties whose EmitsChangedSignal is const or false.")
            ]))
}

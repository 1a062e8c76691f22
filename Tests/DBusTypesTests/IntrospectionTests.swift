import DBusTypes
import Glibc
import Testing

@Suite("Introspection text")
struct IntrospectionTests {
    private let description = InterfaceDescription(
        "org.example.Thing", "For <all> & \"sundry\".",
        methods: [
            MethodDescription(
                "Do", in: [ArgumentDescription("what", "a{sv}", "What.\nAnd how.")], out: [ArgumentDescription("done", "b")],
                "Does it.")
        ],
        signals: [SignalDescription("Done", [ArgumentDescription("what", "s")], "It is done.")],
        properties: [
            PropertyDescription("State", "s", changeSignal: .none, "One word."),
            PropertyDescription("Version", "s", changeSignal: .const, ""),
        ])

    @Test("an interface is written with names, types, directions, documentation and what is said of changes")
    func element() {
        #expect(
            description.interfaceXML == """
                  <interface name="org.example.Thing">
                    <annotation name="org.gtk.GDBus.DocString" value="For &lt;all&gt; &amp; &quot;sundry&quot;."/>
                    <method name="Do">
                      <annotation name="org.gtk.GDBus.DocString" value="Does it."/>
                      <arg name="what" type="a{sv}" direction="in">
                        <annotation name="org.gtk.GDBus.DocString" value="What. And how."/>
                      </arg>
                      <arg name="done" type="b" direction="out"/>
                    </method>
                    <signal name="Done">
                      <annotation name="org.gtk.GDBus.DocString" value="It is done."/>
                      <arg name="what" type="s"/>
                    </signal>
                    <property name="State" type="s" access="read">
                      <annotation name="org.gtk.GDBus.DocString" value="One word."/>
                      <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
                    </property>
                    <property name="Version" type="s" access="read">
                      <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
                    </property>
                  </interface>

                """)
    }

    @Test("the document is valid against the specification's DTD")
    func validity() throws {
        let document = IntrospectionXML.document(interfaces: [description.interfaceXML], children: ["a", "b_1"])
        let validator = try #require(popen("xmllint --noout --dtdvalid /usr/share/xml/dbus-1/introspect.dtd -", "w"))
        fputs(document, validator)
        #expect(pclose(validator) == 0)
    }
}

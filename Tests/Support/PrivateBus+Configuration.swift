extension PrivateBus {
    /// The text of the bus's configuration file.
    static func configuration(_ kind: Kind, socket: String, services: String) throws -> String {
        switch kind {
        case .session: sessionConfiguration(socket: socket, services: services)
        case .system(let policies): try systemConfiguration(socket: socket, services: services, policies: policies)
        }
    }

    /// As the distribution's session.conf, with one address and one folder of activation files.
    private static func sessionConfiguration(socket: String, services: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <keep_umask/>
          <listen>unix:path=\(socket)</listen>
          <auth>EXTERNAL</auth>
          <servicedir>\(services)</servicedir>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
          <limit name="max_incoming_bytes">1000000000</limit>
          <limit name="max_outgoing_bytes">1000000000</limit>
          <limit name="max_message_size">1000000000</limit>
          <limit name="service_start_timeout">120000</limit>
          <limit name="max_completed_connections">100000</limit>
          <limit name="max_incomplete_connections">10000</limit>
          <limit name="max_connections_per_user">100000</limit>
          <limit name="max_match_rules_per_connection">50000</limit>
          <limit name="max_replies_per_connection">50000</limit>
        </busconfig>

        """
    }

    /// The distribution's file without what needs root's folders or belongs to the real bus; it has one element a line.
    private static func systemConfiguration(socket: String, services: String, policies: [String]) throws -> String {
        let unwanted = [
            "<user>", "<fork/>", "<standard_system_servicedirs/>", "<servicehelper>", "<pidfile>", "<syslog/>", "<include ",
            "<includedir>", "<listen>",
        ]
        let end = "</busconfig>"
        let lines = try String(contentsOfFile: "/usr/share/dbus-1/system.conf").split(separator: "\n").filter { line in
            !(unwanted + [end]).contains { line.contains($0) }
        }
        let own = ["<listen>unix:path=\(socket)</listen>", "<servicedir>\(services)</servicedir>"]
        return (lines.map(String.init) + own + policies.map { "<includedir>\($0)</includedir>" } + [end, ""])
            .joined(separator: "\n")
    }
}

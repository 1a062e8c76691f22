import Glibc

/// Where the daemon keeps its store.
enum Paths {
    /// The folder of the store: the option, what systemd gives, or the place that the mode has by custom.
    ///
    /// Nil where neither the environment nor the user database knows a home.
    static func store(_ options: DaemonOptions, environment: (String) -> String?) -> String? {
        if let store = options.store { return store }
        switch options.mode {
        case .session:
            if let directory = firstOfList(environment("CONFIGURATION_DIRECTORY")) ?? firstOfList(environment("STATE_DIRECTORY"))
            {
                return directory
            }
            if let config = environment("XDG_CONFIG_HOME"), config.hasPrefix("/") { return config + "/defaultsd" }
            return home(environment).map { $0 + "/.config/defaultsd" }
        case .system:
            return firstOfList(environment("STATE_DIRECTORY")) ?? "/var/lib/defaultsd"
        }
    }

    /// The value of a variable in the daemon's own environment; nil where it is unset or empty.
    static func environmentVariable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// systemd joins several folders by colons.
    private static func firstOfList(_ list: String?) -> String? {
        list?.split(separator: ":").first.map(String.init)
    }

    private static func home(_ environment: (String) -> String?) -> String? {
        if let home = environment("HOME"), home.hasPrefix("/") { return home }
        guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return nil }
        return String(cString: home)
    }
}

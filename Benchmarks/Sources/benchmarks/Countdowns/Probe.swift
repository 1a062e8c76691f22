import DBusTypes
import Glibc
import Harness
import LibDBus

/// What other callers feel meanwhile: one `Get` after another, run as a process of its own.
enum Probe {
    /// Calls until killed, `interval` microseconds apart, and prints of each answer when it came, of CLOCK_BOOTTIME in
    /// nanoseconds, and how many microseconds it took.
    static func run(_ address: String, _ service: BusName, interval: UInt32) throws {
        let connection = try BusConnection(address: address)
        let arguments: [Value] = [.string("org.example.App"), .string("font-size")]
        let path: ObjectPath = "/org/defaultsd1"
        let interface: InterfaceName = "org.defaultsd1.Preferences"
        if service == "org.defaultsd1" {
            _ = try connection.call(service, path, interface, "Set", arguments + [.variant(.int64(14))])
        }
        while true {
            let start = boottime()
            _ = try connection.call(service, path, interface, "Get", arguments)
            // At once, since the end comes by a signal.
            let end = boottime()
            let line = Array("\(end) \((end - start) / 1_000)\n".utf8)
            guard write(STDOUT_FILENO, line, line.count) == line.count else { return }
            usleep(interval)
        }
    }
}

import Glibc

/// A session bus of a benchmark's own, and a folder that goes with it.
public final class PrivateBus {
    /// Where it listens.
    public let address: String
    /// A folder for what is measured.
    public let folder: String
    /// The dbus-daemon.
    public let process: ChildProcess

    /// Starts a bus, which listens when this returns.
    public init() throws {
        var template = Array("/tmp/defaultsd-benchmark.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchmarkFailure("mkdtemp: \(String(cString: strerror(errno)))") }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        process = try ChildProcess([
            "dbus-daemon", "--session", "--nofork", "--print-address=1", "--address=unix:path=\(folder)/bus",
        ])
        guard let address = process.readLine() else { throw BenchmarkFailure("dbus-daemon has ended before it listened") }
        self.address = address
    }

    deinit {
        // What can't be removed stays in /tmp, and changes no figure.
        try? ChildProcess(["rm", "-rf", folder]).wait()
    }
}

import Glibc

/// A session bus of a benchmark's own, and a folder that goes with it: the home of all that is started on it.
public final class PrivateBus {
    /// Where it listens.
    public let address: String
    /// A folder for what is measured, on a disk: below /var/tmp.
    public let folder: String
    /// What programs must have in their environment to be on this bus and to keep their files in the folder.
    public let environment: [String: String]
    /// The dbus-daemon.
    public let process: ChildProcess
    private var children: [ChildProcess] = []
    /// What others hold, and may hold longer than the bus.
    private var borrowed: [Borrowed] = []

    /// Starts a bus, which listens when this returns and can start `services`: commands by the names that they will own.
    public init(services: [String: String] = [:]) throws {
        var template = Array("/var/tmp/defaultsd-benchmark.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchmarkFailure("mkdtemp: \(String(cString: strerror(errno)))") }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let address = "unix:path=\(folder)/bus"
        self.folder = folder
        for name in ["/config", "/data", "/data/dbus-1", "/data/dbus-1/services", "/run"] { mkdir(folder + name, 0o700) }
        for (name, command) in services {
            guard let file = fopen("\(folder)/data/dbus-1/services/\(name).service", "we") else {
                throw BenchmarkFailure("no service file can be written in \(folder)")
            }
            fputs("[D-BUS Service]\nName=\(name)\nExec=\(command.replacingPlaceholder(with: folder))\n", file)
            fclose(file)
        }
        environment = [
            "HOME": folder, "XDG_CONFIG_HOME": folder + "/config", "XDG_DATA_HOME": folder + "/data",
            "XDG_RUNTIME_DIR": folder + "/run", "XDG_CACHE_HOME": folder + "/run", "DBUS_SESSION_BUS_ADDRESS": address,
            "SWIFT_BACKTRACE": "enable=no",
        ]
        process = try ChildProcess(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1", "--address=\(address)"], environment: environment,
            errors: folder + "/bus.log")
        guard let printed = process.readLine() else { throw BenchmarkFailure("dbus-daemon has ended before it listened") }
        self.address = printed
    }

    /// A program that isn't kept running by being remembered.
    private struct Borrowed {
        weak var child: ChildProcess?
    }

    /// Starts a program on this bus, which ends with it at the latest; what it says on standard error goes into the folder.
    public func start(_ words: [String]) throws -> ChildProcess {
        let child = try ChildProcess(words, environment: environment, errors: folder + "/errors.log")
        borrowed.append(Borrowed(child: child))
        return child
    }

    /// Starts a program on this bus that is ended with it.
    public func startServer(_ words: [String]) throws -> ChildProcess {
        let server = try start(words)
        children.append(server)
        return server
    }

    /// Starts a peer that serves samples, and waits until it can be asked; it is ended with the bus.
    @discardableResult
    public func startPeer(_ words: [String]) throws -> ChildProcess {
        let peer = try ChildProcess(words, environment: environment)
        children.append(peer)
        guard peer.readLine() == "" else { throw BenchmarkFailure("\(words[0]) has ended before it could be asked") }
        return peer
    }

    deinit {
        // First, or they would write on.
        children = []
        for other in borrowed { other.child?.end() }
        process.end()
        // What can't be removed stays there, and changes no figure.
        _ = try? ChildProcess(["rm", "-rf", folder]).wait()
    }
}

extension String {
    /// The text with `FOLDER` replaced, which a bus's folder is not known for before it is made.
    fileprivate func replacingPlaceholder(with folder: String) -> String {
        var rest = self[...]
        var result = ""
        while let place = rest.firstRange(of: "FOLDER") {
            result += rest[..<place.lowerBound] + folder
            rest = rest[place.upperBound...]
        }
        return result + rest
    }
}

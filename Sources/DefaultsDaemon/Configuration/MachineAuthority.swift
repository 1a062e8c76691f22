import DBusTypes
import DefaultsInterface
import DefaultsManifest
import DefaultsModel
import LibDBus

/// Says who may change what holds for every user of the machine: root, and whom polkit allows it.
final class MachineAuthority {
    /// Which bus the callers are on, which is how polkit is told of them.
    enum CallersBus {
        case system
        case session
    }

    private static let polkit: BusName = "org.freedesktop.PolicyKit1"
    /// How long a person may take to type a password, in milliseconds.
    private static let patience = 300_000
    /// CheckAuthorizationFlags: the agent may ask.
    private static let allowUserInteraction: UInt32 = 1

    private let connection: BusConnection
    private let loop: any Loop
    private let callersBus: CallersBus
    private var systemBus: BusConnection?

    init(connection: BusConnection, loop: any Loop, callersBus: CallersBus) {
        self.connection = connection
        self.loop = loop
        self.callersBus = callersBus
        if callersBus == .system { systemBus = connection }
    }

    /// Decides on one call; `completion` gets nil where it is allowed.
    func decide(_ call: IncomingCall, completion: @escaping (ModelError?) -> Void) {
        connection.credentials(of: call.sender) { [self] result in
            switch result {
            case .success(let credentials) where credentials.userID == 0: completion(nil)
            case .success(let credentials): ask(call, credentials, completion)
            case .failure(let error): completion(Self.denied("the bus doesn't say who \(call.sender) is (\(error.message))"))
            }
        }
    }

    private func ask(_ call: IncomingCall, _ credentials: Credentials, _ completion: @escaping (ModelError?) -> Void) {
        let bus: BusConnection
        do throws(DBusError) {
            bus = try systemConnection()
        } catch {
            return completion(Self.denied("user \(credentials.userID) is not root, and there is no system bus with polkit on it"))
        }
        guard let subject = subject(call, credentials) else {
            return completion(Self.denied("the process behind \(call.sender) is not known"))
        }
        let flags = call.allowsInteraction ? Self.allowUserInteraction : 0
        let details = Value.dictionary(DictionaryValue(unchecked: [], key: .string, value: .string))
        bus.send(
            Self.polkit, "/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.PolicyKit1.Authority", "CheckAuthorization",
            [subject, .string(MachineInterface.action), details, .uint32(flags), .string("")], timeout: Self.patience
        ) { result in
            switch result {
            case .success(let reply):
                // Whether it is, whether it would be if asked interactively, and details.
                guard case .structure(let fields)? = reply.first, fields.first == .boolean(true) else {
                    return completion(
                        Self.denied("polkit doesn't allow user \(credentials.userID) the action \(MachineInterface.action)"))
                }
                completion(nil)
            case .failure(let error):
                completion(
                    Self.denied("user \(credentials.userID) is not root, and polkit can't be asked (\(error.message))"))
            }
        }
    }

    /// The bus on which polkit is; the daemon of a session connects when it first has to ask.
    private func systemConnection() throws(DBusError) -> BusConnection {
        if let systemBus, systemBus.isConnected { return systemBus }
        let bus = try BusConnection(bus: .system)
        bus.attach(to: loop)
        systemBus = bus
        return bus
    }

    /// The caller as polkit wants it: by name on its own bus, by process on a session's.
    private func subject(_ call: IncomingCall, _ credentials: Credentials) -> Value? {
        switch callersBus {
        case .system: return .structure([.string("system-bus-name"), .vardict([("name", .string(call.sender.text))])])
        case .session:
            // The process had better be the one that connected: its start is part of its name.
            guard let process = credentials.processID, let start = Self.startTime(of: process) else { return nil }
            return .structure([
                .string("unix-process"),
                .vardict([
                    ("pid", .uint32(process)), ("start-time", .uint64(start)),
                    ("uid", .int32(Int32(bitPattern: credentials.userID))),
                ]),
            ])
        }
    }

    /// Field 22 of /proc/PID/stat, in clock ticks since boot; the name before it may have spaces and parentheses.
    private static func startTime(of process: UInt32) -> UInt64? {
        guard let bytes = try? TextFile.read("/proc/\(process)/stat"), let end = bytes.lastIndex(of: UInt8(ascii: ")")) else {
            return nil
        }
        let fields = bytes[bytes.index(after: end)...].split(separator: UInt8(ascii: " "))
        // The third field of the file is the first here.
        return fields.count > 19 ? UInt64(String(decoding: fields[19], as: UTF8.self)) : nil
    }

    private static func denied(_ reason: String) -> ModelError {
        ModelError(.accessDenied, "Only an administrator may change what holds for the whole machine: \(reason).")
    }
}

import DBusTypes
import DefaultsInterface
import Support

/// An application in a sandbox, on a bus: each call is a process and a connection of its own.
struct SandboxedApp {
    private let bus: PrivateBus
    private let root: SandboxRoot

    init(_ name: String, on bus: PrivateBus) throws { try self.init(.app(name), on: bus) }

    init(_ info: SandboxRoot.Info, on bus: PrivateBus) throws {
        self.bus = bus
        root = try SandboxRoot(info)
    }

    /// Runs busctl(1) in the sandbox.
    func busctl(_ words: [String]) throws -> Command.Result {
        try root.run("busctl", ["--address=\(bus.address)"] + words, environment: bus.environment.variables)
    }

    /// Calls a method of the daemon; `words` are a signature and values, as busctl(1) has them.
    func call(
        _ interface: InterfaceName, _ member: MemberName, _ words: [String] = [], at path: ObjectPath = WellKnown.rootPath
    ) throws -> Command.Result {
        try busctl(["call", WellKnown.busName.text, path.text, interface.text, member.text] + words)
    }

    /// Calls a method of `Preferences`.
    func preferences(_ member: MemberName, _ words: String...) throws -> Command.Result {
        try call(PreferencesInterface.name, member, words)
    }

    /// Sends a Set, and is gone without waiting for the answer.
    func setAndLeave(_ domain: String, _ key: String) throws {
        let result = try root.run(
            "dbus-send",
            [
                "--bus=\(bus.address)", "--dest=\(WellKnown.busName)", "--type=method_call", WellKnown.rootPath.text,
                "\(PreferencesInterface.name).\(PreferencesInterface.set)", "string:\(domain)", "string:\(key)",
                "variant:string:value",
            ], environment: bus.environment.variables)
        guard result.code == 0 else { throw TestFailure("dbus-send: \(result)") }
    }
}

extension Command.Result {
    /// Whether the answer was AccessDenied, for which busctl(1) has words of its own.
    var isAccessDenied: Bool { code == 1 && errors.contains("Access denied") }
}

extension MethodDescription {
    /// A signature and values for busctl(1), every string being `text`; nil where there is a descriptor, which it can't send.
    func words(_ text: String) -> [String]? {
        var words: [String] = []
        for input in inputs {
            switch input.type.text {
            case "s": words.append(text)
            case "v": words += ["s", text]
            case "as", "a{sv}": words.append("0")
            case "t", "u", "x", "i": words.append("1")
            default: return nil
            }
        }
        return words.isEmpty ? [] : [inputs.map(\.type.text).joined()] + words
    }
}

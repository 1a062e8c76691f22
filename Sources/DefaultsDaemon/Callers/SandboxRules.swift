import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// What an application in a sandbox may call of one interface (P15), read off the interface's description.
///
/// A method that names an application or domain may name the caller's own. One that names none is refused unless it is listed here, so that a new method is
/// closed to sandboxes until someone has thought about it.
struct SandboxRules {
    private enum Rule {
        case refused
        case open
        /// The argument of that number must be the caller's own application.
        case ownApp(Int)
        /// The same, or `global`.
        case ownAppOrGlobal(Int)
    }

    /// Interfaces with nothing for an application in a sandbox but what is listed.
    private static let closed: [InterfaceName: Set<MemberName>] = [
        AdminInterface.name: ["Explain"], MachineInterface.name: [], TestClockInterface.name: [],
    ]

    /// Methods that name no application, and that keep to the caller's own by themselves.
    private static let open: [InterfaceName: Set<MemberName>] = [
        PreferencesInterface.name: [PreferencesInterface.listDomains, PreferencesInterface.synchronize],
        CountdownsInterface.name: [CountdownsInterface.start, CountdownsInterface.list],
        // The objects of others can't be reached.
        CountdownInterface.name: Set(CountdownInterface.description.methods.map(\.name)),
    ]

    /// Methods that read, and may be told of `global`, which every look-up falls through to.
    private static let readers: Set<MemberName> = [
        PreferencesInterface.get, PreferencesInterface.getAll, PreferencesInterface.listKeys, PreferencesInterface.listLocked,
        PreferencesInterface.describe, PreferencesInterface.watch, PreferencesInterface.unwatch,
    ]

    /// Whether the interface's properties may be read.
    let allowsProperties: Bool
    private let rules: [MemberName: Rule]

    /// Makes the rules of an interface.
    init(_ interface: InterfaceDescription) {
        allowsProperties = interface.name == CountdownInterface.name
        rules = Dictionary(uniqueKeysWithValues: interface.methods.map { ($0.name, Self.rule($0, of: interface.name)) })
    }

    private static func rule(_ method: MethodDescription, of interface: InterfaceName) -> Rule {
        if let members = closed[interface], !members.contains(method.name) { return .refused }
        if open[interface]?.contains(method.name) == true { return .open }
        if let index = method.inputs.firstIndex(where: { $0.name == "domain" || $0.name == "app" }) {
            let isReader = interface == PreferencesInterface.name && readers.contains(method.name)
            return isReader ? .ownAppOrGlobal(index) : .ownApp(index)
        }
        // Whose run it is shows in the caller's turn: RequestRouter.withRun, the only way to a run, looks at that.
        return method.inputs.contains { $0.name == "run" } ? .open : .refused
    }

    /// Why `app` may not make a call; nil where it may.
    func refusal(of call: IncomingCall, by app: DomainName) -> ModelError? {
        switch rules[call.member] ?? .refused {
        case .open: return nil
        case .refused: return Self.refused("\(call.interface).\(call.member)", app)
        case .ownApp(let index):
            let named = call.arguments[index].get(as: String.self) ?? ""
            return named == app.text ? nil : Self.refused(named, app, "it may name only its own")
        case .ownAppOrGlobal(let index):
            let named = call.arguments[index].get(as: String.self) ?? ""
            return named == app.text || named == DomainName.global.text
                ? nil : Self.refused(named, app, "it may read only its own and \"global\"")
        }
    }

    /// The error for what a sandboxed application may not call at all.
    static func refused(_ what: String, _ app: DomainName) -> ModelError {
        ModelError(.accessDenied, "\"\(app)\" is in a sandbox, which may not use \(what).")
    }

    private static func refused(_ named: String, _ app: DomainName, _ rule: String) -> ModelError {
        ModelError(.accessDenied, "\"\(app)\" is in a sandbox; \(rule), and not \"\(named.forMessage)\".")
    }
}

import DBusTypes
import DefaultsInterface
import DefaultsManifest
import DefaultsModel
import LibDBus

/// `org.defaultsd1.Machine`: what the administrator suggests or imposes, kept in configuration files.
final class MachineHandler: InterfaceHandler {
    let description = MachineInterface.description
    private let router: RequestRouter
    private let authority: MachineAuthority
    private let configuration: Configuration

    init(router: RequestRouter, authority: MachineAuthority, configuration: Configuration) {
        self.router = router
        self.authority = authority
        self.configuration = configuration
    }

    func handle(_ call: IncomingCall) {
        do throws(ModelError) {
            switch call.member {
            case MachineInterface.setDefault: try set(call, in: .defaults)
            case MachineInterface.setMandatory: try set(call, in: .mandatory)
            case MachineInterface.resetDefault: try reset(call, in: .defaults)
            case MachineInterface.resetMandatory: try reset(call, in: .mandatory)
            case MachineInterface.reload: perform(call) {}
            default: preconditionFailure("\(call.member) is described and not served")
            }
        } catch {
            call.fail(DBusError(error))
        }
    }

    private func set(_ call: IncomingCall, in kind: ConfigurationFile.Kind) throws(ModelError) {
        let arguments = Arguments(call)
        let domain = try arguments.domain(0)
        let key = try arguments.key(1)
        let value: Value = try arguments.get(2)
        try PreferenceLimits.check(value, for: key)
        let file = file(of: kind)
        perform(call) { () throws(ModelError) in try file.set(domain, key, to: value) }
    }

    private func reset(_ call: IncomingCall, in kind: ConfigurationFile.Kind) throws(ModelError) {
        let arguments = Arguments(call)
        let domain = try arguments.domain(0)
        let key = try arguments.key(1)
        let file = file(of: kind)
        perform(call) { () throws(ModelError) in try file.set(domain, key, to: nil) }
    }

    private func file(of kind: ConfigurationFile.Kind) -> AdminFile {
        AdminFile(folder: "\(configuration.adminFolder)/\(kind.folder)")
    }

    /// Does what an administrator asks, and answers when the files as they are then are in effect.
    ///
    /// The caller's later requests wait until it is known whether this one is allowed (P6).
    private func perform(_ call: IncomingCall, _ body: @escaping () throws(ModelError) -> Void) {
        router.accept(call) { [authority, configuration] request, _ in
            let caller = request.caller
            caller.hold()
            authority.decide(call) { refusal in
                do throws(ModelError) {
                    if let refusal { throw refusal }
                    try body()
                    configuration.reload { request.answer(.success([])) }
                } catch {
                    request.answer(.failure(error))
                }
                caller.resume()
            }
        }
    }
}

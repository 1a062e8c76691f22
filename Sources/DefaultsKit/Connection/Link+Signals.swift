import DBusTypes
import DefaultsInterface

// On the runtime's thread.
extension Link {
    /// Passes a signal on to whom it concerns.
    func take(_ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value]) {
        if path == WellKnown.rootPath {
            takeFromRoot(interface, member, arguments)
        } else if interface == CountdownInterface.name {
            for countdown in countdowns where countdown.path == path { countdown.take(member, arguments) }
        }
    }

    private func takeFromRoot(_ interface: InterfaceName, _ member: MemberName, _ arguments: [Value]) {
        switch interface {
        case PreferencesInterface.name:
            guard member == PreferencesInterface.changed, let change = ChangedSignal(arguments) else { return }
            domains.withLock { $0[change.domain] }?.take(change)
        case GuidesInterface.name, ToursInterface.name:
            guard arguments.count > 2, let number = arguments[2].get(as: UInt64.self) else { return }
            for run in runs where run.run == number { run.take(member, arguments) }
        case TipsInterface.name:
            guard let app = arguments.first?.get(as: String.self) else { return }
            tips[app]?.take(member, arguments)
        default: break
        }
    }
}

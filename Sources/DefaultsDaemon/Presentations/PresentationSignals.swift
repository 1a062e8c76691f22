import DBusTypes
import DefaultsInterface
import DefaultsModel

extension PresentationSignal {
    /// The signal on the wire.
    var message: (interface: InterfaceName, member: MemberName, arguments: [Value]) {
        let head: [Value] = [.string(app.text), .string(item.text), .uint64(run)]
        switch event {
        case .pageChanged(let page, let count):
            return (GuidesInterface.name, GuidesInterface.pageChanged, head + [.uint32(page), .uint32(count)])
        case .guideChanged(let guide):
            return (GuidesInterface.name, GuidesInterface.changed, head + [guide])
        case .stepChanged(let step, let index, let count, let sequence):
            return (
                ToursInterface.name, ToursInterface.stepChanged,
                head + [.string(step), .uint32(index), .uint32(count), .uint64(sequence)]
            )
        case .tourChanged(let step):
            return (ToursInterface.name, ToursInterface.changed, head + [step])
        case .finished(let outcome, let shown):
            switch kind {
            case .guide: return (GuidesInterface.name, GuidesInterface.finished, head + [.string(outcome)])
            case .tour: return (ToursInterface.name, ToursInterface.finished, head + [.string(outcome), .array(shown)])
            case .tip: preconditionFailure("a tip has no signal of its end")
            }
        }
    }
}

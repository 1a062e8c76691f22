import DBusTypes
import DefaultsInterface

/// What can be presented.
enum PresentationKind: String, CaseIterable {
    case guide, tour, tip

    /// The interface about it.
    var interface: InterfaceName {
        switch self {
        case .guide: GuidesInterface.name
        case .tour: ToursInterface.name
        case .tip: TipsInterface.name
        }
    }

    /// The method that lists those of an application.
    var list: MemberName {
        switch self {
        case .guide: GuidesInterface.list
        case .tour: ToursInterface.list
        case .tip: TipsInterface.list
        }
    }

    /// The method that takes one away.
    var remove: MemberName {
        switch self {
        case .guide: GuidesInterface.remove
        case .tour: ToursInterface.remove
        case .tip: TipsInterface.remove
        }
    }

    /// The method that forgets what the user did with one.
    var reset: MemberName {
        switch self {
        case .guide: GuidesInterface.reset
        case .tour: ToursInterface.reset
        case .tip: TipsInterface.reset
        }
    }

    /// The method that begins a run.
    var begin: MemberName {
        switch self {
        case .guide: GuidesInterface.present
        case .tour: ToursInterface.start
        case .tip: TipsInterface.present
        }
    }

    /// The method that ends a run.
    var finish: MemberName {
        switch self {
        case .guide: GuidesInterface.finish
        case .tour: ToursInterface.finish
        case .tip: TipsInterface.finish
        }
    }

    /// The outcome of one that nobody has looked at to its end.
    var unseen: String {
        switch self {
        case .guide, .tour: "released"
        case .tip: "hidden"
        }
    }
}

import DBusTypes

/// What those who watch an application, and the presenter, are told of a presentation or a tip.
public struct PresentationSignal: Hashable, Sendable {
    /// What happened.
    public enum Event: Hashable, Sendable {
        /// `Guides.PageChanged`: the page, from 0, and how many there are.
        case pageChanged(page: UInt32, count: UInt32)
        /// `Guides.Changed`: the guide as an `a{sv}`.
        case guideChanged(Value)
        /// `Tours.StepChanged`: the step's id, its place from 0, how many there are, and the new sequence.
        case stepChanged(step: String, index: UInt32, count: UInt32, sequence: UInt64)
        /// `Tours.Changed`: the step as an `a{sv}`.
        case tourChanged(Value)
        /// `Finished` of the run's kind: the outcome, and for a tour the steps that were shown.
        case finished(outcome: String, shown: [String])
    }

    /// The application.
    public let app: DomainName
    /// What is presented.
    public let kind: PresentationKind
    /// Which guide or tour.
    public let item: Identifier
    /// The number of the run.
    public let run: UInt64
    /// Who presents it, and is told too.
    public let presenter: ConnectionName
    /// What happened.
    public let event: Event

    /// Tells of a run.
    public init(_ run: Run, _ event: Event) {
        app = run.app
        kind = run.kind
        item = run.item
        self.run = run.id
        presenter = run.owner
        self.event = event
    }
}

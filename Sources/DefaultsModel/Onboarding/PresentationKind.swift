/// What can be presented; the raw value is the word for it everywhere.
public enum PresentationKind: String, Hashable, Sendable, CaseIterable {
    /// Pages shown at the start.
    case guide
    /// Steps that point at parts of a window.
    case tour
    /// One hint.
    case tip

    /// The kind of record that keeps a definition made over the bus.
    public var definitionRecord: OnboardingKind {
        switch self {
        case .guide: .guideDefinition
        case .tour: .tourDefinition
        case .tip: .tipDefinition
        }
    }

    /// The kind of record that keeps what became of it so far.
    public var progressRecord: OnboardingKind {
        switch self {
        case .guide: .guide
        case .tour: .tour
        case .tip: .tip
        }
    }
}

/// What the administrator says of presentations and statistics: `policy.d/*.json` (S3).
public struct OnboardingPolicy: Hashable, Sendable {
    /// What happens to a wish to present something.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        /// It is shown.
        case allow
        /// Nothing is shown, and no state is written.
        case deny
        /// Nothing is shown, and it counts as seen.
        case baseline
    }

    /// What is said in one place: of the machine, or of one application.
    public struct Entries: Hashable, Sendable {
        /// Of everything that isn't named below.
        public var onboarding: Mode?
        /// Of one kind.
        public var kinds: [PresentationKind: Mode]
        /// Whether statistics are kept.
        public var statistics: Bool?

        /// What is said; nothing by default.
        public init(onboarding: Mode? = nil, kinds: [PresentationKind: Mode] = [:], statistics: Bool? = nil) {
            self.onboarding = onboarding
            self.kinds = kinds
            self.statistics = statistics
        }

        /// Lays what another file says over this.
        public mutating func merge(_ other: Entries) {
            onboarding = other.onboarding ?? onboarding
            kinds.merge(other.kinds) { _, new in new }
            statistics = other.statistics ?? statistics
        }
    }

    /// Of the whole machine.
    public var machine: Entries
    /// Of single applications.
    public var apps: [DomainName: Entries]

    /// No policy, or what files say.
    public init(machine: Entries = Entries(), apps: [DomainName: Entries] = [:]) {
        self.machine = machine
        self.apps = apps
    }

    /// Lays what another file says over this, entry by entry: the last that names one has it.
    public mutating func merge(_ other: OnboardingPolicy) {
        machine.merge(other.machine)
        for (app, entries) in other.apps { apps[app, default: Entries()].merge(entries) }
    }

    /// What holds for one kind of one application, and the entry that says so, nil where none does.
    ///
    /// The closest entry counts: the application's of the kind, its `onboarding`, the machine's of the kind, its `onboarding`.
    public func mode(_ app: DomainName, _ kind: PresentationKind) -> (mode: Mode, source: String?) {
        let name = Self.entry(of: kind)
        if let entries = apps[app] {
            if let mode = entries.kinds[kind] { return (mode, "policy entry apps.\(app).\(name)") }
            if let mode = entries.onboarding { return (mode, "policy entry apps.\(app).onboarding") }
        }
        if let mode = machine.kinds[kind] { return (mode, "policy entry \(name)") }
        if let mode = machine.onboarding { return (mode, "policy entry onboarding") }
        return (.allow, nil)
    }

    /// Whether statistics are kept of an application.
    public func keepsStatistics(_ app: DomainName) -> Bool { apps[app]?.statistics ?? machine.statistics ?? true }

    /// What the whole machine's policy comes to where an application has none of its own: `Admin.Policy`.
    public var onboarding: Mode { machine.onboarding ?? .allow }

    /// The entry of a policy file that is about one kind.
    public static func entry(of kind: PresentationKind) -> String { kind.rawValue + "s" }
}

extension StateView {
    /// The policy for one kind of one application, and the entry that says so.
    func policy(_ app: DomainName, _ kind: PresentationKind) -> (mode: OnboardingPolicy.Mode, source: String?) {
        files.policy.mode(app, kind)
    }

    /// Whether statistics are kept of an application.
    func keepsStatistics(_ app: DomainName) -> Bool { files.policy.keepsStatistics(app) }
}

import DBusTypes

extension Transfer {
    /// Checks that what an import leaves keeps within the limits of what clients may make the store hold (P12); `changes` are those of its onboarding records.
    ///
    /// What is beyond a limit already, from before there was one, may stay; it may not grow. Throws `LimitExceeded` naming the application and what of it.
    func checkLimits(_ changes: [RecordChange], in view: StateView) throws(ModelError) {
        let known = view.knownDomains
        let named = preferences.filter { !$0.value.isEmpty }.map(\.key) + onboarding.filter { !$0.value.isEmpty }.map(\.key)
        let all = known.union(named).count
        guard all <= LaunchLimits.domains || all == known.count else {
            throw .limitExceeded(
                "With this import the user would have \(all) domains; at most \(LaunchLimits.domains) are allowed.")
        }
        for app in onboarding.keys.sorted() { try checkRecords(of: app, changes, in: view) }
    }

    private func checkRecords(of app: DomainName, _ changes: [RecordChange], in view: StateView) throws(ModelError) {
        let before = Set(view.onboardingIDs(app))
        var after = before
        for case .onboarding(app, let id, let value) in changes {
            if value == nil { after.remove(id) } else { after.insert(id) }
        }
        for kind in OnboardingKind.allCases {
            guard let limit = kind.countLimit else { continue }
            let count = after.count { $0.kind == kind }
            guard count <= limit || count <= before.count(where: { $0.kind == kind }) else {
                throw .limitExceeded(
                    "With this import \"\(app)\" would have \(count) records of \(kind.rawValue); at most \(limit) are allowed.")
            }
        }
        let definitions = PresentationKind.allCases.map(\.definitionRecord)
        func bytes(_ ids: Set<OnboardingID>, _ value: (OnboardingID) -> Value?) -> Int {
            ids.filter { definitions.contains($0.kind) }.reduce(0) { $0 + (value($1)?.marshalledSize ?? 0) }
        }
        let size = bytes(after) { onboarding[app]?[$0] ?? view.onboarding(app, $0) }
        guard size <= DefinitionLimits.bytes || size <= bytes(before, { view.onboarding(app, $0) }) else {
            throw .limitExceeded(
                "With this import \"\(app)\" would have \(size) bytes of guides, tours and tips; at most \(DefinitionLimits.bytes) are allowed."
            )
        }
    }
}

extension OnboardingKind {
    /// How many records of the kind one application may have; nil where there is one at most, or none comes by an import.
    fileprivate var countLimit: Int? {
        switch self {
        case .flag: LaunchLimits.flags
        case .event: EventRecord.maximumEvents
        case .guideDefinition: GuideDefinition.limit
        case .tourDefinition: StateView.maximumTours
        case .tipDefinition: StateView.maximumTips
        case .guide, .tour, .tip: DefinitionLimits.progress
        case .launches, .tips, .configuration, .run, .runContent, .stage, .inhibitor: nil
        }
    }
}

import DBusTypes

/// What an export has and an import brings: values only, no times and no writers.
public struct Transfer: Hashable, Sendable {
    /// The user's values by domain and key.
    public var preferences: [DomainName: [PreferenceKey: Value]]
    /// The onboarding records by application.
    public var onboarding: [DomainName: [OnboardingID: Value]]

    /// An empty one, or one as given.
    public init(
        preferences: [DomainName: [PreferenceKey: Value]] = [:], onboarding: [DomainName: [OnboardingID: Value]] = [:]
    ) {
        self.preferences = preferences
        self.onboarding = onboarding
    }

    /// All domains that it says anything of, sorted.
    public var domains: [DomainName] { Set(preferences.keys).union(onboarding.keys).sorted() }

    /// What an import does with what is there already.
    public enum Mode: String, Sendable, CaseIterable {
        /// Leaves alone what the file doesn't name.
        case merge
        /// Makes each domain that the file names as the file has it; other domains are left alone.
        case replace
    }
}

extension StateView {
    /// What the user has in `domains`, with the records of onboarding if asked for; domains without anything are left out.
    public func transfer(of domains: [DomainName], onboarding withOnboarding: Bool) -> Transfer {
        var transfer = Transfer()
        for domain in domains {
            var values: [PreferenceKey: Value] = [:]
            for key in keys(domain, .user) { values[key] = preference(domain, .user, key)?.value }
            if !values.isEmpty { transfer.preferences[domain] = values }
            guard withOnboarding else { continue }
            var records: [OnboardingID: Value] = [:]
            for id in onboardingIDs(domain) where id.kind.isTransferred { records[id] = onboarding(domain, id) }
            if !records.isEmpty { transfer.onboarding[domain] = records }
        }
        return transfer
    }

    /// The domains that may have something to export, sorted.
    public var transferableDomains: [DomainName] { knownDomains.sorted() }
}

extension OnboardingKind {
    /// Whether an export has records of this kind: which configuration files were in effect is this machine's alone, and what is
    /// presented now belongs to connections of this bus.
    public var isTransferred: Bool {
        switch self {
        case .launches, .flag, .guideDefinition, .guide, .tourDefinition, .tour, .tipDefinition, .tip, .event, .tips: true
        case .configuration, .run, .runContent, .stage, .inhibitor: false
        }
    }
}

extension Transfer {
    /// The outcome of an import: all of it, as one commit with one revision, or none.
    ///
    /// Replies with the counts of domains, keys set, keys removed and onboarding records written, as an `a{sv}`. A locked key
    /// with another value, a value against its schema, or more of anything than is allowed refuses the whole.
    public func outcome(
        _ mode: Mode, writer: String, wall: Int64, in view: StateView
    ) throws(ModelError) -> Outcome {
        var changes: [RecordChange] = []
        var growth = SizeChange()
        var touched: [DomainName] = []
        var set: UInt64 = 0
        var removed: UInt64 = 0
        for domain in preferences.keys.sorted() {
            let values = preferences[domain] ?? [:]
            var wishes: [(PreferenceKey, Value?)] = values.sorted { $0.key < $1.key }
                .filter { view.preference(domain, .user, $0.key)?.value != $0.value }.map { ($0.key, $0.value) }
            set += UInt64(wishes.count)
            if mode == .replace {
                let gone = view.keys(domain, .user).filter { values[$0] == nil }.sorted()
                wishes += gone.map { ($0, nil) }
                removed += UInt64(gone.count)
            }
            let rows = try PreferenceWrites(domain, writer: writer, wall: wall).rows(wishes, in: view)
            guard !rows.changes.isEmpty else { continue }
            changes += rows.changes
            growth.add(rows.growth)
            touched.append(domain)
        }
        try PreferenceLimits.checkUser(growth, in: view)
        if !touched.isEmpty {
            let revision = view.revision + 1
            changes += touched.map { .domain($0, revision: revision) }
            changes.append(.revision(revision))
        }
        let records = onboardingChanges(mode, in: view)
        try checkLimits(records, in: view)
        changes += records
        let counts = Value.vardict([
            ("domains", .uint64(UInt64(touched.count))), ("keys", .uint64(set)), ("removed", .uint64(removed)),
            ("onboarding", .uint64(UInt64(records.count))),
        ])
        return Outcome(reply: [counts], changes: changes)
    }

    private func onboardingChanges(_ mode: Mode, in view: StateView) -> [RecordChange] {
        var changes: [RecordChange] = []
        for app in onboarding.keys.sorted() {
            let records = onboarding[app] ?? [:]
            for id in records.keys.sorted() where view.onboarding(app, id) != records[id] {
                changes.append(.onboarding(app, id, records[id]))
            }
            guard mode == .replace else { continue }
            for id in view.onboardingIDs(app) where id.kind.isTransferred && records[id] == nil {
                changes.append(.onboarding(app, id, nil))
            }
        }
        return changes
    }
}

extension StateView {
    /// The outcome of forgetting an application: its preferences of every stored layer and its onboarding, as one commit.
    public func forgetting(_ app: DomainName, at now: Instant) -> Outcome {
        var changes: [RecordChange] = []
        for layer in StoredLayer.allCases {
            changes += keys(app, layer).sorted().map { .preference(app, layer, $0, nil) }
        }
        if !changes.isEmpty { changes += [.domain(app, revision: revision + 1), .revision(revision + 1)] }
        var announcements: [Announcement] = []
        for run in runs where run.app == app {
            announcements += ending(run, because: .removed, at: now).announcements
            changes += run.removal
        }
        changes += onboardingIDs(app).map { .onboarding(app, $0, nil) }
        return Outcome(changes: changes, announcements: announcements)
    }
}

extension OnboardingID {
    /// Whether a value is a record of this kind and id that can be read back: what an import must check before it stores one.
    public func accepts(_ value: Value) -> Bool {
        switch kind {
        case .launches: id.isEmpty && LaunchHistory(stored: value) != nil
        case .flag: Identifier(id) != nil && FlagRecord(stored: value) != nil
        case .guideDefinition: Identifier(id) != nil && value.dictionary.map(GuideDefinition.accepts) == true
        case .guide: Identifier(id) != nil && GuideProgress(stored: value) != nil
        case .tourDefinition: Identifier(id) != nil && value.dictionary.flatMap { try? TourDefinition($0) } != nil
        case .tour: Identifier(id) != nil && TourProgress(stored: value) != nil
        case .tipDefinition: Identifier(id) != nil && BusTipDefinition(stored: value) != nil
        case .tip: Identifier(id) != nil && TipProgress(stored: value) != nil
        case .event: Identifier(id) != nil && EventRecord(stored: value) != nil
        case .tips: id.isEmpty && TipPace(stored: value) != nil
        case .configuration, .run, .runContent, .stage, .inhibitor: false
        }
    }
}

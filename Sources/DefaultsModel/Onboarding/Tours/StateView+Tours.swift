import DBusTypes

extension StateView {
    /// The tour in effect: the higher revision of the bus's and the manifest's, at equal revision the bus's (G4).
    ///
    /// `files` are those in effect where they aren't given. Nil where nobody defines it; throws `Unavailable` where the stored definition is
    /// damaged (P8).
    func tour(
        _ app: DomainName, _ id: Identifier, with files: FileLayers? = nil
    ) throws(ModelError) -> (definition: TourDefinition, isFromBus: Bool)? {
        let manifest = (files ?? self.files).definitions[app]?.tours[id]
        guard let bus = try busTour(app, id) else { return manifest.map { ($0, false) } }
        if let manifest, manifest.revision > bus.revision { return (manifest, false) }
        return (bus, true)
    }

    /// The tour in effect; throws `NotFound` where nobody defines it.
    func definedTour(_ app: DomainName, _ id: Identifier) throws(ModelError) -> TourDefinition {
        guard let tour = try tour(app, id) else {
            throw .notFound("\(app) has no tour \"\(id)\"; Tours.Define or the application's manifest defines one")
        }
        return tour.definition
    }

    /// The tour as it was defined over the bus; nil where it wasn't.
    func busTour(_ app: DomainName, _ id: Identifier) throws(ModelError) -> TourDefinition? {
        guard let stored = onboarding(app, OnboardingID(.tourDefinition, id.text)) else { return nil }
        guard let entries = stored.dictionary, let definition = try? TourDefinition(stored: entries) else {
            throw .unavailable("the stored definition of tour \"\(id)\" of \(app) can't be read; Tours.Remove takes it away")
        }
        return definition
    }

    /// What became of a tour so far.
    func tourProgress(_ app: DomainName, _ id: Identifier) throws(ModelError) -> TourProgress {
        guard let stored = onboarding(app, OnboardingID(.tour, id.text)) else { return TourProgress() }
        guard let progress = TourProgress(stored: stored) else {
            throw .unavailable("what is stored of tour \"\(id)\" of \(app) can't be read; Tours.Reset forgets it")
        }
        return progress
    }

    /// The ids of all tours of an application, sorted.
    func tours(of app: DomainName) -> [Identifier] {
        let bus = onboardingIDs(app, .tourDefinition).compactMap { Identifier($0.id) }
        return Set(bus).union((files.definitions[app]?.tours ?? [:]).keys).sorted()
    }

    /// The runs of a tour that are on the screen.
    func liveRuns(ofTour id: Identifier, of app: DomainName) -> [Run] {
        liveRuns.filter { $0.kind == .tour && $0.app == app && $0.item == id }
    }

    // MARK: Answers

    /// The answer of `Tours.List`: an `a(sa{sv})`, sorted by id.
    public func tourList(_ app: DomainName, at now: Instant) throws(ModelError) -> Value {
        var list: [Value] = []
        for id in tours(of: app) {
            guard let (definition, isFromBus) = try tour(app, id) else { continue }
            let progress = try tourProgress(app, id)
            let isPresented = liveRuns(ofTour: id, of: app).contains { !$0.isReplay }
            let standing = definition.standing(progress, isPresented: isPresented, at: now)
            let listed = definition.listed(progress, standing, isPresented: isPresented)
            list.append(
                .structure([
                    .string(id.text),
                    .vardict([
                        ("state", .string(listed.state.rawValue)), ("outcome", .string(listed.outcome)),
                        ("revision", .uint32(definition.revision)), ("attempts", .uint32(listed.attempts)),
                        ("furthest", .uint32(listed.furthest)), ("source", .string(isFromBus ? "bus" : "manifest")),
                    ]),
                ]))
        }
        let type = DBusType.structure([.string, .dictionary(key: .string, value: .variant)])
        return .array(ArrayValue(unchecked: list, of: type))
    }

    /// What is counted of an application's tours, an `a{sv}` by id, for `Admin.Statistics`.
    public func tourStatistics(_ app: DomainName) -> Value {
        let counted = onboardingIDs(app, .tour).compactMap { id in
            onboarding(app, id).flatMap(TourProgress.init(stored:)).map { (id.id, $0.statistics) }
        }
        return .vardict(counted.filter { !$0.1.isEmpty }.map { ($0.0, $0.1.value) })
    }
}

extension TourDefinition {
    /// The progress as people are told of it: a raised revision that is due counts as new, and what has nothing left to show as ended.
    func listed(_ progress: TourProgress, _ standing: TourStanding, isPresented: Bool) -> TourProgress {
        var listed = progress
        if listed.state == .presenting && !isPresented {
            // Of a run that this store doesn't have, as after an import.
            listed.state = .suspended
        }
        // How an earlier run of it ended says nothing of this one.
        if isPresented { listed.outcome = "" }
        switch standing {
        case .seen where progress.isUnfinished && progress.seenRevision < revision:
            listed.state = .finished
            listed.outcome = "completed"
        case .due where revision > progress.revision && !isPresented:
            listed.attempts = 0
            listed.furthest = 0
            if !progress.isUnfinished || onNewRevision == .restart {
                listed.state = .new
                listed.outcome = ""
            }
        case .seen, .abandoned, .due:
            break
        }
        return listed
    }
}

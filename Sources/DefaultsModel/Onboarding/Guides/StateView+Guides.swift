import DBusTypes

/// A guide as it is in effect.
struct EffectiveGuide {
    /// Who defined it; the raw value is the word on the wire.
    enum Source: String {
        case bus
        case manifest
    }

    let id: Identifier
    let definition: GuideDefinition
    let source: Source
}

extension StateView {
    // MARK: Definitions

    /// A guide as it is in effect: of two definitions the one with the higher revision, at equal revision the bus's (G4).
    ///
    /// Throws `NotFound` where there is none.
    func guide(_ app: DomainName, _ guide: Identifier) throws(ModelError) -> EffectiveGuide {
        guard let found = definedGuide(app, guide, files: files) else {
            throw .notFound("\(app) has no guide \"\(guide)\"; Guides.Define or a manifest gives it one")
        }
        return found
    }

    /// A guide as it is in effect with `files`; nil where there is none.
    func definedGuide(_ app: DomainName, _ guide: Identifier, files: FileLayers) -> EffectiveGuide? {
        let bus = busGuide(app, guide)
        let manifest = files.definitions[app]?.guides[guide]
        if let bus, bus.revision >= manifest?.revision ?? 0 {
            return EffectiveGuide(id: guide, definition: bus, source: .bus)
        }
        return manifest.map { EffectiveGuide(id: guide, definition: $0, source: .manifest) }
    }

    /// What an application defined over the bus; nil where it didn't, or a newer version of the daemon wrote what can't be read.
    func busGuide(_ app: DomainName, _ guide: Identifier) -> GuideDefinition? {
        onboarding(app, OnboardingID(.guideDefinition, guide.text)).flatMap(GuideDefinition.init(stored:))
    }

    /// All guides of an application as they are in effect, sorted by id.
    func guides(_ app: DomainName) -> [EffectiveGuide] {
        let defined = onboardingIDs(app, .guideDefinition).compactMap { Identifier($0.id) }
        let ids = Set(defined).union((files.definitions[app]?.guides ?? [:]).keys)
        return ids.sorted().compactMap { definedGuide(app, $0, files: files) }
    }

    // MARK: Progress

    /// What became of a guide so far; throws `Unavailable` where it can't be read (P8).
    func progress(_ app: DomainName, _ guide: EffectiveGuide) throws(ModelError) -> GuideProgress {
        guard let stored = onboarding(app, Self.progressID(guide.id)) else {
            return GuideProgress(revision: guide.definition.revision)
        }
        guard let progress = GuideProgress(stored: stored) else {
            throw .unavailable("what is stored of guide \"\(guide.id)\" of \(app) can't be read")
        }
        return progress
    }

    static func progressID(_ guide: Identifier) -> OnboardingID { OnboardingID(.guide, guide.text) }

    /// The change that puts what became of a guide on disk.
    func change(_ app: DomainName, _ guide: Identifier, _ progress: GuideProgress) -> RecordChange {
        .onboarding(app, Self.progressID(guide), progress.stored)
    }

    // MARK: Lists

    /// The guides of an application as `Guides.List` tells them: `a(sa{sv})`, sorted by id.
    public func listGuides(_ app: DomainName) throws(ModelError) -> Value {
        let element = DBusType.structure([.string, .dictionary(key: .string, value: .variant)])
        var rows: [Value] = []
        let live = liveRuns
        for guide in guides(app) {
            let standing = try standing(app, guide, among: live)
            rows.append(
                .structure([
                    .string(guide.id.text),
                    .vardict([
                        ("state", .string(standing.state)), ("outcome", .string(standing.progress.outcome?.rawValue ?? "")),
                        ("revision", .uint32(guide.definition.revision)), ("attempts", .uint32(standing.progress.attempts)),
                        ("furthest", .uint32(UInt32(clamping: standing.progress.furthest))),
                        ("source", .string(guide.source.rawValue)),
                    ]),
                ]))
        }
        return .array(ArrayValue(unchecked: rows, of: element))
    }

    /// Where a guide is in its life, and what is known of the revision in effect, or of the one that is presented.
    ///
    /// `live` are the runs on the screen.
    func standing(
        _ app: DomainName, _ guide: EffectiveGuide, among live: [Run]
    ) throws(ModelError) -> (state: String, progress: GuideProgress) {
        let progress = try progress(app, guide)
        if let run = live.first(where: { $0.isOf(app, guide.id) && !$0.isReplay }) {
            var presented = progress
            // How an earlier run of it ended says nothing of this one.
            presented.outcome = nil
            return (run.state.rawValue, presented)
        }
        let current = progress.current(for: guide.definition)
        return (current.state.rawValue, current)
    }

    /// What was counted of an application's guides by id, for `Admin.Statistics`; those of which nothing is known are left out.
    public func guideStatistics(_ app: DomainName) -> [(id: String, counts: Value)] {
        onboardingIDs(app, .guide).compactMap { id in
            guard let progress = onboarding(app, id).flatMap(GuideProgress.init(stored:)),
                progress.statistics != GuideStatistics()
            else { return nil }
            return (id.id, progress.statistics.dictionary)
        }
    }
}

extension Run {
    /// Whether it presents a guide of this name.
    func isOf(_ app: DomainName, _ guide: Identifier) -> Bool { kind == .guide && self.app == app && item == guide }
}

import DBusTypes

/// A tip whose definition is in effect, and what became of it.
struct DefinedTip {
    let id: Identifier
    /// The definition in effect (G4).
    let definition: TipDefinition
    /// What was defined over the bus; nil where only a manifest defines it.
    let ofBus: BusTipDefinition?
    /// What a manifest defines; nil where it was only defined over the bus.
    let ofManifest: TipDefinition?
    /// What became of this revision; of a newer one where the user has had that.
    let progress: TipProgress
    /// Who defines it, as in a list: `bus` or `manifest`.
    let source: String

    /// Puts together what is known of a tip; nil where nobody defines it.
    init?(_ id: Identifier, ofBus: BusTipDefinition?, ofManifest: TipDefinition?, progress stored: TipProgress?) {
        if let manifest = ofManifest, ofBus.map({ $0.definition.revision < manifest.revision }) ?? true {
            (definition, source) = (manifest, "manifest")
        } else if let bus = ofBus {
            (definition, source) = (bus.definition, "bus")
        } else {
            return nil
        }
        self.id = id
        self.ofBus = ofBus
        self.ofManifest = ofManifest
        let progress = stored ?? TipProgress(revision: definition.revision)
        self.progress = progress.revision < definition.revision ? progress.renewed(revision: definition.revision) : progress
    }

    /// Whether it comes before another in their group (I4): what manifests define in their order, then what was defined over the bus in the order of
    /// the first Define of each.
    func isBefore(_ other: DefinedTip) -> Bool {
        switch (ofManifest, other.ofManifest) {
        case (let left?, let right?): (left.position, id) < (right.position, other.id)
        case (.some, nil): true
        case (nil, .some): false
        case (nil, nil): (ofBus?.order ?? 0, id) < (other.ofBus?.order ?? 0, other.id)
        }
    }

    /// Why it is used up; nil where it isn't.
    ///
    /// A limit that is reached while it is on the screen counts from the end of that run on (I1).
    func invalidity(isOnScreen: Bool) -> TipProgress.Invalidity? {
        if let invalidity = progress.invalidity { return invalidity }
        if progress.revision > definition.revision { return .revision }
        if isOnScreen { return nil }
        let (count, duration) = (definition.maximumDisplayCount, definition.maximumDisplayDuration)
        if count > 0 && progress.displayCount >= count { return .displayCount }
        return duration > 0 && progress.displayDuration >= duration ? .displayDuration : nil
    }
}

/// A tip as it was defined over the bus: its record on disk.
struct BusTipDefinition: Hashable, Sendable {
    private static let format: UInt32 = 1

    /// Grows from tip to tip of an application: their order in a group (I4).
    let order: UInt64
    /// What was defined.
    let definition: TipDefinition

    var stored: Value {
        .vardict([
            ("format", .uint32(Self.format)), ("order", .uint64(order)), ("definition", .dictionary(definition.entries)),
        ])
    }

    init(order: UInt64, definition: TipDefinition) {
        self.order = order
        self.definition = definition
    }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored: Value) {
        guard let entries = stored.dictionary, entries["format"]?.get() == Self.format,
            let order = entries["order"]?.get(as: UInt64.self),
            let definition = entries["definition"]?.dictionary.flatMap({ try? TipDefinition($0) })
        else { return nil }
        self.init(order: order, definition: definition)
    }

    /// The id of the record of a tip.
    static func record(_ tip: Identifier) -> OnboardingID { OnboardingID(.tipDefinition, tip.text) }
}

// MARK: - Looking up

extension StateView {
    /// A tip; nil where nobody defines it.
    ///
    /// Throws `Unavailable` where what is stored of it can't be read: that is not absent (P8).
    func definedTip(_ app: DomainName, _ tip: Identifier) throws(ModelError) -> DefinedTip? {
        DefinedTip(
            tip, ofBus: try record(app, BusTipDefinition.record(tip), BusTipDefinition.init(stored:)),
            ofManifest: files.definitions[app]?.tips[tip],
            progress: try record(app, TipProgress.record(tip), TipProgress.init(stored:)))
    }

    /// A tip; throws `NotFound` where nobody defines it.
    func tip(_ app: DomainName, _ tip: Identifier) throws(ModelError) -> DefinedTip {
        guard let tip = try definedTip(app, tip) else {
            throw .notFound("\"\(app)\" has no tip \"\(tip)\"; Tips.Define or its manifest makes one")
        }
        return tip
    }

    /// All tips of an application, sorted by id.
    func tips(of app: DomainName) throws(ModelError) -> [DefinedTip] {
        var ids = Set(onboardingIDs(app, .tipDefinition).compactMap { Identifier($0.id) })
        ids.formUnion((files.definitions[app]?.tips ?? [:]).keys)
        var tips: [DefinedTip] = []
        for id in ids.sorted() { if let tip = try definedTip(app, id) { tips.append(tip) } }
        return tips
    }

    /// Reads a record; nil where there is none, `Unavailable` where it can't be read (P8).
    func record<Record>(
        _ app: DomainName, _ id: OnboardingID, _ read: (Value) -> Record?
    ) throws(ModelError) -> Record? {
        guard let stored = onboarding(app, id) else { return nil }
        guard let record = read(stored) else {
            throw .unavailable("The stored \(id.kind.rawValue) \"\(id.id)\" of \"\(app)\" can't be read.")
        }
        return record
    }

    /// The runs of a tip that are on the screen, also those that have lost the stage.
    func liveRuns(ofTip tip: Identifier, _ app: DomainName) -> [Run] {
        liveRuns.filter { $0.kind == .tip && $0.app == app && $0.item == tip }
    }
}

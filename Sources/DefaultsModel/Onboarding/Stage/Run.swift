import DBusTypes

/// One presentation of a guide, tour or tip, from Present or Start to its end.
///
/// It belongs to a connection and is kept on disk, so that it outlives the daemon while that connection lives (S1). Its number is never
/// used again (T8).
public struct Run: Hashable, Sendable {
    /// Where it is in its life; the raw value is the word on the wire.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// On the screen.
        case presenting
        /// Ended for good, or with an outcome that counts.
        case finished
        /// Given back: eligible again.
        case released
        /// A tour whose owner has left, to be taken up at its step (T7).
        case suspended
    }

    /// How far it is.
    public enum Place: Hashable, Sendable {
        /// On which page of a guide.
        case guide(GuidePlace)
        /// At which step of a tour.
        case tour(TourPlace)
        /// How long a tip has been shown.
        case tip(TipPlace)
    }

    /// The number of the run.
    public let id: UInt64
    /// The application.
    public let app: DomainName
    /// Which guide, tour or tip.
    public let item: Identifier
    /// The revision of its definition.
    public let revision: UInt32
    /// The presenter.
    public let owner: ConnectionName
    /// Whether it writes nothing of what became of the item (G9).
    public let isReplay: Bool
    /// Whether it goes on when its owner leaves (`on_owner_lost: keep`).
    public let outlivesOwner: Bool
    /// When it began: microseconds since the Unix epoch.
    public let began: Int64
    /// The record key of its countdown; nil where it has none.
    public let countdown: String?
    /// Where it is in its life.
    public var state = State.presenting
    /// How it ended; empty while it is presented.
    public var outcome = ""
    /// How far it is.
    public var place: Place

    /// Begins a run.
    public init(
        id: UInt64, app: DomainName, item: Identifier, revision: UInt32, owner: ConnectionName, isReplay: Bool,
        outlivesOwner: Bool, began: Int64, countdown: String? = nil, place: Place
    ) {
        self.id = id
        self.app = app
        self.item = item
        self.revision = revision
        self.owner = owner
        self.isReplay = isReplay
        self.outlivesOwner = outlivesOwner
        self.began = began
        self.countdown = countdown
        self.place = place
    }

    /// What is presented.
    public var kind: PresentationKind {
        switch place {
        case .guide: .guide
        case .tour: .tour
        case .tip: .tip
        }
    }

    /// Whether it is on the screen.
    public var isLive: Bool { state == .presenting }

    /// The id of its record, which `global` has.
    public var record: OnboardingID { OnboardingID(.run, "\(id)") }

    /// The id of the record with what it shows.
    public var contentRecord: OnboardingID { OnboardingID(.runContent, "\(id)") }
}

// MARK: - On disk

extension Run {
    private static let format: UInt32 = 1

    /// The change that puts it on disk as it is now.
    public var change: RecordChange { .onboarding(.global, record, stored) }

    /// The changes that remove it, with what it shows.
    public var removal: [RecordChange] { [.onboarding(.global, record, nil), .onboarding(.global, contentRecord, nil)] }

    var stored: Value {
        var entries: [(String, Value)] = [
            ("format", .uint32(Self.format)), ("kind", .string(kind.rawValue)), ("app", .string(app.text)),
            ("item", .string(item.text)), ("revision", .uint32(revision)), ("replay", .boolean(isReplay)),
            ("keep", .boolean(outlivesOwner)), ("began", .int64(began)), ("state", .string(state.rawValue)),
            ("outcome", .string(outcome)),
        ]
        entries += owner.stored
        if let countdown { entries.append(("countdown", .string(countdown))) }
        switch place {
        case .guide(let place): entries += place.stored
        case .tour(let place): entries += place.stored
        case .tip(let place): entries += place.stored
        }
        return .vardict(entries)
    }

    /// Reads the record of run `id`; nil where it is damaged.
    init?(id: UInt64, stored: Value) {
        guard let entries = stored.dictionary, entries["format"]?.get() == Self.format,
            let kind = entries["kind"]?.get(as: String.self).flatMap(PresentationKind.init),
            let app = entries["app"]?.get(as: String.self).flatMap(DomainName.init), !app.isGlobal,
            let item = entries["item"]?.get(as: String.self).flatMap(Identifier.init),
            let revision = entries["revision"]?.get(as: UInt32.self),
            let isReplay = entries["replay"]?.get(as: Bool.self), let outlivesOwner = entries["keep"]?.get(as: Bool.self),
            let began = entries["began"]?.get(as: Int64.self),
            let state = entries["state"]?.get(as: String.self).flatMap(State.init),
            let outcome = entries["outcome"]?.get(as: String.self), let owner = ConnectionName(stored: entries)
        else { return nil }
        let place: Place? =
            switch kind {
            case .guide: GuidePlace(stored: entries).map(Place.guide)
            case .tour: TourPlace(stored: entries).map(Place.tour)
            case .tip: TipPlace(stored: entries).map(Place.tip)
            }
        guard let place else { return nil }
        self.init(
            id: id, app: app, item: item, revision: revision, owner: owner, isReplay: isReplay, outlivesOwner: outlivesOwner,
            began: began, countdown: entries["countdown"]?.get(as: String.self), place: place)
        self.state = state
        self.outcome = outcome
    }
}

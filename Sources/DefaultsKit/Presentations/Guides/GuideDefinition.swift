import DBusTypes
import DefaultsInterface

/// What a guide is: its pages, who sees it and when it is over.
///
///     let welcome = GuideDefinition(
///         pages: [GuidePage(title: "Write"), GuidePage(title: "Share", image: "share.svg")], completion: .button)
///     try await defaults.define(guide: "welcome", welcome)
public struct GuideDefinition: Hashable, Sendable {
    /// What kind of guide it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Shown once a revision.
        case onboarding
        /// Shown to those who had a version before ``GuideDefinition/sinceVersion``.
        case whatsNew = "whatsnew"
    }

    /// Who sees it (G6).
    public enum Audience: String, Hashable, Sendable, CaseIterable {
        /// Everyone.
        case both
        /// Those who never ran another version than their first.
        case fresh
        /// All others.
        case upgrade
    }

    /// How it is completed.
    public enum Completion: String, Hashable, Sendable, CaseIterable {
        /// By going on from the last page.
        case swipe
        /// By a button that is visible on the last page.
        case button
    }

    /// When it counts as seen (G1).
    public enum Mark: String, Hashable, Sendable, CaseIterable {
        /// When the user ends it.
        case finish
        /// When it is presented.
        case show
    }

    /// A countdown that runs with a guide: its end is the guide's (G8).
    public struct Countdown: Hashable, Sendable {
        /// How long it runs.
        public var duration: Duration
        /// The time from tick to tick, at least 50 ms.
        public var tick: Duration
        /// How long after its start it can't be skipped.
        public var skippableAfter: Duration
        /// Whether it waits for ``DefaultsKit/Countdown/ready()``, for what must first be drawn.
        public var startsWhenReady: Bool

        /// Ticks every second, and can be skipped at once.
        public init(
            _ duration: Duration, tick: Duration = .seconds(1), skippableAfter: Duration = .zero, startsWhenReady: Bool = false
        ) {
            self.duration = duration
            self.tick = tick
            self.skippableAfter = skippableAfter
            self.startsWhenReady = startsWhenReady
        }

        var value: Value {
            .vardict([
                (CountdownSpecEntries.duration.name, .int64(duration.inMilliseconds)),
                (CountdownSpecEntries.tick.name, .int64(tick.inMilliseconds)),
                (CountdownSpecEntries.skippableAfter.name, .int64(skippableAfter.inMilliseconds)),
                (CountdownSpecEntries.start.name, .string(startsWhenReady ? "when_ready" : "now")),
            ])
        }
    }

    /// The pages, 1 to 64.
    public var pages: [GuidePage]
    /// The revision of the content, not the application's: a higher one is shown again (G4).
    public var revision: UInt32 = 1
    /// What kind of guide it is.
    public var kind = Kind.onboarding
    /// Who sees it; nil for what is usual for the kind: everyone, or for what's new those who upgrade.
    public var audience: Audience?
    /// The smallest upgrade after which it is shown again; nil for what is usual for the kind: none, or for what's new a minor one.
    public var minimumSignificance: Launch.Significance?
    /// The first version that has what it is about; empty for all.
    public var sinceVersion = ""
    /// How it is completed.
    public var completion = Completion.swipe
    /// When it counts as seen.
    public var mark = Mark.finish
    /// After how many presenters that died it is abandoned; 0 for no limit (G2).
    public var maxAttempts: UInt32 = 3
    /// The countdown that runs with it.
    public var countdown: Countdown?
    /// Whatever else the presenter needs; a change reaches the one that presents it now.
    public var attributes: Attributes

    /// Describes a guide; what isn't given here can be set.
    public init(
        pages: [GuidePage], revision: UInt32 = 1, kind: Kind = .onboarding, sinceVersion: String = "",
        completion: Completion = .swipe, countdown: Countdown? = nil, attributes: Attributes = [:]
    ) {
        self.pages = pages
        self.revision = revision
        self.kind = kind
        self.sinceVersion = sinceVersion
        self.completion = completion
        self.countdown = countdown
        self.attributes = attributes
    }

    var builder: EntryBuilder {
        var builder = EntryBuilder()
        builder.add(GuideDefinitionEntries.pages.name, each: pages.map(\.builder))
        builder.add(GuideDefinitionEntries.revision.name, .uint32(revision), unless: revision == 1)
        builder.add(GuideDefinitionEntries.kind.name, .string(kind.rawValue), unless: kind == .onboarding)
        builder.add(GuideDefinitionEntries.audience.name, audience?.rawValue ?? "")
        builder.add(GuideDefinitionEntries.minimumSignificance.name, minimumSignificance?.rawValue ?? "")
        builder.add(GuideDefinitionEntries.sinceVersion.name, sinceVersion)
        builder.add(GuideDefinitionEntries.completion.name, .string(completion.rawValue), unless: completion == .swipe)
        builder.add(GuideDefinitionEntries.mark.name, .string(mark.rawValue), unless: mark == .finish)
        builder.add(GuideDefinitionEntries.maxAttempts.name, .uint32(maxAttempts), unless: maxAttempts == 3)
        if let countdown { builder.add(GuideDefinitionEntries.countdown.name, countdown.value, unless: false) }
        builder.add(GuideDefinitionEntries.attributes.name, attributes)
        return builder
    }
}

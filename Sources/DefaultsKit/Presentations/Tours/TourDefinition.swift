import DBusTypes
import DefaultsInterface

/// What a tour is: its steps, and where it goes on after an update or a crash.
///
///     let tour = TourDefinition(steps: [
///         TourStep("open", content: "Open a file here.", target: "open-button"),
///         TourStep("share", content: "And share it here.", target: "share-button"),
///     ])
///     try await defaults.define(tour: "toolbar", tour)
public struct TourDefinition: Hashable, Sendable {
    /// What a raised revision shows (T6).
    public enum NewRevision: String, Hashable, Sendable, CaseIterable {
        /// All steps.
        case restart
        /// Those with a newer ``TourStep/sinceRevision``.
        case progressive
        /// From the old place on.
        case resume
    }

    /// Where a tour goes on after its presenter died (T7).
    public enum Crash: String, Hashable, Sendable, CaseIterable {
        /// At the step.
        case resume
        /// At the first.
        case restart
    }

    /// The steps, 1 to 64, each with an id of its own.
    public var steps: [TourStep]
    /// The revision of the content, not the application's.
    public var revision: UInt32
    /// What a raised revision shows.
    public var onNewRevision = NewRevision.restart
    /// Where it goes on after its presenter died.
    public var onCrash = Crash.resume
    /// How long after its presenter died it is resumed and not restarted, in whole milliseconds; zero for ever.
    public var resumeWindow = Duration.seconds(7 * 24 * 60 * 60)
    /// After how many presenters that died it is abandoned; 0 for no limit.
    public var maxAttempts: UInt32 = 3
    /// Whatever else the presenter needs; a change reaches the one that presents it now.
    public var attributes: Attributes

    /// Describes a tour; what isn't given here can be set.
    public init(steps: [TourStep], revision: UInt32 = 1, attributes: Attributes = [:]) {
        self.steps = steps
        self.revision = revision
        self.attributes = attributes
    }

    var builder: EntryBuilder {
        var builder = EntryBuilder()
        builder.add(TourDefinitionEntries.steps.name, each: steps.map(\.builder))
        builder.add(TourDefinitionEntries.revision.name, .uint32(revision), unless: revision == 1)
        builder.add(
            TourDefinitionEntries.onNewRevision.name, .string(onNewRevision.rawValue), unless: onNewRevision == .restart)
        builder.add(TourDefinitionEntries.onCrash.name, .string(onCrash.rawValue), unless: onCrash == .resume)
        builder.add(TourDefinitionEntries.resumeWindow.name, resumeWindow, unless: .seconds(7 * 24 * 60 * 60))
        builder.add(TourDefinitionEntries.maxAttempts.name, .uint32(maxAttempts), unless: maxAttempts == 3)
        builder.add(TourDefinitionEntries.attributes.name, attributes)
        return builder
    }
}

import DBusTypes
import DefaultsInterface

/// One step of a tour: a bubble that points at something.
public struct TourStep: Hashable, Sendable {
    /// Where the bubble stands beside its target.
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        case auto, top, bottom, left, right
    }

    /// Its name in the tour, by which the place is kept (T1).
    public var id: String
    /// The text.
    public var content: String
    /// The image, as the application names it.
    public var image: String
    /// What it points at, as the application names it.
    public var target: String
    /// Where the bubble stands beside its target.
    public var direction: Direction
    /// The revision of the tour that brought it (T6).
    public var sinceRevision: UInt32
    /// Whatever else the application wants back.
    public var attributes: Attributes

    /// Describes a step.
    public init(
        _ id: String, content: String = "", image: String = "", target: String = "", direction: Direction = .auto,
        sinceRevision: UInt32 = 0, attributes: Attributes = [:]
    ) {
        self.id = id
        self.content = content
        self.image = image
        self.target = target
        self.direction = direction
        self.sinceRevision = sinceRevision
        self.attributes = attributes
    }

    private static let known = Set((TourStepEntries.all + TourEntries.all).map(\.name))

    init(_ entries: DictionaryValue) {
        self.init(
            entries.string(TourStepEntries.id.name), content: entries.string(TourStepEntries.content.name),
            image: entries.string(TourStepEntries.image.name), target: entries.string(TourStepEntries.target.name),
            direction: Direction(rawValue: entries.string(TourStepEntries.direction.name)) ?? .auto,
            sinceRevision: entries[TourStepEntries.sinceRevision.name]?.integer() ?? 0,
            attributes: Attributes(entries, without: Self.known))
    }

    var builder: EntryBuilder {
        var builder = EntryBuilder()
        builder.add(TourStepEntries.id.name, id)
        builder.add(TourStepEntries.content.name, content)
        builder.add(TourStepEntries.image.name, image)
        builder.add(TourStepEntries.target.name, target)
        builder.add(TourStepEntries.direction.name, .string(direction.rawValue), unless: direction == .auto)
        builder.add(TourStepEntries.sinceRevision.name, .uint32(sinceRevision), unless: sinceRevision == 0)
        builder.addAll(attributes)
        return builder
    }
}

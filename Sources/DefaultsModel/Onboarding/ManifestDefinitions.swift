import DBusTypes

/// What an application's manifest defines: `a{sv}`s as `Define` takes them, checked when they were read.
public struct ManifestDefinitions: Hashable, Sendable {
    /// Guides by id.
    public var guides: [Identifier: GuideDefinition]
    /// Tours by id.
    public var tours: [Identifier: TourDefinition]
    /// Tips by id.
    public var tips: [Identifier: TipDefinition]

    /// Nothing, or what a manifest says.
    public init(
        guides: [Identifier: GuideDefinition] = [:], tours: [Identifier: TourDefinition] = [:],
        tips: [Identifier: TipDefinition] = [:]
    ) {
        self.guides = guides
        self.tours = tours
        self.tips = tips
    }

    /// Whether nothing is defined.
    public var isEmpty: Bool { guides.isEmpty && tours.isEmpty && tips.isEmpty }

    /// Lays what another manifest defines over this, id by id.
    public mutating func merge(_ other: ManifestDefinitions) {
        guides.merge(other.guides) { _, new in new }
        tours.merge(other.tours) { _, new in new }
        tips.merge(other.tips) { _, new in new }
    }
}

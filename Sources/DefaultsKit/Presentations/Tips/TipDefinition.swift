import DBusTypes
import DefaultsInterface

/// What a tip is: one hint, and when it is shown.
public struct TipDefinition: Hashable, Sendable {
    /// The title.
    public var title: String
    /// The text.
    public var message: String
    /// The image, as the application names it.
    public var image = ""
    /// What it points at, as the application names it.
    public var target = ""
    /// All must hold.
    public var rules: [TipRule]
    /// The revision of the content: a higher one makes it valid again.
    public var revision: UInt32 = 1
    /// After how many presentations it is used up; 0 for no limit (I1).
    public var maxDisplayCount: UInt32 = 0
    /// After what time on the screen, over all presentations, it is used up, in whole milliseconds; zero for no limit (I1).
    public var maxDisplayDuration = Duration.zero
    /// Whether it is shown however short a while after another (I2).
    public var ignoresFrequency = false
    /// The group of which one tip is available at a time; empty for none (I4).
    public var group = ""
    /// Whether it waits until all before it in its group are used up (I4).
    public var isOrdered = false
    /// Whatever else the presenter needs.
    public var attributes: Attributes

    /// Describes a tip; what isn't given here can be set.
    public init(title: String, message: String = "", rules: [TipRule] = [], attributes: Attributes = [:]) {
        self.title = title
        self.message = message
        self.rules = rules
        self.attributes = attributes
    }

    var builder: EntryBuilder {
        var builder = EntryBuilder()
        builder.add(TipDefinitionEntries.title.name, title)
        builder.add(TipDefinitionEntries.message.name, message)
        builder.add(TipDefinitionEntries.image.name, image)
        builder.add(TipDefinitionEntries.target.name, target)
        if !rules.isEmpty { builder.add(TipDefinitionEntries.rules.name, each: rules.map(\.builder)) }
        builder.add(TipDefinitionEntries.revision.name, .uint32(revision), unless: revision == 1)
        builder.add(TipDefinitionEntries.maxDisplayCount.name, .uint32(maxDisplayCount), unless: maxDisplayCount == 0)
        builder.add(TipDefinitionEntries.maxDisplayDuration.name, maxDisplayDuration, unless: .zero)
        builder.add(TipDefinitionEntries.ignoresFrequency.name, .boolean(true), unless: !ignoresFrequency)
        builder.add(TipDefinitionEntries.group.name, group)
        builder.add(TipDefinitionEntries.ordered.name, .boolean(true), unless: !isOrdered)
        builder.add(TipDefinitionEntries.attributes.name, attributes)
        return builder
    }
}

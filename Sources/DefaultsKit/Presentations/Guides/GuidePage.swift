import DBusTypes
import DefaultsInterface

/// One page of a guide.
public struct GuidePage: Hashable, Sendable {
    /// The title.
    public var title: String
    /// The text.
    public var text: String
    /// The image, as the application names it.
    public var image: String
    /// What the image shows, in words.
    public var alt: String
    /// Whatever else the application wants back.
    public var attributes: Attributes

    /// Describes a page.
    public init(title: String = "", text: String = "", image: String = "", alt: String = "", attributes: Attributes = [:]) {
        self.title = title
        self.text = text
        self.image = image
        self.alt = alt
        self.attributes = attributes
    }

    init(_ entries: DictionaryValue) {
        self.init(
            title: entries.string(GuidePageEntries.title.name), text: entries.string(GuidePageEntries.text.name),
            image: entries.string(GuidePageEntries.image.name), alt: entries.string(GuidePageEntries.alt.name),
            attributes: Attributes(entries, without: Set(GuidePageEntries.all.map(\.name))))
    }

    var builder: EntryBuilder {
        var builder = EntryBuilder()
        builder.add(GuidePageEntries.title.name, title)
        builder.add(GuidePageEntries.text.name, text)
        builder.add(GuidePageEntries.image.name, image)
        builder.add(GuidePageEntries.alt.name, alt)
        builder.addAll(attributes)
        return builder
    }
}

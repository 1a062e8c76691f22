import DBusTypes

/// How far a run of a guide is.
public struct GuidePlace: Hashable, Sendable {
    /// The page on the screen, from 0.
    public var page: Int

    /// Names a page.
    public init(page: Int) { self.page = page }

    /// The entries of the run's record.
    var stored: [(String, Value)] { [("page", .uint32(UInt32(clamping: page)))] }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored entries: DictionaryValue) {
        guard let page = entries["page"]?.get(as: UInt32.self) else { return nil }
        self.init(page: Int(page))
    }
}

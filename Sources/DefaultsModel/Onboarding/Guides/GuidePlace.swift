import DBusTypes

/// How far a run of a guide is.
public struct GuidePlace: Hashable, Sendable {
    /// The page on the screen, from 0.
    public var page: Int
    /// The furthest page reached, also in earlier runs that it goes on from.
    public var furthest: Int
    /// How many presentations of the guide count, this one too.
    public var attempts: UInt32

    /// Names a place.
    public init(page: Int, furthest: Int, attempts: UInt32) {
        self.page = page
        self.furthest = furthest
        self.attempts = attempts
    }

    /// The entries of the run's record.
    var stored: [(String, Value)] {
        [
            ("page", .uint32(UInt32(clamping: page))), ("furthest", .uint32(UInt32(clamping: furthest))),
            ("attempts", .uint32(attempts)),
        ]
    }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored entries: DictionaryValue) {
        guard let page = entries["page"]?.get(as: UInt32.self), let furthest = entries["furthest"]?.get(as: UInt32.self),
            let attempts = entries["attempts"]?.get(as: UInt32.self)
        else { return nil }
        self.init(page: Int(page), furthest: Int(furthest), attempts: attempts)
    }
}

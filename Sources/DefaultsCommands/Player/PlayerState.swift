import DBusTypes
import DefaultsInterface

/// How a run stands, as the daemon says.
struct PlayerState: Equatable {
    /// What is presented.
    let kind: PresentationKind
    /// The page's or step's heading; a tour's steps have none.
    var title = ""
    /// Its text.
    var text = ""
    /// Its image, and for a step what it points at, in words.
    var captions: [String] = []
    /// The page or step, from 0.
    var index = 0
    /// How many there are.
    var count = 1
    /// Whether it is the last.
    var isLast = true
    /// Whether the last page has a button.
    var hasButton = false
    /// The step's id.
    var step = ""
    /// The step's sequence.
    var sequence: UInt64 = 0
    /// How it ended; nil while it is presented.
    var outcome: String?
    /// Where a guide's countdown is.
    var countdown: ObjectPath?

    /// Whether it is the first.
    var isFirst: Bool { index == 0 }
}

extension PlayerState {
    /// Reads what a method answered or a signal said.
    init(_ kind: PresentationKind, _ entries: DictionaryValue) throws(Failure) {
        let reader = Entries(kind, entries)
        self.init(kind: kind)
        switch kind {
        case .guide: try readGuide(reader)
        case .tour: try readStep(reader)
        case .tip: readTip(reader)
        }
        switch try reader.text(GuideEntries.state) {
        case "finished", "released": outcome = try reader.text(GuideEntries.outcome)
        default: outcome = nil
        }
    }

    private mutating func readGuide(_ reader: Entries) throws(Failure) {
        index = try reader.number(GuideEntries.page)
        count = try reader.number(GuideEntries.count)
        isLast = try reader.flag(GuideEntries.isLast)
        hasButton = try reader.flag(GuideEntries.buttonVisible)
        if case .objectPath(let path)? = reader.entries[GuideEntries.countdown.name], path.text != "/" { countdown = path }
        let pages = try reader.pages()
        guard index < pages.count else { return }
        let page = Entries(kind, pages[index])
        title = page.optionalText(GuidePageEntries.title)
        text = page.optionalText(GuidePageEntries.text)
        captions = page.imageCaptions
    }

    private mutating func readStep(_ reader: Entries) throws(Failure) {
        index = try reader.number(TourEntries.index)
        count = try reader.number(TourEntries.count)
        isLast = try reader.flag(TourEntries.isLast)
        step = try reader.text(TourEntries.id)
        sequence = try reader.get(TourEntries.sequence) { $0.integer() }
        text = reader.optionalText(TourStepEntries.content)
        captions = reader.imageCaptions + reader.targetCaptions
    }

    private mutating func readTip(_ reader: Entries) {
        title = reader.optionalText(TipDefinitionEntries.title)
        text = reader.optionalText(TipDefinitionEntries.message)
        captions = reader.imageCaptions + reader.targetCaptions
    }
}

extension PlayerState {
    /// The pages of a guide, each as the state that it would be shown in.
    static func pages(of guide: DictionaryValue) throws(Failure) -> [PlayerState] {
        let pages = try Entries(.guide, guide).pages()
        return pages.enumerated().map { index, page in
            let reader = Entries(.guide, page)
            return PlayerState(
                kind: .guide, title: reader.optionalText(GuidePageEntries.title),
                text: reader.optionalText(GuidePageEntries.text),
                captions: reader.imageCaptions, index: index, count: pages.count, isLast: index == pages.count - 1)
        }
    }
}

/// Reads entries that must be there, and some that needn't.
private struct Entries {
    let kind: PresentationKind
    let entries: DictionaryValue

    init(_ kind: PresentationKind, _ entries: DictionaryValue) {
        self.kind = kind
        self.entries = entries
    }

    func get<T>(_ entry: DictionaryEntry, _ read: (Value) -> T?) throws(Failure) -> T {
        guard let value = entries[entry.name].flatMap(read) else {
            throw Failure("defaultsd answered with a \(kind.rawValue) that has no entry \"\(entry.name)\"", status: .unavailable)
        }
        return value
    }

    func number(_ entry: DictionaryEntry) throws(Failure) -> Int { try get(entry) { $0.integer() } }

    func flag(_ entry: DictionaryEntry) throws(Failure) -> Bool { try get(entry) { $0.get() } }

    func text(_ entry: DictionaryEntry) throws(Failure) -> String { try get(entry) { $0.get() } }

    func optionalText(_ entry: DictionaryEntry) -> String { entries[entry.name]?.get() ?? "" }

    func pages() throws(Failure) -> [DictionaryValue] {
        try get(GuideDefinitionEntries.pages) { value in
            guard case .array(let array) = value else { return nil }
            return array.values.compactMap(\.dictionary)
        }
    }

    /// The image's name and what it shows.
    var imageCaptions: [String] {
        let image = optionalText(GuidePageEntries.image)
        let alt = optionalText(GuidePageEntries.alt)
        if image.isEmpty { return alt.isEmpty ? [] : ["[image: \(alt)]"] }
        return [alt.isEmpty ? "[image \(image)]" : "[image \(image): \(alt)]"]
    }

    var targetCaptions: [String] {
        let target = optionalText(TourStepEntries.target)
        let direction = optionalText(TourStepEntries.direction)
        if target.isEmpty { return [] }
        return [direction.isEmpty || direction == "auto" ? "[at \(target)]" : "[at \(target), \(direction)]"]
    }
}

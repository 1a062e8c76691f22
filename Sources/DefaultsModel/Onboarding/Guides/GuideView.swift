import DBusTypes

/// A guide as a caller is told of it: where it is, with the entries of its definition.
struct GuideView {
    let state: String
    let outcome: String
    let place: GuidePlace
    /// Where its countdown is; `/` for none.
    let countdown: ObjectPath
    /// What it shows.
    let content: GuideDefinition
    /// The attributes in effect; nil where there are none.
    let attributes: Value?

    /// The `a{sv}` of the interface.
    var dictionary: Value {
        let isLast = place.page == content.pageCount - 1
        var entries: [(String, Value)] = [
            ("state", .string(state)), ("page", .uint32(UInt32(clamping: place.page))),
            ("count", .uint32(UInt32(clamping: content.pageCount))), ("is_first", .boolean(place.page == 0)),
            ("is_last", .boolean(isLast)), ("button_visible", .boolean(isLast && content.completion == .button)),
            ("furthest", .uint32(UInt32(clamping: place.furthest))), ("attempts", .uint32(place.attempts)),
            ("outcome", .string(outcome)), ("countdown", .objectPath(countdown)),
        ]
        for entry in content.entries.entries {
            guard case .string(let name) = entry.key, case .variant(let value) = entry.value else { continue }
            if name == "countdown" || name == "attributes" { continue }
            entries.append((name, value))
        }
        if let attributes { entries.append(("attributes", attributes)) }
        return .vardict(entries)
    }
}

extension StateView {
    /// A run of a guide as a caller is told of it; throws `Unavailable` where what it shows can't be read.
    func view(of run: Run, _ place: GuidePlace) throws(ModelError) -> Value {
        guard let content = guideContent(of: run) else {
            throw .unavailable("what run \(run.id) shows can't be read")
        }
        return view(of: run, place, content, inEffect: definedGuide(run.app, run.item, files: files)?.definition).dictionary
    }

    /// A run of a guide that shows `content`, with the attributes of the definition that is in effect, where there still is one.
    func view(of run: Run, _ place: GuidePlace, _ content: GuideDefinition, inEffect: GuideDefinition?) -> GuideView {
        GuideView(
            state: run.state.rawValue, outcome: run.outcome, place: place,
            countdown: run.countdown.flatMap(CountdownID.init(recordKey:))?.path ?? .root, content: content,
            attributes: Self.attributes(of: content, inEffect: inEffect))
    }

    /// A guide that isn't presented as a caller is told of it.
    func view(of guide: EffectiveGuide, in app: DomainName) throws(ModelError) -> Value {
        let (state, progress) = try standing(app, guide, among: liveRuns)
        let page = min(progress.page, guide.definition.pageCount - 1)
        return GuideView(
            state: state, outcome: progress.outcome?.rawValue ?? "",
            place: GuidePlace(page: page, furthest: progress.furthest, attempts: progress.attempts), countdown: .root,
            content: guide.definition, attributes: guide.definition.attributes
        ).dictionary
    }

    /// What a run shows, as it was when the run began; nil where it is damaged.
    func guideContent(of run: Run) -> GuideDefinition? {
        content(of: run).flatMap { GuideDefinition(stored: .dictionary($0)) }
    }

    /// What a presenter is told when another definition takes effect: nothing where the attributes are the same (G4).
    func changing(_ run: Run, to new: GuideDefinition?, from old: GuideDefinition?) -> [Announcement] {
        guard run.isLive, case .guide(let place) = run.place, let content = guideContent(of: run) else { return [] }
        let after = Self.attributes(of: content, inEffect: new)
        guard after != Self.attributes(of: content, inEffect: old) else { return [] }
        let view = view(of: run, place, content, inEffect: new)
        return [.presentation(PresentationSignal(run, .guideChanged(view.dictionary)))]
    }

    /// Attributes that were taken away are told as empty: a presenter has put them into effect.
    private static func attributes(of content: GuideDefinition, inEffect: GuideDefinition?) -> Value? {
        guard let inEffect else { return content.attributes }
        return inEffect.attributes ?? content.attributes.map { _ in .vardict([]) }
    }
}

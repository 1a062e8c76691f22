import DBusTypes

/// A run of a tour, with the steps that it shows: those of the definition as it was when it began.
struct TourRun {
    var run: Run
    var place: TourPlace {
        didSet { run.place = .tour(place) }
    }
    let definition: TourDefinition
    let steps: [TourStep]
    /// The attributes of the definition in effect (G4).
    let attributes: DictionaryValue

    /// Nil where the place isn't among the steps, which is damage.
    init?(_ run: Run, _ place: TourPlace, _ definition: TourDefinition, attributes: DictionaryValue) {
        self.run = run
        self.place = place
        self.definition = definition
        self.attributes = attributes
        steps = definition.steps(newerThan: place.newerThan)
        guard steps.indices.contains(place.step) else { return nil }
    }

    /// The step on the screen.
    var step: TourStep { steps[place.step] }

    var isLast: Bool { place.step == steps.count - 1 }

    /// The steps that were shown, with the one on the screen.
    var shownNow: [Identifier] {
        var place = place
        place.markShown(step.id)
        return place.shown
    }

    /// The place of a step of the run; throws `NotFound` for one that it doesn't have.
    func place(of id: String) throws(ModelError) -> Int {
        guard let place = steps.firstIndex(where: { $0.id.text.hasSameBytes(as: id) }) else {
            throw .notFound(
                "run \(run.id) of tour \"\(run.item)\" has no step \(Value.string(id).shortDescription); its steps are "
                    + steps.map { "\"\($0.id)\"" }.joined(separator: ", "))
        }
        return place
    }

    /// The step as an `a{sv}`, every entry present.
    func dictionary(isStale: Bool = false, hasChanged: Bool = false) -> Value {
        TourAnswer(
            steps: steps, index: place.step, sequence: place.sequence, state: run.state.rawValue, outcome: run.outcome,
            attributes: attributes
        ).dictionary(isStale: isStale, hasChanged: hasChanged)
    }
}

/// What the calls about a tour return of its step.
struct TourAnswer {
    let steps: [TourStep]
    let index: Int
    let sequence: UInt64
    let state: String
    let outcome: String
    let attributes: DictionaryValue

    /// The `a{sv}`; a step's own `attributes` hide the tour's.
    func dictionary(isStale: Bool = false, hasChanged: Bool = false) -> Value {
        let step = steps[index]
        var entries: [(String, Value)] = [
            ("id", .string(step.id.text)), ("index", .uint32(UInt32(clamping: index))),
            ("count", .uint32(UInt32(clamping: steps.count))), ("sequence", .uint64(sequence)),
            ("is_first", .boolean(index == 0)), ("is_last", .boolean(index == steps.count - 1)), ("state", .string(state)),
            ("outcome", .string(outcome)), ("stale", .boolean(isStale)), ("changed", .boolean(hasChanged)),
        ]
        for entry in step.entries.entries {
            guard case .string(let name) = entry.key, case .variant(let value) = entry.value, name != "id" else { continue }
            entries.append((name, value))
        }
        if step.entries["attributes"] == nil { entries.append(("attributes", .dictionary(attributes))) }
        return .vardict(entries)
    }
}

extension StateView {
    /// A run of a tour with what it shows; throws `Unavailable` where that is damaged (P8).
    func tourRun(_ run: Run) throws(ModelError) -> TourRun {
        guard case .tour(let place) = run.place, let content = content(of: run),
            let definition = try? TourDefinition(stored: content),
            let tourRun = TourRun(run, place, definition, attributes: attributes(for: run, from: definition))
        else { throw .unavailable("what run \(run.id) of tour \"\(run.item)\" shows can't be read; Tours.Start begins another") }
        return tourRun
    }

    /// The attributes of the definition in effect, or where the tour isn't defined any more, those with which the run began.
    private func attributes(for run: Run, from definition: TourDefinition) -> DictionaryValue {
        guard let tour = try? tour(run.app, run.item) else { return definition.attributes }
        return tour.definition.attributes
    }
}

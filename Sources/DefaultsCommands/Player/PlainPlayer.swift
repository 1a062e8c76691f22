import DBusTypes
import DefaultsInterface

/// Prints a guide, a tour or a tip where there is no terminal to play it in, and leaves it to be seen.
struct PlainPlayer {
    /// The most steps that a tour has.
    private static let mostSteps = 64

    let presenter: Presenter
    let output: Output

    /// Prints all of it.
    ///
    /// Guides and tours are released, so that they stay due and cost no attempt; a tip has been shown once more.
    func print() throws(Failure) -> ExitStatus {
        switch presenter.kind {
        case .guide:
            let begun = try presenter.begin()
            try presenter.finish(begun.run, presenter.kind.unseen)
            try output.result(.dictionary(begun.entries)) { [] }
            if output.json == nil { try print(try PlayerState.pages(of: begun.entries)) }
        case .tour: try printTour()
        case .tip:
            let begun = try presenter.begin()
            try presenter.finish(begun.run, presenter.kind.unseen)
            try output.result(.dictionary(begun.entries)) { PlayerView.plain(begun.state) }
        }
        output.inform("there is no terminal to play it in: \(presenter.kind.unseen)")
        return .success
    }

    /// Steps come one by one, so a second run goes through them, of which nothing is recorded: the first keeps its place.
    private func printTour() throws(Failure) {
        if !presenter.isReplay { try presenter.finish(try presenter.begin().run, presenter.kind.unseen) }
        let begun = try presenter.begin(isReplay: true)
        var steps = [begun.entries]
        var state = begun.state
        while !state.isLast, steps.count < Self.mostSteps {
            let (member, arguments) = presenter.message(.forward(state), run: begun.run)
            steps.append(try presenter.daemon.call(presenter.kind.interface, member, arguments).dictionary(0))
            state = try PlayerState(.tour, steps[steps.count - 1])
        }
        try presenter.finish(begun.run, presenter.kind.unseen)
        let value = Value.array(
            ArrayValue(unchecked: steps.map { .dictionary($0) }, of: .dictionary(key: .string, value: .variant)))
        try output.result(value) { [] }
        guard output.json == nil else { return }
        var states: [PlayerState] = []
        for step in steps { states.append(try PlayerState(.tour, step)) }
        try print(states)
    }

    /// With an empty line between two.
    private func print(_ states: [PlayerState]) throws(Failure) {
        for (index, state) in states.enumerated() {
            if index > 0 { try output.line("") }
            for line in PlayerView.plain(state) { try output.line(line) }
        }
    }
}

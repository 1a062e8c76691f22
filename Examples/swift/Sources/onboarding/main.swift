// A guide with a button, a tour and a tip in a terminal: each line of input is a tap, the end of the input closes the window.
import DefaultsKit

let defaults = Defaults(app: "org.example.Swift")
let welcome = GuideDefinition(
    pages: [GuidePage(title: "Write"), GuidePage(title: "Share")], completion: .button,
    attributes: ["indicator-color": "#3584e4"])
let toolbar = TourDefinition(steps: [TourStep("open", target: "open-button"), TourStep("share", target: "share-button")])
let filter = TipDefinition(title: "Filter your photos", rules: [.event("opened", .greaterOrEqual, 2)])

do {
    try await defaults.define(guide: "welcome", welcome)
    try await defaults.define(tour: "toolbar", toolbar)
    try await defaults.define(tip: "filter", filter)
} catch {
    print("nothing will be shown: \(error)")
}

let launch = await defaults.launch(version: "1.0")
print("launch \(launch.launches): \(launch.kind)")

switch await defaults.present(guide: "welcome") {
case .show(let guide):
    for await state in guide {
        if let outcome = state.outcome {
            print("the guide is over: \(outcome)")
            break
        }
        let button = state.isButtonVisible ? " [Start]" : ""
        print("page \(state.page + 1) of \(state.count): \(state.current.title)\(button)")
        let isTapped = readLine() != nil
        if !isTapped || state.isButtonVisible {
            try await guide.finish(isTapped ? .completed : .dismissed)
        } else {
            try await guide.advance()
        }
    }
case .skip(let reason): print("no guide: \(reason)")
}

switch await defaults.start(tour: "toolbar") {
case .show(let tour):
    while tour.outcome == nil {
        print("step \(tour.state.step.id), at \(tour.state.step.target)")
        try await tour.next(after: tour.state)
    }
    print("the tour is over: \(tour.outcome?.rawValue ?? "")")
case .skip(let reason): print("no tour: \(reason)")
}

if launch.kind != .unknown { try await defaults.donate("opened") }
switch await defaults.present(tip: "filter") {
case .show(let tip):
    print("tip: \(tip.state.title)")
    try await tip.finish(.closed)
case .skip(let reason): print("no tip: \(reason)")
}

import DefaultsKit

enum Theme: String, DefaultsValue { case light, dark }

extension Keys {
    static let theme = Key<Theme>("theme", default: .light)
    static let windows = Key<Int>("windows-opened", default: 0)
}

let defaults = Defaults(app: "org.example.Editor")

let launch = await defaults.launch(version: "1.10")
print(launch.kind, "after", launch.previousVersion.isEmpty ? "nothing" : launch.previousVersion)

defaults[.theme] = .dark  // This process sees it at once; the others when it is on disk,
try await defaults.set(.dark, for: .theme).onDisk()  // which can be waited for.
print(defaults[.theme], try await defaults.increment(.windows))

let splash = defaults.countdown(.milliseconds(300), Countdown.Options(tick: .milliseconds(100)))
for await event in splash {
    switch event {
    case .tick(let tick): print(tick.remainingTicks)
    case .skipAvailable: break
    case .finished(let reason): print(reason)
    }
}

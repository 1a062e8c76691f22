import DBusTypes

/// The answers that one user's connections got to Record: a connection that asks again for the same version gets the same (L2).
///
/// In memory only; one value a user. Each connection has at most one answer an application, its latest: what it then asks for another
/// version is a launch of its own.
public struct StickyAnswers: Sendable {
    /// How many applications' answers are kept for one connection; the oldest goes first.
    public static let maximumAppsPerCaller = 64

    private struct Answer: Sendable {
        let app: DomainName
        let version: Version
        let launch: Launch
    }

    private var answers: [BusName: [Answer]] = [:]

    /// Keeps nothing yet.
    public init() {}

    /// How many connections have answers.
    public var callerCount: Int { answers.count }

    /// The answer that `caller` got to its latest Record for `app`, if that was for the same version; nil otherwise.
    public func answer(caller: BusName, app: DomainName, version: Version) -> Launch? {
        guard let answer = answers[caller]?.first(where: { $0.app == app }), version.change(from: answer.version) == .same else {
            return nil
        }
        return answer.launch
    }

    /// Keeps an answer, from when it is computed: the same connection may ask again before it is on disk.
    public mutating func remember(_ launch: Launch, caller: BusName, app: DomainName, version: Version) {
        var kept = answers[caller, default: []]
        kept.removeAll { $0.app == app }
        kept.append(Answer(app: app, version: version, launch: launch))
        if kept.count > Self.maximumAppsPerCaller { kept.removeFirst() }
        answers[caller] = kept
    }

    /// Drops the answers of a connection that has gone.
    public mutating func forget(caller: BusName) { answers[caller] = nil }

    /// Drops one answer, which didn't reach the disk after all.
    public mutating func forget(caller: BusName, app: DomainName) {
        answers[caller]?.removeAll { $0.app == app }
        if answers[caller]?.isEmpty == true { answers[caller] = nil }
    }

    /// Drops the answers about an application whose launches were forgotten.
    public mutating func forget(app: DomainName) {
        for caller in answers.keys { forget(caller: caller, app: app) }
    }
}

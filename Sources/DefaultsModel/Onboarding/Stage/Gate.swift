/// What can stand between an application's wish to present something and its being shown (S2); the raw value is the reason on the wire.
///
/// In their order: permanent ones first, so that `busy` always means "try again".
public enum Gate: String, Hashable, Sendable, CaseIterable {
    /// The administrator's policy (S3).
    case policy
    /// No launch of the application is on record (G6).
    case notRecorded = "not_recorded"
    /// The history of launches begins after a loss of data (P9).
    case unknownLaunch = "unknown_launch"
    /// The user has ended it (G1).
    case seen
    /// It was begun and broken off too often (G2).
    case abandoned
    /// It is about a version that doesn't run yet (G4).
    case version
    /// It is meant for other users (G6).
    case audience
    /// The update was too small for it (G6).
    case significance
    /// The tip is used up (I3).
    case invalid
    /// The user has put the tip off.
    case snoozed
    /// Another tip of its group is first (I4).
    case group
    /// The application showed a new tip too short a while ago (I2).
    case frequency
    /// Some application showed a new tip too short a while ago (I2).
    case budget
    /// The tip's rules don't hold.
    case rules
    /// Someone has nothing new shown.
    case inhibited
    /// Something else is presented (S1).
    case busy
}

/// One gate, and how it was found.
public struct GateCheck: Hashable, Sendable {
    /// The gate.
    public let gate: Gate
    /// Whether it lets pass.
    public let isPassed: Bool
    /// Why, with the data used: a sentence for people.
    public let why: String
}

/// The gates of one item, checked in order.
///
/// Without `isExplaining` checking ends in effect at the first that fails and no sentence is made.
public struct GateList: Sendable {
    /// Whether every gate is checked, with its sentence (S4).
    public let isExplaining: Bool
    /// The gates checked so far; where nothing is to be explained, only the one that failed.
    public private(set) var checks: [GateCheck] = []

    /// An empty list.
    public init(explaining isExplaining: Bool = false) { self.isExplaining = isExplaining }

    /// The first gate that doesn't let pass; nil where all do.
    public var closed: Gate? { checks.first { !$0.isPassed }?.gate }

    /// The reason on the wire: the first gate that doesn't let pass, empty where all do.
    public var reason: String { closed?.rawValue ?? "" }

    /// Checks the next gate.
    public mutating func check(_ gate: Gate, _ isPassed: @autoclosure () -> Bool, _ why: @autoclosure () -> String) {
        if isExplaining {
            checks.append(GateCheck(gate: gate, isPassed: isPassed(), why: why()))
        } else if checks.isEmpty, !isPassed() {
            checks.append(GateCheck(gate: gate, isPassed: false, why: ""))
        }
    }
}

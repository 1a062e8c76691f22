import DBusTypes
import DefaultsInterface
import LibDBus

/// One run as this process knows it: it follows the daemon's word, and does what is asked for by the daemon's rules where that is away.
protocol LocalRun: Sendable {
    /// What a program is told.
    associatedtype State: FollowedState
    /// What a program can do.
    associatedtype Action: Sendable

    /// One call.
    typealias Call = (member: MemberName, arguments: [Value])

    /// Where its calls go, and its signals come from.
    static var interface: InterfaceName { get }
    /// The signal of the end; its fourth argument is the outcome.
    static var finished: MemberName? { get }
    /// The call that begins one.
    static var begin: MemberName { get }

    /// Where it is.
    var state: State { get }
    /// Whether it ended so that there is nothing to record.
    var isGivenBack: Bool { get }

    /// Takes what Present or Start answered; nil for what is none.
    init?(_ entries: DictionaryValue)

    /// Takes over what an answer says.
    mutating func follow(_ entries: DictionaryValue)

    /// Takes over what a signal says, without its first three arguments; true where the daemon must be asked for the rest.
    mutating func follow(_ signal: MemberName, _ arguments: [Value]) -> Bool

    /// Takes note of an end that came without a call.
    mutating func end(_ outcome: String)

    /// Does it here.
    mutating func act(_ action: Action) throws(DefaultsError)

    /// The call that has the daemon do it.
    func call(_ action: Action, _ run: UInt64) -> Call

    /// The action that gives the run back.
    static var release: Action { get }

    /// A call that changes nothing and is answered with where the run is; nil where there is none.
    func question(_ run: UInt64) -> Call?

    /// The call that brings the daemon's run to where this is; nil where that is not to be done.
    func catchUp(_ run: UInt64) -> Call?
}

/// What a link passes signals to, and tells of the daemon's coming and going.
protocol FollowedRun: AnyObject {
    /// The number of the run.
    var run: UInt64 { get }
    /// Whether it has ended, so that it keeps no connection open.
    var isEnded: Bool { get }
    func take(_ signal: MemberName, _ arguments: [Value])
    func daemonLeft()
    func daemonCame()
}

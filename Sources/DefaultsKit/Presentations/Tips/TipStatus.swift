import DBusTypes
import DefaultsInterface
import LibDBus

/// Whether a tip would be shown now, and why not.
public struct TipStatus: Hashable, Sendable {
    /// Which tip.
    public let id: String
    /// Whether it would be shown now.
    public let isAvailable: Bool
    /// Why not; nil where it is available.
    public let reason: SkipReason?

    init(_ id: String, isAvailable: Bool, _ reason: String) {
        self.id = id
        self.isAvailable = isAvailable
        self.reason = isAvailable ? nil : SkipReason(rawValue: reason)
    }
}

/// The tips of an application as they become available or no longer are, sorted by id, beginning with how they are now.
///
/// It ends with the task that loops over it. While the daemon is away none is available.
public struct TipStatuses: AsyncSequence, Sendable {
    let defaults: Defaults

    /// Begins to follow them.
    public func makeAsyncIterator() -> Iterator {
        let (domain, board) = (defaults.domain, StateBoard<TipFollower.Statuses>(nil))
        domain.link.runtime.run { domain.link.tips(of: domain).add(board) }
        return Iterator(defaults: defaults, board: board, buffer: board.makeBuffer())
    }

    /// One loop's place in the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let defaults: Defaults
        fileprivate let board: StateBoard<TipFollower.Statuses>
        fileprivate let buffer: StateBuffer<TipFollower.Statuses>

        /// The newest statuses not seen yet, as soon as there are any; nil once the task is cancelled.
        public func next() async -> [TipStatus]? { await next(isolation: nil) }

        /// The newest statuses not seen yet, as soon as there are any; nil once the task is cancelled.
        public func next(isolation actor: isolated (any Actor)?) async -> [TipStatus]? { await buffer.next {}?.tips }
    }
}

/// The statuses of one application's tips, followed by their signals.
final class TipFollower {
    // On the runtime's thread.

    struct Statuses: FollowedState {
        var tips: [TipStatus] = []
        var isFinal: Bool { false }
    }

    private struct Weak {
        weak var board: StateBoard<Statuses>?
    }

    private let domain: Domain
    private var statuses: [String: TipStatus]?
    private var boards: [Weak] = []
    private var isAsking = false
    private var isAskingAgain = false

    init(_ domain: Domain) { self.domain = domain }

    func add(_ board: StateBoard<Statuses>) {
        boards.removeAll { $0.board == nil }
        boards.append(Weak(board: board))
        if let current { board.tell(current) } else { ask() }
    }

    private var current: Statuses? { statuses.map { Statuses(tips: $0.values.sorted { $0.id < $1.id }) } }

    private func tell() {
        guard let current else { return }
        boards.removeAll { $0.board == nil }
        for board in boards { board.board?.tell(current) }
    }

    /// Subscribes to the signals of the application, and asks how its tips are.
    private func ask() {
        guard !isAsking else {
            isAskingAgain = true
            return
        }
        isAsking = true
        let link = domain.link
        let follower = Carried(follower: self)
        domain.refresh { isFresh in
            let follower = follower.follower
            // Where the page shows that nothing changed, the subscription stands already.
            guard isFresh else { return follower.answered(nil) }
            link.call(TipsInterface.name, TipsInterface.evaluate, [.string(follower.domain.name)]) { result in
                if case .success(let reply) = result { follower.answered(reply) } else { follower.answered(nil) }
            }
        }
    }

    /// On its way within the runtime's thread.
    private struct Carried: @unchecked Sendable {
        let follower: TipFollower
    }

    private func answered(_ reply: [Value]?) {
        isAsking = false
        var known: [String: TipStatus] = [:]
        if case .array(let rows)? = reply?.first {
            for case .structure(let fields) in rows.values where fields.count == 3 {
                let id = fields[0].get(as: String.self) ?? ""
                known[id] = TipStatus(
                    id, isAvailable: fields[1].get(as: Bool.self) ?? false, fields[2].get(as: String.self) ?? "")
            }
            statuses = known
        } else {
            makeUnavailable()
        }
        tell()
        if isAskingAgain {
            isAskingAgain = false
            ask()
        }
    }

    private func makeUnavailable() {
        statuses = (statuses ?? [:]).mapValues {
            TipStatus($0.id, isAvailable: false, SkipReason.unavailable.rawValue)
        }
    }

    func take(_ signal: MemberName, _ arguments: [Value]) {
        guard signal == TipsInterface.statusChanged, statuses != nil, arguments.count == 4,
            let id = arguments[1].get(as: String.self), let isAvailable = arguments[2].get(as: Bool.self),
            let reason = arguments[3].get(as: String.self)
        else { return }
        statuses?[id] = TipStatus(id, isAvailable: isAvailable, reason)
        tell()
    }

    func daemonLeft() {
        guard statuses != nil else { return }
        makeUnavailable()
        tell()
    }

    func daemonCame() {
        if !boards.isEmpty { ask() }
    }
}

import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("The board of countdowns")
struct CountdownBoardTests {
    private static func owner(_ number: Int, user: UInt32 = 1000) -> CountdownOwner {
        CountdownOwner(name: BusName(":1.\(number)") ?? ":1.0", user: user)
    }

    private func limit(_ desk: CountdownDesk, _ token: String, owner: CountdownOwner) -> String {
        var board = desk.board
        let error = #expect(throws: ModelError.self) {
            try board.start(token: token, spec: CountdownSpec(), owner: owner, at: desk.now)
        }
        #expect(error?.code == .limitExceeded)
        #expect(board.liveCount == desk.board.liveCount)
        return error?.message ?? ""
    }

    @Test("C8: 16 live a connection; an end makes room, a replacement needs none")
    func perConnection() throws {
        var desk = CountdownDesk()
        let ids = try (0..<16).map { try desk.start("t\($0)") }
        #expect(limit(desk, "more", owner: CountdownDesk.alice).contains("it may have 16"))
        try desk.start("t3", CountdownSpec { $0.replace = true })
        try desk.start("t0", owner: Self.owner(7))
        try desk.take(desk.board.cancel(ids[5], at: desk.now))
        try desk.start("more")
        #expect(limit(desk, "t5", owner: CountdownDesk.alice).contains("16"))
    }

    @Test("P15: an application in a sandbox has the countdowns of its own, also after a restart")
    func sandboxed() throws {
        let app = try #require(DomainName("org.example.App"))
        var desk = CountdownDesk()
        try desk.start("outside")
        let owner = CountdownOwner(name: ":1.7", user: 1000, app: app)
        let reply = try desk.board.start(token: "inside", spec: CountdownSpec(), owner: owner, at: desk.now)
        #expect(desk.board.list(user: 1000, app: app, at: desk.now).map(\.id) == [reply.id])
        #expect(desk.board.list(user: 1000, app: DomainName("org.example.Other"), at: desk.now).isEmpty)
        #expect(desk.board.list(user: 1000, at: desk.now).count == 2)
        let record = try #require(reply.record)
        desk.board = CountdownBoard(bootID: "boot", busGUID: "bus")
        let restoration = desk.board.restore(
            [reply.id.recordKey: record], user: 1000, isConnected: { _ in true }, at: desk.now)
        #expect(restoration.restored == [reply.id])
        #expect(desk.board.owner(of: reply.id, at: desk.now) == owner)
    }

    @Test("C8: 256 a user, over all connections")
    func perUser() throws {
        var desk = CountdownDesk()
        for number in 0..<256 { try desk.start("t\(number % 16)", owner: Self.owner(number / 16)) }
        #expect(limit(desk, "t", owner: Self.owner(99)).contains("a user may have 256"))
        try desk.start("t", owner: Self.owner(99, user: 1001))
        desk.note(desk.board.ownerLost(":1.3", at: desk.now))
        #expect(desk.board.list(user: 1000, at: desk.now).count == 240)
        try desk.start("t", owner: Self.owner(98))
    }

    @Test("C8: 10,000 in all")
    func total() throws {
        var desk = CountdownDesk()
        for number in 0..<10_000 {
            try desk.start("t\(number % 16)", owner: Self.owner(number / 16, user: UInt32(number / 160)))
        }
        #expect(limit(desk, "t", owner: Self.owner(9_999, user: 9_999)).contains("10000 in all"))
        try desk.start("t0", CountdownSpec { $0.replace = true }, owner: Self.owner(0, user: 0))
    }

    @Test("--limits=none: one connection may have as many as it likes")
    func unlimited() throws {
        var desk = CountdownDesk(limits: .none)
        for number in 0..<10_001 { try desk.start("t\(number)") }
        #expect(desk.board.liveCount == 10_001)
    }

    @Test("C8: when the owner's connection ends its countdowns end as owner_lost, but for those that go on")
    func ownerLost() throws {
        var desk = CountdownDesk()
        try desk.start("a")
        let on = try desk.start("b", CountdownSpec { $0.onOwnerLost = .continue })
        try desk.start("c", CountdownSpec { $0.start = .whenReady })
        try desk.start("other", owner: Self.owner(7))
        desk.run(500)
        _ = desk.look()
        let actions = desk.board.ownerLost(":1.42", at: desk.now)
        desk.note(actions)
        let lost = CountdownEvent.finished(.ownerLost, lateMilliseconds: 0)
        #expect(desk.look() == ["a", "c"].map { CountdownDesk.Sent(500, lost, token: $0) })
        #expect(actions.allSatisfy { $0.forgets })
        let again = desk.board.ownerLost(":1.42", at: desk.now)
        #expect(again.isEmpty)
        desk.run(9_500)
        #expect(desk.sent.filter { $0.token == "b" }.last?.event == .finished(.elapsed, lateMilliseconds: 0))
        #expect(desk.board.liveCount == 0)
        #expect(desk.board.owner(of: on, at: desk.now) != nil)
    }

    @Test("A connection lost after the deadline, before the loop saw it: elapsed, not owner_lost")
    func ownerLostTooLate() throws {
        var desk = CountdownDesk()
        try desk.start("a", CountdownSpec(duration: 1_000))
        desk.now = desk.now.after(milliseconds: 1_000)
        let actions = desk.board.ownerLost(":1.42", at: desk.now)
        #expect(actions.last?.event == .finished(.elapsed, lateMilliseconds: 0))
    }

    @Test("List gives a user's countdowns in the order started, whatever places they have")
    func list() throws {
        var desk = CountdownDesk()
        let ids = try ["a", "b", "c"].map { try desk.start($0) }
        try desk.start("theirs", owner: Self.owner(7, user: 1001))
        try desk.take(desk.board.cancel(ids[0], at: desk.now))
        try desk.start("d")
        #expect(desk.board.list(user: 1000, at: desk.now).map(\.id.token) == ["b", "c", "d"])
        #expect(desk.board.list(user: 1001, at: desk.now).map(\.state.owner) == [":1.7"])
        #expect(desk.board.list(user: 1002, at: desk.now).isEmpty)
    }

    @Test("A held countdown is silent and sets no timer; its release gives the newest tick, with what it missed")
    func hold() throws {
        var desk = CountdownDesk()
        let reply = try desk.board.start(token: "t", spec: CountdownSpec(), owner: CountdownDesk.alice, at: desk.now)
        desk.board.hold(reply.id)
        #expect(desk.board.nextDeadline.boottime == nil)
        desk.stall(2_500)
        #expect(desk.sent.isEmpty)
        desk.note(reply.afterReply)
        desk.note(desk.board.release(reply.id, at: desk.now))
        #expect(
            desk.look().map(\.event) == [
                .tick(remainingTicks: 10, remainingMilliseconds: 10_000, missed: 0),
                .tick(remainingTicks: 8, remainingMilliseconds: 7_500, missed: 1),
            ])
        desk.run(10_000)
        #expect(desk.ticks == [7, 6, 5, 4, 3, 2, 1, 0])
    }

    @Test("Holds nest; a release beyond the end ends it; one that ended meanwhile needs no release")
    func nestedHolds() throws {
        var desk = CountdownDesk()
        let id = try desk.start("t", CountdownSpec(duration: 1_000))
        _ = desk.look()
        desk.board.hold(id)
        desk.board.hold(id)
        desk.stall(1_500)
        #expect(desk.board.release(id, at: desk.now).isEmpty)
        let actions = desk.board.release(id, at: desk.now)
        #expect(
            actions.map(\.event) == [
                .tick(remainingTicks: 0, remainingMilliseconds: 0, missed: 0), .finished(.elapsed, lateMilliseconds: 500),
            ])
        #expect(actions.map(\.forgets) == [false, true])
        #expect(desk.board.release(id, at: desk.now).isEmpty)

        let other = try desk.start("u")
        desk.board.hold(other)
        try desk.take(desk.board.skip(other, at: desk.now))
        #expect(desk.board.release(other, at: desk.now).isEmpty)
        desk.board.hold(other)
        #expect(desk.board.liveCount == 0)
    }

    @Test("What has ended is forgotten: neither starts and cancels in a loop, nor rest, fill the memory")
    func finishedIsBounded() throws {
        var desk = CountdownDesk()
        var last: CountdownID?
        for number in 0..<25_000 {
            let id = try desk.start("t\(number)")
            try desk.take(desk.board.cancel(id, at: desk.now))
            desk.sent = []
            last = id
        }
        #expect(desk.board.finished.count == FinishedCountdowns.maximumCount)
        #expect(desk.board.slots.count == 1)
        #expect(try desk.board.owner(of: #require(last), at: desk.now) != nil)
        desk.now = desk.now.after(milliseconds: 5_000)
        try desk.take(desk.board.cancel(desk.start("t"), at: desk.now))
        #expect(desk.board.finished.count == 1)
    }
}

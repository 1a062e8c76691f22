import Support
import Testing

@testable import DefaultsStore

/// The queue between the loop's thread and the store's.
@Suite struct HandOverTests {
    @Test("Only the item that comes first into an empty queue needs a wake-up")
    func wakesOnce() {
        let queue = HandOver<Int>()
        #expect(queue.isEmpty)
        #expect(queue.append(1))
        #expect(!queue.append(2) && !queue.append(3))
        #expect(!queue.isEmpty)
        #expect(queue.takeAll() == [1, 2, 3])
        #expect(queue.isEmpty && queue.takeAll().isEmpty)
        #expect(queue.append(4))
        #expect(items(queue.receive()) == [4])
        #expect(queue.append(5))
    }

    @Test("A queue that was closed gives what is in it, and then ends")
    func closed() {
        let queue = HandOver<Int>()
        queue.append(1)
        queue.close()
        #expect(items(queue.receive()) == [1])
        for deadline in [nil, 0, Int64.max] as [Int64?] { #expect(isClosed(queue.receive(until: deadline))) }
    }

    @Test("A wait with a deadline ends at it, never before, and not at all while items wait")
    func deadline() {
        let queue = HandOver<Int>()
        let deadline = monotonicNow() + 20_000_000
        guard case .timedOut = queue.receive(until: deadline) else {
            Issue.record("nothing came")
            return
        }
        #expect(monotonicNow() >= deadline)
        guard case .timedOut = queue.receive(until: 0) else {
            Issue.record("nothing came")
            return
        }
        queue.append(1)
        #expect(items(queue.receive(until: 0)) == [1])
    }

    /// Each item is put into an empty queue that the other thread waits for, or is about to: with a wake-up lost, no answer comes.
    @Test("No wake-up is lost, whether the receiver has a deadline or none", arguments: [nil, Int64.max] as [Int64?])
    func answers(deadline: Int64?) {
        let (requests, replies) = (HandOver<Int>(), HandOver<Int>())
        let thread = StoreThread {
            while let taken = items(requests.receive(until: deadline)) { for item in taken { replies.append(item + 1) } }
            replies.close()
        }
        for number in 0..<5_000 {
            requests.append(number)
            guard items(replies.receive(until: Self.soon)) == [number + 1] else {
                Issue.record("\(number) is answered")
                break
            }
        }
        requests.close()
        #expect(isClosed(replies.receive(until: Self.soon)))
        thread.join()
    }

    @Test("Everything arrives once and in order, however fast it is sent")
    func order() {
        let queue = HandOver<Int>()
        let thread = StoreThread {
            for number in 0..<100_000 { queue.append(number) }
            queue.close()
        }
        var arrived: [Int] = []
        while let taken = items(queue.receive(until: Self.soon)) { arrived += taken }
        thread.join()
        #expect(arrived.elementsEqual(0..<100_000))
    }

    /// Until when something should have come that is under way.
    private static var soon: Int64 { monotonicNow() + 20_000_000_000 }
}

private func items(_ reception: HandOver<Int>.Reception) -> [Int]? {
    if case .items(let items) = reception { items } else { nil }
}

private func isClosed(_ reception: HandOver<Int>.Reception) -> Bool {
    if case .closed = reception { true } else { false }
}

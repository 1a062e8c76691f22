import Testing

@testable import DefaultsKit

@Suite("The newest state, for those who loop over it")
struct StateBoardTests {
    private struct Number: FollowedState {
        var value: Int
        var isFinal = false
    }

    @Test("Each loop begins with the newest state, leaves out what it was too slow for, and ends after the last")
    func newest() async {
        let board = StateBoard(Number(value: 1))
        let first = board.makeBuffer()
        #expect(await first.next {} == Number(value: 1))
        for value in 2...5 { board.tell(Number(value: value)) }
        let second = board.makeBuffer()
        #expect(await first.next {} == Number(value: 5))
        #expect(await second.next {} == Number(value: 5))
        board.tell(Number(value: 5))
        board.tell(Number(value: 6, isFinal: true))
        board.tell(Number(value: 7))
        for buffer in [first, second, board.makeBuffer()] {
            #expect(await buffer.next {} == Number(value: 6, isFinal: true))
            #expect(await buffer.next {} == nil)
        }
    }

    @Test("A loop that waits gets the next state; a cancelled one ends, and says so once")
    func waiting() async {
        let board = StateBoard<Number>(nil)
        let buffer = board.makeBuffer()
        async let next = buffer.next {}
        board.tell(Number(value: 1))
        #expect(await next == Number(value: 1))
        await confirmation { isCancelled in
            let task = Task { await buffer.next { isCancelled() } }
            task.cancel()
            #expect(await task.value == nil)
        }
        board.tell(Number(value: 2))
        #expect(await buffer.next {} == nil)
    }
}

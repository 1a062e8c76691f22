import Support
import Testing

@testable import DefaultsModel

@Suite("Deadline heap")
struct DeadlineHeapTests {
    @Test("The earliest of a sorted list is the first of the heap, through 20,000 random changes")
    func random() {
        var random = SeededGenerator(seed: 11)
        var heap = DeadlineHeap()
        var list: [Int: (deadline: Int64, order: UInt64)] = [:]
        for step in 0..<20_000 {
            // Half of those that go are the first, as when a deadline has come: what lies too deep is found out.
            let goes = Int.random(in: 0..<3, using: &random) == 0
            let isFirst = goes && Bool.random(using: &random)
            let item = (isFirst ? heap.first?.item : nil) ?? Int.random(in: 0..<200, using: &random)
            if goes {
                heap.remove(item)
                list[item] = nil
            } else {
                let deadline = Int64.random(in: -50...500, using: &random)
                heap.set(item, deadline: deadline, order: UInt64(step))
                list[item] = (deadline, UInt64(step))
            }
            let earliest = list.min { ($0.value.deadline, $0.value.order) < ($1.value.deadline, $1.value.order) }
            #expect(heap.count == list.count)
            #expect(heap.first?.item == earliest?.key)
            #expect(heap.first?.deadline == earliest?.value.deadline)
            #expect(heap.contains(item) == (list[item] != nil))
        }
    }

    @Test("Equal deadlines come in their order, extreme ones too")
    func order() {
        var heap = DeadlineHeap()
        for (item, deadline) in [Int64.max, 0, .min, 0, .min].enumerated() {
            heap.set(item, deadline: deadline, order: UInt64(10 - item))
        }
        var items: [Int] = []
        while let first = heap.first {
            items.append(first.item)
            heap.remove(first.item)
        }
        #expect(items == [4, 2, 3, 1, 0])
        heap.remove(3)
        #expect(heap.count == 0 && !heap.contains(99))
    }
}

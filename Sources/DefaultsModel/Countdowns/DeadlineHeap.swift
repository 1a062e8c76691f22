/// An indexed binary heap of deadlines: the earliest in O(1), a change to any in O(log n).
///
/// Items are small numbers of the caller's, such as indices of an array; each is in the heap at most once. Of equal deadlines the
/// one with the lower order comes first, so that what falls due together fires in a known order. Nothing is allocated but when
/// the heap grows beyond all it held before.
struct DeadlineHeap: Sendable {
    /// One item with its place in time.
    private struct Node {
        var deadline: Int64
        var order: UInt64
        var item: Int

        func isBefore(_ other: Node) -> Bool {
            deadline != other.deadline ? deadline < other.deadline : order < other.order
        }
    }

    private static let absent = -1

    private var nodes: [Node] = []
    /// Where each item's node is; `absent` for an item that isn't in the heap.
    private var positions: [Int] = []

    /// The number of items.
    var count: Int { nodes.count }

    /// The earliest deadline and its item; nil where the heap is empty.
    var first: (deadline: Int64, item: Int)? { nodes.first.map { ($0.deadline, $0.item) } }

    /// Whether the item is in the heap.
    func contains(_ item: Int) -> Bool { item < positions.count && positions[item] != Self.absent }

    /// Puts an item in, moves it if it is there, or takes it out where there is no deadline.
    mutating func set(_ item: Int, deadline: Int64?, order: UInt64) {
        precondition(item >= 0, "items are indices")
        guard let deadline else { return remove(item) }
        let node = Node(deadline: deadline, order: order, item: item)
        if item >= positions.count {
            positions.append(contentsOf: repeatElement(Self.absent, count: item + 1 - positions.count))
        }
        let position = positions[item]
        if position == Self.absent {
            nodes.append(node)
            siftUp(from: nodes.count - 1, node)
        } else if node.isBefore(nodes[position]) {
            siftUp(from: position, node)
        } else {
            siftDown(from: position, node)
        }
    }

    /// Takes an item out; does nothing if it isn't there.
    mutating func remove(_ item: Int) {
        guard contains(item) else { return }
        let position = positions[item]
        positions[item] = Self.absent
        let last = nodes.removeLast()
        guard position < nodes.count else { return }
        if last.isBefore(nodes[position]) {
            siftUp(from: position, last)
        } else {
            siftDown(from: position, last)
        }
    }

    /// Moves parents down into the hole at `start` until `node` fits.
    private mutating func siftUp(from start: Int, _ node: Node) {
        var hole = start
        while hole > 0 {
            let parent = (hole - 1) / 2
            guard node.isBefore(nodes[parent]) else { break }
            place(nodes[parent], at: hole)
            hole = parent
        }
        place(node, at: hole)
    }

    /// Moves children up into the hole at `start` until `node` fits.
    private mutating func siftDown(from start: Int, _ node: Node) {
        var hole = start
        while true {
            var child = 2 * hole + 1
            guard child < nodes.count else { break }
            if child + 1 < nodes.count, nodes[child + 1].isBefore(nodes[child]) { child += 1 }
            guard nodes[child].isBefore(node) else { break }
            place(nodes[child], at: hole)
            hole = child
        }
        place(node, at: hole)
    }

    private mutating func place(_ node: Node, at position: Int) {
        nodes[position] = node
        positions[node.item] = position
    }
}

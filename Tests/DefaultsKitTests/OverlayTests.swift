import DBusTypes
import Testing

@testable import DefaultsKit

@Suite("What is written and not yet shown")
struct OverlayTests {
    @Test("A write is pending until it is answered, and known until the daemon's values show it")
    func life() {
        var overlay = Overlay()
        let number = overlay.add([("a", .value(.int64(1)))])
        #expect(overlay.pending("a") == .value(.int64(1)) && overlay.latest("a") == .value(.int64(1)))
        overlay.acknowledge(number, ["a"], revision: 5)
        #expect(overlay.pending("a") == nil && overlay.latest("a") == .value(.int64(1)))
        overlay.settle(at: 4)
        #expect(!overlay.isEmpty)
        overlay.settle(at: 5)
        #expect(overlay.isEmpty && overlay.latest("a") == nil)
        let second = overlay.add([("a", .absent)])
        _ = overlay.add([("b", .absent)])
        overlay.acknowledge(second, ["a"], revision: 1_000)
        overlay.settleAcknowledged()
        #expect(overlay.latest("a") == nil && overlay.pending("b") == .absent, "whatever the revision; not what isn't answered")
    }

    @Test("A later write of the same key counts, whatever becomes of the earlier one")
    func later() {
        var overlay = Overlay()
        let first = overlay.add([("a", .value(.int64(1))), ("b", .value(.int64(1)))])
        let second = overlay.add([("a", .value(.int64(2)))])
        overlay.remove(first, ["a", "b"])
        #expect(overlay.pending("a") == .value(.int64(2)) && overlay.latest("b") == nil)
        overlay.acknowledge(first, ["a"], revision: 1)
        #expect(overlay.pending("a") == .value(.int64(2)))
        overlay.remove(second, ["a"])
        #expect(overlay.isEmpty)
    }

    @Test("A reset hides what is stored until the daemon's values show it")
    func reset() {
        var overlay = Overlay()
        let number = overlay.add([("a", .absent), ("b", .fallback(.int64(1)))])
        #expect(overlay.hidesStored)
        var values: [MirrorKey: Value] = ["a": .int64(3)]
        overlay.apply(to: &values)
        #expect(values == ["b": .int64(1)])
        values = ["b": .int64(9)]
        overlay.apply(to: &values)
        #expect(values == ["b": .int64(9)], "what is registered gives way")
        overlay.acknowledge(number, ["a", "b"], revision: 2)
        #expect(overlay.hidesStored)
        overlay.settle(at: 2)
        #expect(!overlay.hidesStored && overlay.isEmpty)
    }
}

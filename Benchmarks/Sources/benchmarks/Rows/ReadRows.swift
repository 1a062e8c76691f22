import CBusClient
import Harness

/// Reads that need no call.
enum ReadRows {
    private static let dictionaryOmits = "a Swift Dictionary in the program's own memory: nobody else's change is ever seen"
    private static let atomicOmits = "one load of one word, the least that can tell whether something has changed"
    private static let dconfOmits =
        "reads the mapped database anew at every read; no revision, and a writer's answer comes before other readers see it"
    private static let xfconfOmits =
        "a cache that a later signal updates: a read after another's answered write can be the old value"
    private static let defaultsOmits = "a cache in the program: what others write is seen some time later"

    static func measure(_ bench: Workbench) throws -> [Row] {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        try bench.generate(on: bus, domains: 1, keys: 100)
        try bench.startDaemon(on: bus)
        // So many in one sample that the clock's own cost doesn't show.
        let (many, some) = (bench.pick("20000", "500"), bench.pick("2000", "50"))
        let peers = [
            try bus.startPeer([bench.peer("MirrorReader"), "mirror", bus.address, "100", many]),
            try bus.startPeer([bench.peer("MirrorReader"), "dictionary", "-", "100", many]),
            try bus.startPeer([bench.peer("MirrorReader"), "atomic", "-", "100", many]),
            try bus.startPeer([bench.peer("DconfPeer"), "read", "100", some]),
            try bus.startPeer([bench.peer("XfconfPeer"), "read", "100", many]),
            try bus.startPeer([bench.peer("UserDefaultsPeer"), "read", "100", some]),
        ]
        let names = [
            ("defaultsd", ""), ("Dictionary", dictionaryOmits), ("atomic load", atomicOmits), ("dconf", dconfOmits),
            ("xfconf, cached", xfconfOmits), ("UserDefaults", defaultsOmits),
        ]
        let subjects = zip(names, peers).map { name, peer in
            Subject(name: name.0, omits: name.1) { try peer.ask($0) }
        }
        let comparison = try Comparison(subjects, rounds: bench.pick(10, 1), count: bench.pick(20, 3))
        return [
            .value(
                "warm typed read", unit: "ns", goal: "≤ 60 ns", ours: comparison.figure(0), peers: comparison.peers(), atMost: 60)
        ]
    }
}

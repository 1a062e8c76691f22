/// One parser, and what must hold of every input.
struct FuzzTarget: Sendable {
    let name: String
    let body: @Sendable ([UInt8]) -> Void

    /// All of them.
    static let all = [
        FuzzTarget(name: "files", body: fuzzFiles), FuzzTarget(name: "transfer", body: fuzzTransfer),
        FuzzTarget(name: "versions", body: fuzzVersions), FuzzTarget(name: "wire", body: fuzzWire),
        FuzzTarget(name: "messages", body: fuzzMessages), FuzzTarget(name: "dictionaries", body: fuzzDictionaries),
        FuzzTarget(name: "records", body: fuzzRecords), FuzzTarget(name: "words", body: fuzzWords),
    ]

    /// The one that runs: set once, before the first input.
    nonisolated(unsafe) static var current = all[0]
}

/// Ends the program where something that must hold doesn't.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}

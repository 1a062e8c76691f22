import DBusTypes

@testable import DefaultsModel

/// A ledger with a few callers, and what they were told, in order.
final class LedgerFixture {
    let ledger: Ledger
    private(set) var log: [String] = []
    private(set) var results: [Result<[Value], ModelError>] = []
    private(set) var changes: [PreferencesChange] = []

    init(_ summary: StoreSummary = StoreSummary(), memoryLimit: Int = Ledger.standardMemoryLimit) {
        ledger = Ledger(summary, memoryLimit: memoryLimit)
    }

    static let app = DomainName("org.example.App") ?? .global
    static let other = DomainName("org.example.Other") ?? .global

    static func key(_ text: String) -> PreferenceKey {
        guard let key = PreferenceKey(text) else { preconditionFailure("\(text) is no key") }
        return key
    }

    func submit(
        _ name: String, caller: UInt64 = 1,
        _ body: @escaping (StateView) throws(ModelError) -> Outcome
    ) {
        ledger.submit(operation(name, caller: caller, body))
    }

    /// An operation that is noted when it is answered.
    func operation(
        _ name: String, caller: UInt64 = 1, _ body: @escaping (StateView) throws(ModelError) -> Outcome
    ) -> Operation {
        Operation(caller: CallerID(caller), writer: ":1.\(caller)", body: body) { [self] in answered(name, $0, $1) }
    }

    /// Has what is only in memory written.
    func writeLazyRows(_ name: String) { ledger.writeLazyRows { [self] in answered(name, $0, $1) } }

    /// Notes something else that happened.
    func add(_ entry: String) { log.append(entry) }

    private func answered(_ name: String, _ result: Result<[Value], ModelError>, _ announcements: [Announcement]) {
        results.append(result)
        switch result {
        case .success: log.append("\(name) ok")
        case .failure(let error): log.append("\(name) \(error.code.rawValue)")
        }
        note(announcements, name)
    }

    /// Has other configuration files take effect.
    func take(_ files: FileLayers) {
        submit("files") { view throws(ModelError) in Ledger.taking(files, in: view, at: .start) }
    }

    /// Notes what is announced, as a completion does.
    func note(_ announcements: [Announcement], _ name: String) {
        for announcement in announcements {
            switch announcement {
            case .preferencesChanged(let change):
                changes.append(change)
                log.append("\(name) changed \(change.domain) @\(change.revision)")
            case .locksChanged(let domain, let keys):
                log.append("\(name) locks \(domain) \(keys.map(\.text).joined(separator: ","))")
            case .launchRecorded, .presentation, .countdownBegins, .countdownEnds: break
            }
        }
    }

    func set(_ key: String, _ value: Value, in domain: DomainName = app, caller: UInt64 = 1) {
        submit("set \(key)", caller: caller) { view throws(ModelError) in
            try PreferenceWrites(domain, writer: ":1.\(caller)", wall: 7).set(Self.key(key), to: value, in: view)
        }
    }

    func increment(_ key: String, by amount: Int64 = 1, caller: UInt64 = 1) {
        submit("increment \(key)", caller: caller) { view throws(ModelError) in
            try PreferenceWrites(Self.app, writer: ":1.\(caller)", wall: 7).increment(Self.key(key), by: amount, in: view)
        }
    }

    /// Hands out batches and has each succeed until nothing is left; returns how many there were.
    @discardableResult
    func commitAll() -> Int {
        var count = 0
        while ledger.takeBatch() != nil {
            count += 1
            ledger.batchCommitted()
        }
        return count
    }

    func value(_ key: String, in domain: DomainName = app) -> Value? {
        ledger.committedView.effectiveValue(domain, Self.key(key))?.value
    }
}

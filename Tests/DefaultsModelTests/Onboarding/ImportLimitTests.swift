import DBusTypes
import Testing

@testable import DefaultsModel

/// What an import may bring is no more than what clients may make the store hold by calls.
@Suite("P12: limits on what an import brings")
struct ImportLimitTests {
    private let fixture = LedgerFixture()
    private static let app = LedgerFixture.app

    private static func records(_ kind: OnboardingKind, _ range: Range<Int>) throws -> [OnboardingID: Value] {
        let value: Value? =
            switch kind {
            case .flag: FlagRecord(stored: .vardict([("format", .uint32(1)), ("when", .int64(7))]))?.stored
            case .event: event
            case .guideDefinition: Value.dictionary(GuideDesk.definition())
            case .tourDefinition: Value.dictionary(TourDesk.entries(["a"]))
            case .tipDefinition: BusTipDefinition(order: 1, definition: try TipDefinition(DictionaryValue([]))).stored
            case .guide: GuideProgress(revision: 1).stored
            case .tour: TourProgress().stored
            case .tip: tip
            default: nil
            }
        let record = try #require(value)
        return Dictionary(uniqueKeysWithValues: range.map { (OnboardingID(kind, "r\($0)"), record) })
    }

    private static var tip: Value? {
        var progress = TipProgress(revision: 1)
        progress.displayCount = 1
        return progress.stored
    }

    private static var event: Value {
        var record = EventRecord()
        record.add(1, at: .start)
        return record.stored
    }

    /// Imports, and says how that was answered.
    private func take(_ transfer: Transfer, _ mode: Transfer.Mode = .merge) -> ModelError? {
        fixture.submit("import") { view throws(ModelError) in
            try transfer.outcome(mode, writer: ":1.1", wall: 0, in: view)
        }
        fixture.commitAll()
        guard case .failure(let error)? = fixture.results.last else { return nil }
        return error
    }

    private var count: Int { fixture.ledger.committedView.onboardingIDs(Self.app).count }

    @Test(
        "As many as may be made by calls are taken, one more is LimitExceeded that names them, and nothing is changed",
        arguments: [
            (OnboardingKind.flag, 1_024), (.event, 1_024), (.guideDefinition, 256), (.tourDefinition, 256), (.tipDefinition, 256),
            (.guide, 1_024), (.tour, 1_024), (.tip, 1_024),
        ])
    func numbers(kind: OnboardingKind, limit: Int) throws {
        let many = Transfer(
            preferences: [Self.app: [LedgerFixture.key("k"): .int64(1)]],
            onboarding: [Self.app: try Self.records(kind, 0..<limit + 1)])
        let refused = try #require(take(many))
        #expect(refused.code == .limitExceeded)
        #expect(
            refused.message
                == "With this import \"org.example.App\" would have \(limit + 1) records of \(kind.rawValue); at most \(limit) are allowed."
        )
        #expect(count == 0 && fixture.ledger.committedView.preference(Self.app, .user, LedgerFixture.key("k")) == nil)
        #expect(take(Transfer(onboarding: [Self.app: try Self.records(kind, 0..<limit)])) == nil)
        #expect(count == limit)
        // With those that are there it is one too many; in their place it is not.
        let other = Transfer(onboarding: [Self.app: try Self.records(kind, limit..<limit + 1)])
        #expect(take(other)?.code == .limitExceeded)
        #expect(take(other, .replace) == nil)
        #expect(count == 1)
    }

    @Test("Definitions of more than 16 MiB in all are refused, whatever kinds they are of")
    func bytes() throws {
        let text = Value.string(String(repeating: "x", count: 1_000_000))
        let guide = Value.dictionary(GuideDesk.definition([("attributes", .vardict([("text", text)]))]))
        let tour = Value.dictionary(TourDesk.entries(["a"], [("attributes", .vardict([("text", text)]))]))
        let guides = (0..<9).map { (OnboardingID(.guideDefinition, "g\($0)"), guide) }
        let tours = (0..<8).map { (OnboardingID(.tourDefinition, "t\($0)"), tour) }
        let error = try #require(take(Transfer(onboarding: [Self.app: Dictionary(uniqueKeysWithValues: guides + tours)])))
        #expect(error.code == .limitExceeded && error.message.contains("bytes of guides, tours and tips; at most 16777216"))
        #expect(take(Transfer(onboarding: [Self.app: Dictionary(uniqueKeysWithValues: guides + tours.dropLast())])) == nil)
    }

    @Test("More domains than a user may have are refused, those of preferences and those of onboarding together")
    func domains() throws {
        var transfer = Transfer()
        let flag = try Self.records(.flag, 0..<1)
        for number in 0..<10_001 {
            let domain = try #require(DomainName("org.example.n\(number)"))
            if number.isMultiple(of: 2) {
                transfer.preferences[domain] = [LedgerFixture.key("k"): .int64(1)]
            } else {
                transfer.onboarding[domain] = flag
            }
        }
        let error = try #require(take(transfer))
        #expect(error.code == .limitExceeded && error.message.contains("10001 domains; at most 10000"))
        #expect(fixture.ledger.committedView.knownDomains.isEmpty)
    }
}

import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("How many keys a user may have")
struct KeyLimitTests {
    /// A user with room for one more key.
    private let fixture: LedgerFixture

    init() {
        let full = PreferenceLimits.userKeys / PreferenceLimits.domainKeys
        var domains: [DomainName: DomainSummary] = [:]
        for number in 0..<full {
            guard let name = DomainName("org.example.Full\(number)") else { continue }
            let keys = PreferenceLimits.domainKeys - (number == 0 ? 2 : 0)
            domains[name] = DomainSummary(revision: 2, keys: keys, bytes: keys)
        }
        fixture = LedgerFixture(StoreSummary(revision: 2, domains: domains))
        fixture.set("first", .byte(1), in: LedgerFixture.app)
        fixture.commitAll()
    }

    @Test("P12: keys under way count too; the one too many is refused, and what needs no more keys is not")
    func oneTooMany() throws {
        fixture.set("last", .byte(1), in: LedgerFixture.app)
        fixture.set("more", .byte(1), in: LedgerFixture.other)
        fixture.set("first", .string("longer than before"), in: LedgerFixture.app)
        fixture.commitAll()
        let refused = fixture.log.filter { $0.hasSuffix(ModelError.Code.limitExceeded.rawValue) }
        #expect(refused == ["set more \(ModelError.Code.limitExceeded.rawValue)"])
        #expect(fixture.ledger.committedView.totalSize.keys == PreferenceLimits.userKeys)
        let error = #expect(throws: ModelError.self) {
            try PreferenceLimits.checkUser(
                SizeChange(of: DomainSummary(keys: 1, bytes: 2)), in: fixture.ledger.committedView)
        }
        #expect(error?.message == "All domains of this user would hold 2000001 keys; at most 2000000 are allowed.")
    }

    @Test("P12: what is over the limit already may be changed and removed")
    func overTheLimit() throws {
        let over = LedgerFixture(
            StoreSummary(revision: 2, domains: [LedgerFixture.app: DomainSummary(keys: PreferenceLimits.userKeys + 9, bytes: 9)]))
        for (keys, bytes) in [(0, 5), (-1, 0), (-1, 5)] {
            try PreferenceLimits.checkUser(
                SizeChange(of: DomainSummary(keys: keys, bytes: bytes)), in: over.ledger.committedView)
        }
    }
}

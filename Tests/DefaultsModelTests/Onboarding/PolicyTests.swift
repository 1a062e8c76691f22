import Testing

@testable import DefaultsModel

@Suite("Onboarding policy")
struct PolicyTests {
    private let app = LedgerFixture.app
    private let other = LedgerFixture.other

    @Test(
        "S3: the closest entry counts: the application's of the kind, its onboarding, the machine's of the kind, its onboarding")
    func closestEntry() {
        var policy = OnboardingPolicy(machine: .init(onboarding: .deny))
        #expect(policy.mode(app, .tip).mode == .deny)
        #expect(policy.mode(app, .tip).source == "policy entry onboarding")
        policy.machine.kinds[.tip] = .baseline
        #expect(policy.mode(app, .tip).mode == .baseline)
        #expect(policy.mode(app, .guide).mode == .deny)
        policy.apps[app] = .init(onboarding: .allow)
        #expect(policy.mode(app, .tip).mode == .allow)
        #expect(policy.mode(other, .tip).mode == .baseline)
        policy.apps[app]?.kinds[.tip] = .deny
        #expect(policy.mode(app, .tip).mode == .deny)
        #expect(policy.mode(app, .tip).source == "policy entry apps.org.example.App.tips")
        #expect(policy.mode(app, .tour).mode == .allow)
    }

    @Test("S3: with no policy everything is allowed and counted")
    func nothingSaid() {
        let policy = OnboardingPolicy()
        #expect(
            PresentationKind.allCases.allSatisfy { policy.mode(app, $0).mode == .allow && policy.mode(app, $0).source == nil })
        #expect(policy.keepsStatistics(app))
        #expect(policy.onboarding == .allow)
    }

    @Test("P1: files merge entry by entry, the last that names one has it")
    func merging() {
        var policy = OnboardingPolicy(
            machine: .init(onboarding: .deny, kinds: [.guide: .allow], statistics: false), apps: [app: .init(onboarding: .deny)])
        policy.merge(OnboardingPolicy(machine: .init(kinds: [.guide: .baseline]), apps: [app: .init(kinds: [.tip: .allow])]))
        #expect(policy.machine.onboarding == .deny)
        #expect(policy.machine.kinds[.guide] == .baseline)
        #expect(policy.apps[app] == .init(onboarding: .deny, kinds: [.tip: .allow]))
        #expect(!policy.keepsStatistics(other))
        policy.apps[other] = .init(statistics: true)
        #expect(policy.keepsStatistics(other))
    }

    @Test("S3: another policy is no change of preferences: it is on disk, and no revision moves")
    func revision() {
        let fixture = LedgerFixture()
        fixture.set("theme", .string("dark"))
        fixture.commitAll()
        let revision = fixture.ledger.committedView.revision(of: app)
        let files = FileLayers(policy: OnboardingPolicy(machine: .init(onboarding: .deny)))
        fixture.take(files)
        fixture.commitAll()
        #expect(fixture.ledger.committedView.revision(of: app) == revision)
        #expect(fixture.ledger.committedView.policy(app, .guide).mode == .deny)
        // As after a restart: with these files nothing is to be taken, with others it is.
        #expect(fixture.ledger.start(with: files))
        #expect(!fixture.ledger.start(with: FileLayers()))
        #expect(!fixture.ledger.start(with: FileLayers(policy: OnboardingPolicy(machine: .init(onboarding: .baseline)))))
    }

    @Test("P5: files that say something else of preferences move every domain's revision, whatever they say of onboarding")
    func preferencesToo() {
        let fixture = LedgerFixture()
        fixture.set("theme", .string("dark"))
        fixture.commitAll()
        let revision = fixture.ledger.committedView.revision(of: app)
        let policy = OnboardingPolicy(machine: .init(onboarding: .deny))
        fixture.take(FileLayers(machine: [other: [LedgerFixture.key("a"): .int64(1)]], policy: policy))
        fixture.commitAll()
        #expect(fixture.ledger.committedView.revision(of: app) == revision + 1)
        fixture.take(FileLayers(machine: [other: [LedgerFixture.key("a"): .int64(1)]]))
        fixture.commitAll()
        #expect(fixture.ledger.committedView.revision(of: app) == revision + 1)
    }
}

import DBusTypes
import DefaultsInterface
import DefaultsKit
import Glibc
import LibDBus
import Support
import Testing

extension Kit {
    @Suite("guides, tours and tips")
    struct KitPresentationTests {
        private let fixture: KitFixture
        private var defaults: Defaults { fixture.defaults }
        private static let pages = ["One", "Two", "Three"].map { GuidePage(title: $0) }

        init() throws { fixture = try KitFixture() }

        private func define() async throws {
            try await defaults.define(guide: "g", GuideDefinition(pages: Self.pages))
            _ = await defaults.launch(version: "1.0")
        }

        private func present() async throws -> Presentation {
            switch await defaults.present(guide: "g") {
            case .show(let presentation): return presentation
            case .skip(let reason): throw TestFailure("skipped as \(reason)")
            }
        }

        @Test("Scenario 37: with no bus at all nothing is shown, each decision within its 500 ms")
        func noBus() async throws {
            let defaults = Defaults(app: KitFixture.app, at: .address("unix:path=\(fixture.bus.folder)/none"))
            let start = ContinuousClock.now
            #expect(await defaults.present(guide: "g").reason == .unavailable)
            #expect(await defaults.start(tour: "t").reason == .unavailable)
            #expect(await defaults.present(tip: "t").reason == .unavailable)
            #expect(await defaults.pendingGuides().isEmpty)
            #expect(await defaults.tips.makeAsyncIterator().next() == [])
            #expect(await code { try await defaults.define(guide: "g", GuideDefinition(pages: Self.pages)) } == .unreachable)
            let patience = ContinuousClock.now - start
            #expect(patience < .seconds(5), "\(patience): six calls of at most 500 ms")
        }

        @Test("A daemon that hangs shows nothing, and what it begins once it goes on is given back")
        func hang() async throws {
            try await define()
            fixture.daemon.process.send(SIGSTOP)
            #expect(await defaults.present(guide: "g").reason == .unavailable)
            fixture.daemon.process.send(SIGCONT)
            let other = fixture.other
            try await Deadline.ask("a free stage") {
                guard case .show(let presentation) = await other.present(guide: "g") else { return false }
                return try await presentation.finish(.completed).attempts == 1
            }
        }

        @Test("A page that another process turns is told, and so is a step, with all that it shows")
        func otherProcess() async throws {
            try await define()
            let guide = try await present()
            let states = guide.makeAsyncIterator()
            _ = await states.next()
            // The first of the store.
            let run = UInt64(1)
            _ = try fixture.client.call(GuidesInterface.name, GuidesInterface.goTo, .uint64(run), .uint32(2))
            #expect(await states.next()?.current.title == "Three")
            _ = try fixture.client.call(GuidesInterface.name, GuidesInterface.finish, .uint64(run), .string("skipped"))
            #expect(await states.next()?.outcome == .skipped)
            #expect(await states.next() == nil)

            let steps = [TourStep("a"), TourStep("b", content: "Text", target: "button")]
            try await defaults.define(tour: "t", TourDefinition(steps: steps))
            guard case .show(let tour) = await defaults.start(tour: "t") else { throw TestFailure("the tour is skipped") }
            let walk = tour.makeAsyncIterator()
            _ = await walk.next()
            _ = try fixture.client.call(ToursInterface.name, ToursInterface.goTo, .uint64(run + 1), .string("b"))
            #expect(await walk.next()?.step == steps[1])
        }
    }
}

extension GuideDecision {
    fileprivate var reason: SkipReason? { if case .skip(let reason) = self { reason } else { nil } }
}

extension TourDecision {
    fileprivate var reason: SkipReason? { if case .skip(let reason) = self { reason } else { nil } }
}

extension TipDecision {
    fileprivate var reason: SkipReason? { if case .skip(let reason) = self { reason } else { nil } }
}

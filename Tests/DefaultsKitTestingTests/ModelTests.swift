import DefaultsKit
import DefaultsKitTesting
import Observation
import Synchronization
import Testing

@Suite("Models that a UI binds to") @MainActor
struct ModelTests {
    private let daemon = InMemoryDaemon()
    private let defaults: Defaults

    init() { defaults = Defaults(app: "org.example.App", at: daemon.endpoint) }

    /// Waits until it is so, woken by the change of what it looks at.
    private func observe(_ condition: @escaping @MainActor () -> Bool) async {
        while true {
            let waiting = Waiting()
            let isSo = withObservationTracking(condition) { waiting.end() }
            if isSo { return }
            await waiting.wait()
        }
    }

    private final class Waiting: Sendable {
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation
        init() { (stream, continuation) = AsyncStream.makeStream() }
        func end() { continuation.finish() }
        func wait() async { for await _ in stream {} }
    }

    private func present() async throws -> Presentation {
        guard case .show(let presentation) = await defaults.present(guide: "g") else { throw Skipped() }
        return presentation
    }

    private struct Skipped: Error {}

    @Test("A guide's model turns pages, says what went wrong, and has the countdown's")
    func guide() async throws {
        let pages = [GuidePage(title: "One"), GuidePage(title: "Two")]
        try await defaults.define(guide: "g", GuideDefinition(pages: pages, countdown: .init(.seconds(3))))
        _ = await defaults.launch(version: "1.0")
        let model = GuideModel(try await present())
        #expect(model.state.current.title == "One")
        model.advance()
        await observe { model.state.page == 1 }
        model.goTo(page: 9)
        await observe { model.failure?.code == .notFound }
        let countdown = try #require(model.countdown)
        await observe { countdown.tick?.remainingTicks == 3 }
        countdown.skip()
        await observe { countdown.reason == .skipped && model.state.outcome == .skipped }
        #expect(await defaults.present(guide: "g").reason == .seen)
    }

    @Test("Letting go of a model gives the guide back")
    func release() async throws {
        try await defaults.define(guide: "g", GuideDefinition(pages: [GuidePage(title: "One")]))
        _ = await defaults.launch(version: "1.0")
        let presentation = try await present()
        var model: GuideModel? = GuideModel(presentation)
        #expect(model?.state.count == 1)
        model = nil
        for await _ in presentation {}
        #expect(presentation.outcome == .released)
        _ = try await present()
    }

    @Test("A tour's model goes on once for two taps on one step")
    func tour() async throws {
        try await defaults.define(tour: "t", TourDefinition(steps: ["a", "b", "c"].map { TourStep($0) }))
        guard case .show(let run) = await defaults.start(tour: "t") else { throw Skipped() }
        let model = TourModel(run)
        model.next()
        model.next()
        await observe { model.state.step.id != "a" }
        #expect(model.state.step.id == "b")
        model.back()
        await observe { model.state.step.id == "a" }
        model.goTo(step: "c")
        await observe { model.state.isLast }
        model.finish(.dismissed)
        await observe { model.state.outcome == .dismissed }
    }
}

extension GuideDecision {
    fileprivate var reason: SkipReason? { if case .skip(let reason) = self { reason } else { nil } }
}

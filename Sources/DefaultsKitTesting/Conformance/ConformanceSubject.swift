public import DefaultsKit

/// A daemon that is held to the conformance suite: the real one with `--test-clock`, or one in memory.
public protocol ConformanceSubject: Sendable {
    /// Where it is.
    var endpoint: Endpoint { get }

    /// Moves its time on.
    func advance(by duration: Duration) async throws

    /// Ends it as a crash does.
    func stop() async throws

    /// Starts it again on the same store.
    func start() async throws
}

extension InMemoryDaemon: ConformanceSubject {}

/// Something that a subject did, or didn't do, against the rules.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// Which check found it.
    public let check: String
    /// What was found, in one sentence.
    public let message: String

    /// The check and the message.
    public var description: String { "\(check): \(message)" }
}

/// One thing that every daemon must do.
public struct ConformanceCheck: Sendable {
    /// What it is, beginning with the rule that it stands for.
    public let name: String
    let body: @Sendable (Subject) async throws -> Void

    /// What a check works with: an application of its own, seen by two clients.
    struct Subject {
        let check: String
        let daemon: any ConformanceSubject
        let defaults: Defaults
        let other: Defaults

        func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
            if !condition { throw ConformanceFailure(check: check, message: message()) }
        }

        /// Compares what is there with what should be.
        func expect<Content: Equatable>(_ found: Content, is wanted: Content, _ what: String) throws {
            try expect(found == wanted, "\(what) is \(found) and should be \(wanted)")
        }

        /// Has a call fail with a code.
        func expect(_ code: DefaultsError.Code, _ what: String, from body: () async throws -> Void) async throws {
            do {
                try await body()
            } catch let error as DefaultsError {
                return try expect(error.code, is: code, "the error of \(what)")
            }
            throw ConformanceFailure(check: check, message: "\(what) succeeded and should be \(code)")
        }

        /// A guide that is shown.
        func present(_ guide: String, by defaults: Defaults) async throws -> Presentation {
            switch await defaults.present(guide: guide) {
            case .show(let presentation): return presentation
            case .skip(let reason):
                throw ConformanceFailure(check: check, message: "guide \(guide) is skipped as \(reason) and should be shown")
            }
        }

        /// A tour that is shown.
        func start(_ tour: String, by defaults: Defaults) async throws -> TourRun {
            switch await defaults.start(tour: tour) {
            case .show(let run): return run
            case .skip(let reason):
                throw ConformanceFailure(check: check, message: "tour \(tour) is skipped as \(reason) and should be shown")
            }
        }

        /// A tip that is shown.
        func present(tip: String, by defaults: Defaults) async throws -> TipPresentation {
            switch await defaults.present(tip: tip) {
            case .show(let presentation): return presentation
            case .skip(let reason):
                throw ConformanceFailure(check: check, message: "tip \(tip) is skipped as \(reason) and should be shown")
            }
        }

        func expect(_ decision: GuideDecision, isSkipped reason: SkipReason, _ what: String) throws {
            guard case .skip(let found) = decision else {
                throw ConformanceFailure(check: check, message: "\(what) is shown and should be skipped as \(reason)")
            }
            try expect(found, is: reason, "why \(what) is skipped")
        }

        func expect(_ decision: TourDecision, isSkipped reason: SkipReason, _ what: String) throws {
            guard case .skip(let found) = decision else {
                throw ConformanceFailure(check: check, message: "\(what) is shown and should be skipped as \(reason)")
            }
            try expect(found, is: reason, "why \(what) is skipped")
        }

        func expect(_ decision: TipDecision, isSkipped reason: SkipReason, _ what: String) throws {
            guard case .skip(let found) = decision else {
                throw ConformanceFailure(check: check, message: "\(what) is shown and should be skipped as \(reason)")
            }
            try expect(found, is: reason, "why \(what) is skipped")
        }

        /// Asks again and again until it is so, for 30 s.
        func wait(for what: String, _ condition: () async throws -> Bool) async throws {
            let deadline = ContinuousClock.now + .seconds(30)
            while try await !condition() {
                if deadline < .now { throw ConformanceFailure(check: check, message: "\(what) had not come after 30 s") }
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }
}

/// What this library's users may rely on, whichever daemon is behind it.
///
///     let failures = await Conformance.run(on: InMemoryDaemon())
///     #expect(failures.isEmpty, "\(failures)")
public enum Conformance {
    /// All checks, in the order in which they run.
    public static let checks: [ConformanceCheck] =
        preferences + launches + countdowns + guides + tours + tips + absence

    /// Runs all checks, and returns what was found.
    ///
    /// The subject's store is used: take one that can be thrown away.
    public static func run(on daemon: any ConformanceSubject) async -> [ConformanceFailure] {
        var failures: [ConformanceFailure] = []
        for check in checks {
            if let failure = await run(check, on: daemon) { failures.append(failure) }
        }
        return failures
    }

    /// Runs one check, with an application id that no run before had, and returns what was found.
    public static func run(_ check: ConformanceCheck, on daemon: any ConformanceSubject) async -> ConformanceFailure? {
        let app = "org.example.Conformance.Run\(UInt64.random(in: 0...UInt64.max))"
        let subject = ConformanceCheck.Subject(
            check: check.name, daemon: daemon, defaults: Defaults(app: app, at: daemon.endpoint.separate()),
            other: Defaults(app: app, at: daemon.endpoint.separate()))
        do {
            try await check.body(subject)
            return nil
        } catch let failure as ConformanceFailure {
            return failure
        } catch {
            return ConformanceFailure(check: check.name, message: "\(error)")
        }
    }
}

import DBusTypes
import DefaultsInterface
import LibDBus
import Support

/// Calls of one connection that don't wait for each other, and the answers in the order in which they came.
final class Pipeline {
    /// What came back for one call.
    struct Answer {
        /// Which call it was, counted from 0.
        let call: Int
        let result: Result<[Value], DBusError>
        /// How many signals the connection had received before the answer.
        let signalsBefore: Int

        /// The values, where it is no error.
        var values: [Value]? { try? result.get() }

        /// The error, where it is one.
        var error: DBusError? {
            if case .failure(let error) = result { error } else { nil }
        }
    }

    private let client: Client
    private(set) var answers: [Answer] = []
    private(set) var sent = 0

    init(_ client: Client) { self.client = client }

    /// Sends a call of `Preferences`; returns its number.
    @discardableResult
    func preferences(_ member: MemberName, _ arguments: Value...) -> Int {
        let call = sent
        sent += 1
        client.connection.send(
            WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, member, arguments, timeout: 60_000
        ) { [self] result in
            answers.append(Answer(call: call, result: result, signalsBefore: client.signals.count))
        }
        return call
    }

    @discardableResult
    func set(_ domain: String, _ key: String, _ value: Value) -> Int {
        preferences(PreferencesInterface.set, .string(domain), .string(key), .variant(value))
    }

    @discardableResult
    func get(_ domain: String, _ key: String) -> Int {
        preferences(PreferencesInterface.get, .string(domain), .string(key))
    }

    /// The answer to a call, where it has come.
    func answer(_ call: Int) -> Answer? { answers.first { $0.call == call } }

    /// Waits for the answer to a call.
    @discardableResult
    func wait(for call: Int) throws -> Answer {
        try wait(untilCount: 0) { self.answer(call) != nil }
        guard let answer = answer(call) else { throw TestFailure("call \(call) has no answer") }
        return answer
    }

    /// Waits until this many answers have come, or all; returns them.
    @discardableResult
    func wait(untilCount count: Int? = nil) throws -> [Answer] {
        try wait(untilCount: count ?? sent) { true }
        return answers
    }

    /// Writes all calls to the bus, and has the daemon answer a call sent after them: it has taken them all in by then.
    func taken() throws { try client.drain() }

    private func wait(untilCount count: Int, _ condition: () -> Bool) throws {
        try Await.until("the answers", on: client.loop, deadline: .after(.seconds(60))) {
            answers.count >= count && condition()
        }
    }
}

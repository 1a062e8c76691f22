import DBusTypes
import DefaultsInterface
import LibDBus
import Support

/// The application that tests about launches record.
let launchApp = "org.example.Launcher"

extension Client {
    /// Calls `Record`; returns the launch.
    @discardableResult
    func record(
        _ version: String, app: String = launchApp, _ options: [(String, Value)] = []
    ) throws -> DictionaryValue {
        try launch(launches(LaunchesInterface.record, .string(app), .string(version), .vardict(options)))
    }

    /// Sends `Record` without waiting for the answer.
    func beginRecord(_ version: String, app: String = launchApp, _ options: [(String, Value)] = []) -> Reply {
        begin(LaunchesInterface.name, LaunchesInterface.record, .string(app), .string(version), .vardict(options))
    }

    /// Calls `Query`.
    func query(_ app: String = launchApp) throws -> DictionaryValue {
        try launch(launches(LaunchesInterface.query, .string(app)))
    }

    /// Calls `Once`.
    func once(_ flag: String, app: String = launchApp) throws -> Bool {
        try flagAnswer(launches(LaunchesInterface.once, .string(app), .string(flag)))
    }

    /// Calls `OnceForVersion`.
    func once(_ flag: String, for version: String, app: String = launchApp) throws -> Bool {
        try flagAnswer(launches(LaunchesInterface.onceForVersion, .string(app), .string(flag), .string(version)))
    }

    /// The names that `Flags` lists.
    func flags(_ app: String = launchApp) throws -> [String] {
        try rows(launches(LaunchesInterface.flags, .string(app))).compactMap { $0.first?.get(as: String.self) }
    }

    /// What `History` lists: version, first seen, last seen, launches.
    func history(_ app: String = launchApp) throws -> [[Value]] {
        try rows(launches(LaunchesInterface.history, .string(app)))
    }

    private func launch(_ reply: [Value]) throws -> DictionaryValue {
        guard reply.count == 1, let launch = reply[0].dictionary else { throw TestFailure("no launch: \(reply)") }
        return launch
    }

    private func flagAnswer(_ reply: [Value]) throws -> Bool {
        guard reply.count == 1, let answer = reply[0].get(as: Bool.self) else { throw TestFailure("no answer: \(reply)") }
        return answer
    }

    private func rows(_ reply: [Value]) throws -> [[Value]] {
        guard reply.count == 1, case .array(let array) = reply[0] else { throw TestFailure("no rows: \(reply)") }
        return try array.values.map { row in
            guard case .structure(let fields) = row else { throw TestFailure("no row: \(row)") }
            return fields
        }
    }
}

extension DictionaryValue {
    /// What a launch is, in words: "upgrade minor owner", "upgrade patch owner revisit", "same".
    var launchWords: String {
        [
            text("kind") ?? "?", text("significance") ?? "?", flag("owner") == true ? "owner" : "",
            flag("revisit") == true ? "revisit" : "",
        ].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

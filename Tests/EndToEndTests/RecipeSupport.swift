import DBusTypes
import DefaultsInterface
import LibDBus
import Support

/// One of Examples/recipes on a daemon of its own, whose time passes only when a test says so.
struct Recipe {
    /// The application that the recipe is for.
    let app: String
    let time: TimedDaemon
    private let folder: ConfigurationFolder

    /// Installs the recipe's manifest as an administrator does.
    init(_ app: String) throws {
        self.app = app
        time = try TimedDaemon()
        folder = ConfigurationFolder(time.bus)
        try install { $0 }
    }

    /// Installs the manifest again, with `change` made to its text, and waits until it is in effect.
    func install(_ change: (String) -> String) throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let text = try String(contentsOfFile: "\(root)/Examples/recipes/\(app).json")
        try folder.replace("apps/\(app).json", change(text))
        try time.client.reloadConfiguration()
        let errors = try time.client.policy()?["errors"]?.get(as: [String].self)
        guard errors == [] else { throw TestFailure("the recipe of \(app) is wrong: \(String(describing: errors))") }
    }

    /// Starts the application in a process of its own, so to say: a connection that has recorded its version.
    func launch(_ version: String) throws -> (window: Client, pending: [String]) {
        let window = try Client(on: time.bus)
        guard let pending = try window.pendingAfterLaunch(version, app: app) else { throw TestFailure("Record says nothing") }
        return (window, pending)
    }

    /// Ends an application as a crash does, and waits until the daemon has noticed that by the guide's state.
    func crash(_ window: Client, _ guide: String) throws {
        window.connection.close()
        try time.client.ask("the end of \(guide)") { try time.client.listedGuide(guide, app: app)?.text("state") != "presenting" }
    }
}

extension String {
    /// The text with every `old` replaced.
    func replacing(each old: String, by new: String) -> String {
        var (rest, result) = (self[...], "")
        while let place = rest.firstRange(of: old) {
            result += rest[..<place.lowerBound] + new
            rest = rest[place.upperBound...]
        }
        return result + rest
    }
}

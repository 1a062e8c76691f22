import DefaultsModel

/// What one configuration file says, and what is wrong with it.
///
/// A wrong entry is left out and reported, the rest of the file counts (P16). Who has read the file before lays that over what it said then, so that
/// a wrong entry unlocks and forgets nothing.
public struct ConfigurationFile: Sendable {
    /// The kinds of files, by the folder that they lie in.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Values that are suggested.
        case defaults = "defaults.d"
        /// Values that are imposed.
        case mandatory = "mandatory.d"
        /// What an application says of itself; the file is named after it.
        case application = "apps"
        /// What may be presented.
        case policy = "policy.d"

        /// The folder in a configuration folder that has such files.
        public var folder: String { rawValue }

        /// The kind of a file by its folder; where that says nothing, one named after an application is its manifest; nil for any other.
        init?(path: String) {
            let elements = path.split(separator: "/").map(String.init)
            let folder = elements.dropLast().last.flatMap(Kind.init(rawValue:))
            guard let kind = folder ?? (ConfigurationFile.application(path) == nil ? nil : .application) else { return nil }
            self = kind
        }
    }

    /// What a file says.
    public enum Contents: Hashable, Sendable {
        /// Values of a layer.
        case values(FileLayers.Values)
        /// What an application says of itself.
        case application(DomainName, ApplicationManifest)
        /// What may be presented.
        case policy(OnboardingPolicy)
    }

    /// What the file says; nil for one that doesn't parse, of which the last good contents stay in effect (P16).
    public let contents: Contents?
    /// What is wrong with it.
    public let diagnostics: [Diagnostic]

    /// Reads a file; `path` is its name in diagnostics and, for an application, says which.
    ///
    /// Where nobody says what kind it is, its folder and its name do, else what is in it: a policy has entries that are no domains.
    ///
    /// `locating` has the place of every wrong entry found, which takes the text once more for each.
    public init(_ text: [UInt8], kind: Kind? = nil, path: String, locating: Bool = false) {
        var report = Report()
        do throws(JSONSyntaxError) {
            let root = try JSONNode(parsing: text)
            guard case .object(let members) = root else {
                contents = nil
                diagnostics = [Diagnostic(path, "\(root.kind) is no configuration; it must be an object")]
                return
            }
            switch kind ?? Kind(path: path) ?? (PolicyReader.recognises(members) ? .policy : .defaults) {
            case .policy: contents = .policy(PolicyReader.read(members, &report))
            case .defaults, .mandatory: contents = .values(LayerReader.read(members, &report))
            case .application:
                guard let app = Self.application(path) else {
                    contents = nil
                    diagnostics = [
                        Diagnostic(
                            path, "the name is not that of an application with .json after it, such as org.example.App.json")
                    ]
                    return
                }
                contents = .application(app, ApplicationReader.read(members, &report))
            }
            diagnostics = report.errors.map { Diagnostic(path, $0, in: locating ? text : nil) }
        } catch {
            contents = nil
            diagnostics = [Diagnostic(path, error)]
        }
    }

    fileprivate static func application(_ path: String) -> DomainName? {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard name.hasSuffix(".json"), let domain = DomainName(String(name.dropLast(5))), !domain.isGlobal else { return nil }
        return domain
    }
}

/// What an application says of itself: its keys, and what it defines.
public struct ApplicationManifest: Hashable, Sendable {
    /// What it says of its own keys (P13).
    public var schemas: [PreferenceKey: PreferenceSchema] = [:]
    /// Its guides, tours and tips.
    public var definitions = ManifestDefinitions()

    /// Says nothing.
    public init() {}
}

/// Collects what is wrong while the rest of a file is read.
struct Report {
    private(set) var errors: [EntryError] = []

    mutating func add(_ path: JSONPath, _ message: String) { errors.append(EntryError(path, message)) }

    /// What `body` gives; nil where it throws, which is noted.
    mutating func noting<T>(_ body: () throws(EntryError) -> T) -> T? {
        do throws(EntryError) {
            return try body()
        } catch {
            errors.append(error)
            return nil
        }
    }
}

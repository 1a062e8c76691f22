import DefaultsManifest
import DefaultsModel
import Glibc

/// Reads the configuration folders, and remembers what each file said last when it could be read (P16).
///
/// Nothing is remembered over a restart: a file that is broken when the daemon starts says nothing until it is mended.
final class ConfigurationReader {
    /// The folders, later ones before earlier ones.
    let folders: [String]
    /// The files that were found, in the order in which they apply.
    private(set) var files: [String] = []
    /// What is wrong with them.
    private(set) var errors: [Diagnostic] = []
    /// The files and folders that are there and can't be read.
    private(set) var unreadable: Set<String> = []
    private var lastGood: [String: ConfigurationFile.Contents] = [:]

    init(folders: [String]) { self.folders = folders }

    /// Reads all files and merges what they say: the last that names a key has it (P1).
    func read() -> FileLayers {
        var layers = FileLayers()
        var found: [String] = []
        var good: [String: ConfigurationFile.Contents] = [:]
        errors = []
        unreadable = []
        for folder in folders {
            for kind in ConfigurationFile.Kind.allCases {
                for path in paths(in: "\(folder)/\(kind.folder)") {
                    guard let contents = contents(of: path, kind) else { continue }
                    found.append(path)
                    if let contents = contents.contents {
                        good[path] = contents
                        layers.merge(contents, kind)
                    }
                }
            }
        }
        files = found
        lastGood = good
        return layers
    }

    /// Whether a name is that of a file to read: what editors leave beside theirs has a dot in front or other letters at the end.
    static func isConfiguration(_ name: String) -> Bool { name.hasSuffix(".json") && !name.hasPrefix(".") }

    private func paths(in folder: String) -> [String] {
        do throws(TextFile.Failure) {
            return try TextFile.names(in: folder).filter(Self.isConfiguration).map { "\(folder)/\($0)" }
        } catch {
            noteUnreadable(folder, error)
            return lastGood.keys.filter { $0.hasPrefix(folder + "/") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
    }

    /// What a file says, or said last; nil where it is gone.
    private func contents(of path: String, _ kind: ConfigurationFile.Kind) -> (contents: ConfigurationFile.Contents?, Void)? {
        do throws(TextFile.Failure) {
            let file = ConfigurationFile(try TextFile.read(path), kind: kind, path: path)
            errors += file.diagnostics
            guard let contents = file.contents, !file.diagnostics.isEmpty, let old = lastGood[path] else {
                return (file.contents ?? lastGood[path], ())
            }
            return (contents.overlaying(old), ())
        } catch {
            if error.number == ENOENT { return nil }
            noteUnreadable(path, error)
            return (lastGood[path], ())
        }
    }

    private func noteUnreadable(_ path: String, _ error: TextFile.Failure) {
        errors.append(Diagnostic(path, "can't be read: \(error.text)"))
        unreadable.insert(path)
    }
}

extension FileLayers {
    /// Lays what a file says over what was read before.
    fileprivate mutating func merge(_ contents: ConfigurationFile.Contents, _ kind: ConfigurationFile.Kind) {
        switch (contents, kind) {
        case (.values(let values), .mandatory): mandatory.merge(values) { $0.merging($1) { _, new in new } }
        case (.values(let values), .defaults), (.values(let values), .application), (.values(let values), .policy):
            machine.merge(values) { $0.merging($1) { _, new in new } }
        case (.application(let app, let new), _):
            if !new.schemas.isEmpty { schemas[app, default: [:]].merge(new.schemas) { _, new in new } }
            if !new.definitions.isEmpty { definitions[app, default: ManifestDefinitions()].merge(new.definitions) }
        case (.policy(let new), _): policy.merge(new)
        }
    }
}

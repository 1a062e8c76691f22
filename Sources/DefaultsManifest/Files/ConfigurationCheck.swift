import DefaultsModel

/// What is wrong with configuration files, each by itself and all together, for whoever writes them.
///
/// It finds more than a daemon that reads them complains of: that has to go on with what there is.
public struct ConfigurationCheck: Sendable {
    private struct Source: Sendable {
        let path: String
        let text: [UInt8]
        let file: ConfigurationFile
    }

    private var sources: [Source] = []

    /// Nothing to check yet.
    public init() {}

    /// Adds a file.
    public mutating func add(_ text: [UInt8], path: String) {
        sources.append(Source(path: path, text: text, file: ConfigurationFile(text, path: path, locating: true)))
    }

    /// What is wrong, in the order of the files; every fault has its place.
    ///
    /// Values of `defaults.d` and `mandatory.d` are held against the schemas of the manifests among the files (P13): P2 lets no one but the administrator
    /// mend such a value. A guide's since_version that is no version, but text, is named: it compares with none (V5).
    public var diagnostics: [Diagnostic] {
        var schemas: [DomainName: [PreferenceKey: PreferenceSchema]] = [:]
        for source in sources {
            if case .application(let app, let manifest)? = source.file.contents { schemas[app] = manifest.schemas }
        }
        return sources.flatMap { source in
            let more: [EntryError] =
                switch source.file.contents {
                case .values(let values): Self.faults(of: values, by: schemas)
                case .application(_, let manifest): Self.faults(of: manifest)
                case .policy, nil: []
                }
            return source.file.diagnostics + more.map { Diagnostic(source.path, $0, in: source.text) }
        }
    }

    private static func faults(
        of values: FileLayers.Values, by schemas: [DomainName: [PreferenceKey: PreferenceSchema]]
    ) -> [EntryError] {
        values.sorted { $0.key < $1.key }.flatMap { domain, values in
            values.sorted { $0.key < $1.key }.compactMap { key, value -> EntryError? in
                do throws(ModelError) {
                    try schemas[domain]?[key]?.check(value, for: key)
                    return nil
                } catch {
                    return EntryError(JSONPath.root.member(domain.text).member(key.text), String(error.message.dropLast()))
                }
            }
        }
    }

    private static func faults(of manifest: ApplicationManifest) -> [EntryError] {
        manifest.definitions.guides.sorted { $0.key < $1.key }.compactMap { id, guide in
            guard let version = guide.sinceVersion, version.isOpaque else { return nil }
            return EntryError(
                JSONPath.root.member("guides").member(id.text).member("since_version"),
                "\(JSONNode.quoted(version.text)) is text that compares with no version; write it as in 2.1 or 3.0-beta1")
        }
    }
}

import DBusTypes

/// The options of `Launches.Record`, checked.
public struct LaunchOptions: Sendable {
    /// How versions are read.
    public var scheme: Version.Scheme
    /// Whether the user had the application before it recorded launches (L3).
    public var existingUser: Bool
    /// The version that such a user had last; nil where the application doesn't know.
    public var baselineVersion: Version?

    /// The default options.
    public init(scheme: Version.Scheme = .auto, existingUser: Bool = false, baselineVersion: Version? = nil) {
        self.scheme = scheme
        self.existingUser = existingUser
        self.baselineVersion = baselineVersion
    }

    /// Reads and checks an `a{sv}`; an empty baseline_version is none.
    ///
    /// Throws `InvalidArgument` naming an unknown entry or one of the wrong type, `InvalidVersion` for a baseline_version that breaks V6.
    public init(_ options: DictionaryValue) throws(ModelError) {
        let reader = try OptionReader(options, argument: "options", known: ["scheme", "existing_user", "baseline_version"])
        scheme = try reader.choice("scheme", default: .auto)
        existingUser = try reader.boolean("existing_user")
        let baseline = try reader.string("baseline_version")
        if !baseline.isEmpty {
            baselineVersion = try Version(baseline, scheme: scheme, argument: "options entry \"baseline_version\"")
        }
    }
}

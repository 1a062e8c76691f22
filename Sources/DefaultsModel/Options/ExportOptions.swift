import DBusTypes

/// The options of `Admin.Export`, checked.
public struct ExportOptions: Hashable, Sendable {
    /// The domains to export; nil for all.
    public var domains: [DomainName]?
    /// Whether the records of onboarding go with them.
    public var onboarding: Bool

    /// Reads and checks an `a{sv}`; an empty list of domains is all.
    ///
    /// Throws `InvalidArgument` naming an unknown entry or one of the wrong type, `InvalidName` for what is no domain.
    public init(_ options: DictionaryValue) throws(ModelError) {
        let reader = try OptionReader(options, argument: "options", known: ["domains", "onboarding"])
        onboarding = try reader.boolean("onboarding")
        let names = try reader.strings("domains")
        guard !names.isEmpty else { return }
        var domains: Set<DomainName> = []
        for name in names {
            guard let domain = DomainName(name) else {
                throw ModelError(
                    .invalidName, "options entry \"domains\" has \"\(name)\"; a domain is \"global\" or an application id.")
            }
            domains.insert(domain)
        }
        self.domains = domains.sorted()
    }
}

import DefaultsModel

extension ConfigurationFile.Contents {
    /// What a file with wrong entries says, laid over what it said when it was last read: what is wrong now is as it was (P16).
    ///
    /// Also what has been taken out of the file stays until it is mended, since nobody knows what was meant. Contents of another kind
    /// give way.
    public func overlaying(_ old: ConfigurationFile.Contents) -> ConfigurationFile.Contents {
        switch (self, old) {
        case (.values(let new), .values(var values)):
            values.merge(new) { $0.merging($1) { _, new in new } }
            return .values(values)
        case (.policy(let new), .policy(var policy)):
            policy.merge(new)
            return .policy(policy)
        case (.application(let app, let new), .application(let other, var manifest)) where app == other:
            manifest.schemas.merge(new.schemas) { _, new in new }
            manifest.definitions.merge(new.definitions)
            return .application(app, manifest)
        case (.values, _), (.policy, _), (.application, _):
            return self
        }
    }
}

import DBusTypes

/// How much of definitions an application can make the store hold (P12).
public enum DefinitionLimits {
    /// All that one application has defined over the bus, in bytes: guides with their texts take some KiB.
    public static let bytes = 16 << 20
    /// Of how many guides, tours or tips of an application an import may bring what became of them: four times as many as may be defined, since that stays of
    /// what a manifest no longer defines.
    public static let progress = 1_024
}

extension StateView {
    /// Checks that an application may define something of `size` bytes in place of what the record has; throws `LimitExceeded`.
    func checkRoom(forDefinition record: OnboardingID, of size: Int, in app: DomainName) throws(ModelError) {
        let kinds = PresentationKind.allCases.map(\.definitionRecord)
        let others = onboardingIDs(app).filter { kinds.contains($0.kind) && $0 != record }
        let taken = others.reduce(0) { $0 + onboardingSize(app, $1) }
        guard taken + size <= DefinitionLimits.bytes else {
            throw .limitExceeded(
                "\(app) has defined \(taken) bytes of guides, tours and tips; with these \(size) it would have more than \(DefinitionLimits.bytes)"
            )
        }
    }
}

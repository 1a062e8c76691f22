import DBusTypes

/// One layer in which a preference is looked for, and what was found there.
public struct LayerCheck: Hashable, Sendable {
    /// The layer and the domain that it is looked for in, as P1 names them: `mandatory app`, `mandatory global`, … `registered`.
    public let name: String
    /// Whether it has a value.
    public let hasValue: Bool
    /// Which, from whom and since when, and what that comes to: a sentence for people.
    public let why: String
}

extension StateView {
    /// Where the value of a preference comes from: every layer of P1, highest first (S4).
    ///
    /// For the user whose values they are; nowhere else are values put into words.
    public func explaining(_ domain: DomainName, _ key: PreferenceKey) -> [LayerCheck] {
        let found = layeredValues(domain, key)
        return Layer.allCases.flatMap { layer -> [LayerCheck] in
            // What an application registers is its own: `global` has no such layer for it.
            let domains = domain.isGlobal || layer == .registered ? [domain] : [domain, .global]
            return domains.map { place in
                let name = layer == .registered ? layer.rawValue : "\(layer.rawValue) \(place.isGlobal ? "global" : "app")"
                guard let index = found.firstIndex(where: { $0.layer == layer && $0.domain == place }) else {
                    return LayerCheck(name: name, hasValue: false, why: "no value")
                }
                return LayerCheck(name: name, hasValue: true, why: explain(found[index], isEffective: index == 0))
            }
        }
    }

    private func explain(_ value: LayeredValue, isEffective: Bool) -> String {
        let origin =
            switch value.layer {
            case .mandatory: "imposed by a configuration file, which locks the key"
            case .machine: "suggested by a configuration file"
            case .user: value.record.map { "set" + Self.explain($0) } ?? "set"
            case .registered: value.record.map { "registered" + Self.explain($0) } ?? "the default of the application's manifest"
            }
        let effect = isEffective ? "this is the effective value" : "a higher layer hides it"
        return "\(value.value.shortDescription), \(origin); \(effect)"
    }

    private static func explain(_ record: PreferenceRecord) -> String {
        (record.writer.isEmpty ? "" : " by \(record.writer)") + " at \(UTCText(wall: record.modified))"
    }
}

import DBusTypes
import DefaultsModel
import Testing

let app: DomainName = DomainName("org.example.App") ?? .global
let other: DomainName = DomainName("org.example.Other") ?? .global

/// A change that sets a preference in the user's layer.
func set(_ key: String, _ value: Value, in domain: DomainName = app, layer: StoredLayer = .user) throws -> RecordChange {
    .preference(
        domain, layer, try #require(PreferenceKey(key)),
        PreferenceRecord(value: value, modified: 1_700_000_000_000_000, writer: ":1.7"))
}

/// A change that removes a preference of the user's layer.
func reset(_ key: String, in domain: DomainName = app) throws -> RecordChange {
    .preference(domain, .user, try #require(PreferenceKey(key)), nil)
}

extension DomainContents {
    /// The value of a preference in the user's layer.
    func value(_ key: String) -> Value? {
        PreferenceKey(key).flatMap { preferences[.user]?[$0]?.value }
    }
}

extension Result {
    /// The error, nil after success.
    var error: Failure? {
        switch self {
        case .success: nil
        case .failure(let failure): failure
        }
    }
}

import DBusTypes
import DefaultsModel

/// A value as the store keeps it: the notation of its type, and its D-Bus wire format.
struct TypedBytes {
    var type: [UInt8]
    var value: [UInt8]

    init(type: [UInt8], value: [UInt8]) {
        self.type = type
        self.value = value
    }

    init(_ stored: StoredValue) {
        type = Array(stored.typeText.utf8)
        value = stored.marshalled()
    }

    init(_ value: Value) {
        type = Array(value.type.text.utf8)
        self.value = value.marshalled()
    }

    /// The notation of the type as text.
    var typeText: String { String(decoding: type, as: UTF8.self) }
}

extension UserDatabase {
    static func preferenceChecksum(
        _ domain: Int64, _ layer: Int64, _ key: [UInt8], _ typed: TypedBytes, _ modified: Int64, _ writer: [UInt8]
    ) -> UInt64 {
        var checksum = RowChecksum(.preferences, capacity: 128 + key.count + typed.value.count)
        checksum.add(domain)
        checksum.add(layer)
        checksum.add(key)
        checksum.add(typed.type)
        checksum.add(typed.value)
        checksum.add(modified)
        checksum.add(writer)
        return checksum.value
    }

    static func onboardingChecksum(_ domain: Int64, _ kind: [UInt8], _ id: [UInt8], _ typed: TypedBytes) -> UInt64 {
        var checksum = RowChecksum(.onboarding, capacity: 128 + typed.value.count)
        checksum.add(domain)
        checksum.add(kind)
        checksum.add(id)
        checksum.add(typed.type)
        checksum.add(typed.value)
        return checksum.value
    }

    static func countdownChecksum(_ token: [UInt8], _ typed: TypedBytes) -> UInt64 {
        var checksum = RowChecksum(.countdowns, capacity: 128 + typed.value.count)
        checksum.add(token)
        checksum.add(typed.type)
        checksum.add(typed.value)
        return checksum.value
    }
}

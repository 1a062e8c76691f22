import DBusTypes
import DefaultsModel

/// A value as a row has it: the notation of its type, and its D-Bus wire format.
struct TypedBytes {
    let type: String
    let value: [UInt8]

    init(_ stored: StoredValue) {
        type = stored.typeText
        value = stored.marshalled()
    }

    init(_ value: Value) {
        type = value.type.text
        self.value = value.marshalled()
    }
}

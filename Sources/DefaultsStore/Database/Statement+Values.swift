import DBusTypes

/// What the columns of a value mean; where they mean nothing, the row is damaged.
extension Statement {
    /// The type whose notation `text` is.
    func type(_ text: String) throws(StoreError) -> DBusType {
        guard let type = DBusType(text) else { throw damage("a value has no valid type") }
        return type
    }

    /// What `body` makes of a marshalled value.
    func unmarshal<Result>(_ body: () throws(MarshallingError) -> Result) throws(StoreError) -> Result {
        do throws(MarshallingError) {
            return try body()
        } catch {
            throw damage("a value can't be read")
        }
    }

    /// The value with `type` for the notation of its type and `bytes` for its D-Bus wire format.
    func value(_ type: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer) throws(StoreError) -> Value {
        let type = try self.type(try text(type))
        return try unmarshal { () throws(MarshallingError) in try Value(marshalled: bytes, type: type) }
    }
}

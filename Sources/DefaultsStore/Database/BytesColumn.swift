/// A text or a BLOB of a row: one to be written, or one that SQLite has read.
protocol BytesColumn {
    /// Hands the column's bytes to `body`, where they lie.
    func withColumnBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
}

extension UnsafeRawBufferPointer: BytesColumn {
    func withColumnBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { body(self) }
}

extension [UInt8]: BytesColumn {
    func withColumnBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { withUnsafeBytes(body) }
}

extension String: BytesColumn {
    func withColumnBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = self
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}

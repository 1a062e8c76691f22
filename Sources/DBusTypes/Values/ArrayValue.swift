/// An array that knows its element type, also when empty.
///
/// Bytes are kept packed.
public struct ArrayValue: Hashable, Sendable {
    /// The type of every element.
    public let element: DBusType
    private let storage: Storage

    private enum Storage: Hashable, Sendable {
        case bytes([UInt8])
        case values([Value])
    }

    /// An array of bytes, `ay`.
    public init(bytes: [UInt8]) {
        element = .byte
        storage = .bytes(bytes)
    }

    /// Makes an array; nil where an element isn't of the type `element`.
    public init?(of element: DBusType, _ values: [Value]) {
        guard values.allSatisfy({ $0.type == element }) else { return nil }
        self.init(unchecked: values, of: element)
    }

    /// Makes an array of values that are known to have the type `element`, as what was just read from the wire has.
    public init(unchecked values: [Value], of element: DBusType) {
        self.element = element
        if element == .byte {
            storage = .bytes(
                values.map { value in
                    guard case .byte(let byte) = value else { preconditionFailure("an array of bytes holds only bytes") }
                    return byte
                })
        } else {
            storage = .values(values)
        }
    }

    /// The packed bytes of an `ay`, nil for any other array.
    public var bytes: [UInt8]? {
        switch storage {
        case .bytes(let bytes): bytes
        case .values: nil
        }
    }

    /// The elements one by one.
    public var values: [Value] {
        switch storage {
        case .bytes(let bytes): bytes.map { .byte($0) }
        case .values(let values): values
        }
    }

    /// The number of elements.
    public var count: Int {
        switch storage {
        case .bytes(let bytes): bytes.count
        case .values(let values): values.count
        }
    }

    /// Whether there are no elements.
    public var isEmpty: Bool { count == 0 }
}

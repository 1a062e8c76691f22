import DBusTypes

extension TipRule.Operator {
    /// Whether `left` compares so with `right`.
    ///
    /// Numbers compare as numbers, whatever their types; strings by their bytes; anything else is equal by type and bits (P4) and has no order.
    /// An absent `left` is different from everything, and nothing else (P14).
    func holds(_ left: Value?, _ right: Value) -> Bool {
        guard let left else { return self == .different }
        return switch self {
        case .equal: left.isSame(as: right)
        case .different: !left.isSame(as: right)
        case .less: left.order(to: right) == .before
        case .atMost: left.order(to: right).map { $0 != .after } ?? false
        case .greater: left.order(to: right) == .after
        case .atLeast: left.order(to: right).map { $0 != .before } ?? false
        case .among: right.elements.contains { left.isSame(as: $0) }
        }
    }

    /// Whether one number compares so with another.
    func holds(_ left: UInt64, _ right: UInt64) -> Bool { holds(.uint64(left), .uint64(right)) }
}

/// How two values that have an order are to each other.
private enum Order {
    case before
    case same
    case after

    init<T: Comparable>(_ left: T, _ right: T) { self = left < right ? .before : left > right ? .after : .same }
}

extension Value {
    /// The elements of an array, out of their variants; none for anything else.
    fileprivate var elements: [Value] {
        guard case .array(let array) = self else { return [] }
        return array.values.map { if case .variant(let value) = $0 { value } else { $0 } }
    }

    fileprivate func isSame(as other: Value) -> Bool {
        // A number and a number: NaN is no number's equal, and 0.0 is -0.0.
        if number != nil && other.number != nil { return order(to: other) == .same }
        return self == other
    }

    /// Nil where the two have no order.
    fileprivate func order(to other: Value) -> Order? {
        switch (number, other.number) {
        case (.integer(let left)?, .integer(let right)?): Order(left, right)
        case (.double(let left)?, .double(let right)?): left.isNaN || right.isNaN ? nil : Order(left, right)
        case (.integer(let left)?, .double(let right)?): Self.order(left, right)
        case (.double(let left)?, .integer(let right)?):
            switch Self.order(right, left) {
            case .before?: .after
            case .after?: .before
            case .same?: .same
            case nil: nil
            }
        case (nil, nil): textOrder(to: other)
        case (nil, .some), (.some, nil): nil
        }
    }

    private func textOrder(to other: Value) -> Order? {
        guard case .string(let left) = self, case .string(let right) = other else { return nil }
        if left.hasSameBytes(as: right) { return .same }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? .before : .after
    }

    private enum Number {
        case integer(Int128)
        case double(Double)
    }

    private var number: Number? {
        if case .double(let value) = self { return .double(value) }
        return integer(as: Int128.self).map { .integer($0) }
    }

    /// Exact: a 64-bit integer isn't rounded to a double first.
    private static func order(_ integer: Int128, _ double: Double) -> Order? {
        guard !double.isNaN else { return nil }
        // Beyond every 64-bit integer; below that, whole parts fit.
        guard abs(double) < 0x1p65 else { return double > 0 ? .before : .after }
        let whole = double.rounded(.down)
        let order = Order(integer, Int128(whole))
        return order == .same && double > whole ? .before : order
    }
}

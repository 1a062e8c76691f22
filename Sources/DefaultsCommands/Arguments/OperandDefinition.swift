/// An operand of a command.
struct OperandDefinition: Equatable, Sendable {
    /// How often it may occur.
    enum Count: Sendable {
        case once, optional, anyNumber
    }

    /// What help calls it.
    let name: String
    /// How often it may occur.
    var count = Count.once

    /// The operand as the synopsis shows it.
    var synopsis: String {
        switch count {
        case .once: name
        case .optional: "[\(name)]"
        case .anyNumber: "[\(name)…]"
        }
    }
}

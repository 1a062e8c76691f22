/// How `--json` asks for results.
enum JSONStyle: String, CaseIterable, Sendable {
    /// One line each.
    case short
    /// Indented.
    case pretty
}

import DBusTypes
import DefaultsManifest

/// How `--json` asks for results.
enum JSONStyle: String, CaseIterable, Sendable {
    /// One line each.
    case short
    /// Indented.
    case pretty

    /// The text of a tree, without a line break at its end.
    func text(_ node: JSONNode) -> String {
        switch self {
        case .short: node.text(.short)
        case .pretty: node.text(.pretty)
        }
    }

    /// `{"type": …, "data": …}`, as busctl prints a value, with what busctl can't print exactly made exact.
    func text(_ value: Value) -> String { text(JSONNode(typed: value, .busctl)) }
}

/// How a JSON text is laid out.
public struct JSONLayout: Hashable, Sendable {
    /// What stands before each member and element, once a level; nil for all in one line.
    let indentation: String?
    /// What stands between a name and its value.
    let colon: String
    /// Whether a list of scalars stays on one line.
    let keepsScalarsTogether: Bool

    /// A file: two spaces a level, short lists on one line.
    public static let file = JSONLayout(indentation: "  ", colon: ": ", keepsScalarsTogether: true)
    /// One line, as busctl prints with `--json=short`.
    public static let short = JSONLayout(indentation: nil, colon: ":", keepsScalarsTogether: false)
    /// Indented by tabs, as busctl prints with `--json=pretty`.
    public static let pretty = JSONLayout(indentation: "\t", colon: " : ", keepsScalarsTogether: false)
}

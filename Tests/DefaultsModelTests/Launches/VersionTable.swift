import Testing

/// One row of the table of versions: what the second is to the first.
struct VersionRow: Sendable, CustomTestStringConvertible {
    let previous: String
    let current: String
    let kind: String
    let significance: String

    init(_ previous: String, _ current: String, _ kind: String, _ significance: String = "") {
        self.previous = previous
        self.current = current
        self.kind = kind
        self.significance = significance
    }

    var testDescription: String { "\"\(previous)\" → \"\(current)\": \(kind) \(significance)" }
}

/// The table that the project was given; each row is a launch of `current` after one of `previous`.
let givenVersions: [VersionRow] = [
    VersionRow("1.9.0", "1.10.0", "upgrade", "minor"),
    VersionRow("4.9.9", "4.9.10", "upgrade", "patch"),
    VersionRow("2.1", "2.1.0", "same"),
    VersionRow("16", "16.0", "same"),
    VersionRow("2.1.0.0", "2.1", "same"),
    VersionRow("1.02", "1.2", "same"),
    VersionRow("v2.1.0", "2.1.0", "same"),
    VersionRow("V3", "3.0", "same"),
    VersionRow("1.4", "1.4 (18)", "rebuild"),
    VersionRow("1.4+17", "1.4+18", "rebuild"),
    VersionRow("2.1.0", "2.1.0 (2026-01-07)", "rebuild"),
    VersionRow("2.0.0-beta.1", "2.0.0", "upgrade", "prerelease"),
    VersionRow("2.0.0-rc.9", "2.0.0-rc.10", "upgrade", "prerelease"),
    VersionRow("2.0.0", "2.0.0-rc.10", "downgrade", "prerelease"),
    VersionRow("2.0.0-alpha", "2.0.0-beta", "upgrade", "prerelease"),
    VersionRow("2.0.0-alpha", "2.0.0-alpha.1", "upgrade", "prerelease"),
    VersionRow("2.0.0-alpha.1", "2.0.0-alpha.beta", "upgrade", "prerelease"),
    VersionRow("1.0rc1", "1.0", "upgrade", "prerelease"),
    VersionRow("1.2b3", "1.2rc1", "upgrade", "prerelease"),
    VersionRow("1.2~dev1", "1.2~alpha1", "upgrade", "prerelease"),
    VersionRow("2.1", "1.5", "downgrade", "major"),
    VersionRow("2.31", "2.4", "downgrade", "minor"),
    VersionRow("1:1.0", "2.0", "downgrade", "epoch"),
    VersionRow("1.0", "1:0.5", "upgrade", "epoch"),
    VersionRow("٢.٠.١", "2.0.1", "same"),
    VersionRow("२.०.१", "2.0.2", "upgrade", "patch"),
    VersionRow("1.0.99999999999999999999", "1.0.100000000000000000000", "upgrade", "patch"),
    VersionRow("99999999999999999999", "100000000000000000000", "upgrade", "major"),
    VersionRow("nightly", "nightly", "same"),
    VersionRow("nightly", "weekly", "changed"),
    VersionRow("1.0", "nightly", "changed"),
    VersionRow("dev-v2", "dev-v3", "changed"),
    VersionRow("0.9", "1.0.0-alpha", "upgrade", "major"),
    VersionRow("6.2.0", "6.3.80-dev", "upgrade", "minor"),
    VersionRow("1.2.3.4", "1.2.3.5", "upgrade", "patch"),
    VersionRow("20261130", "20261201", "upgrade", "major"),
    VersionRow("  1.0 ", "1.0", "same"),
]

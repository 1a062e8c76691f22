import DefaultsModel

/// Two versions compare the same way from both sides, and each is the same as itself (V2–V5).
func fuzzVersions(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
    }
    guard parts.count == 2 else { return }
    for scheme in Version.Scheme.allCases {
        guard let left = try? Version(parts[0], scheme: scheme), let right = try? Version(parts[1], scheme: scheme) else {
            continue
        }
        require(left.change(from: left) == .same, "\(left.text) differs from itself")
        require(left.text == parts[0], "the text was changed (V6)")
        let forth = right.change(from: left)
        let back = left.change(from: right)
        switch forth {
        case .same: require(back == .same, "same one way, \(back) the other")
        case .rebuild: require(back == .rebuild, "rebuild one way, \(back) the other")
        case .changed: require(back == .changed, "changed one way, \(back) the other")
        case .upgrade(let significance): require(back == .downgrade(significance), "up one way, \(back) the other")
        case .downgrade(let significance): require(back == .upgrade(significance), "down one way, \(back) the other")
        }
    }
}

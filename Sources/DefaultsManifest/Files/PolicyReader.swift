import DefaultsModel

/// Reads `policy.d/*.json`: what may be presented, and whether statistics are kept (S3).
enum PolicyReader {
    private static let apps = "apps"
    private static let onboarding = "onboarding"
    private static let statistics = "statistics"
    private static let kinds = PresentationKind.allCases.map { ($0, OnboardingPolicy.entry(of: $0)) }
    private static let ofApps = [onboarding] + kinds.map(\.1) + [statistics]

    /// Whether a file's entries are those of a policy, where nothing else says what it is.
    static func recognises(_ members: [JSONNode.Member]) -> Bool {
        members.contains { member in (ofApps + [apps]).contains { $0 == member.name } }
    }

    static func read(_ members: [JSONNode.Member], _ report: inout Report) -> OnboardingPolicy {
        var policy = OnboardingPolicy()
        policy.machine = entries(members, others: [apps], at: .root, &report)
        let path = JSONPath.root.member(apps)
        switch JSONNode.object(members)[apps] {
        case nil: break
        case .object(let members)?:
            for member in members {
                let path = path.member(member.name)
                guard let app = DomainName(member.name), !app.isGlobal else {
                    report.add(path, "is no application id such as \"org.example.App\"")
                    continue
                }
                guard case .object(let members) = member.value else {
                    report.add(path, "\(member.value.kind) is no object with the policy of an application")
                    continue
                }
                policy.apps[app] = entries(members, others: [], at: path, &report)
            }
        case let node?: report.add(path, "\(node.kind) is no object of applications and their policies")
        }
        return policy
    }

    private static func entries(
        _ members: [JSONNode.Member], others: [String], at path: JSONPath, _ report: inout Report
    ) -> OnboardingPolicy.Entries {
        var entries = OnboardingPolicy.Entries()
        for member in members {
            let path = path.member(member.name)
            if member.name == onboarding {
                entries.onboarding = mode(member.value, at: path, &report)
            } else if let (kind, _) = kinds.first(where: { $0.1 == member.name }) {
                entries.kinds[kind] = mode(member.value, at: path, &report)
            } else if member.name == statistics {
                guard case .boolean(let isKept) = member.value else {
                    report.add(path, "\(member.value.kind) is neither true nor false")
                    continue
                }
                entries.statistics = isKept
            } else if !others.contains(member.name) {
                report.add(path, "is unknown; the entries are \((ofApps + others).joined(separator: ", "))")
            }
        }
        return entries
    }

    private static func mode(_ node: JSONNode, at path: JSONPath, _ report: inout Report) -> OnboardingPolicy.Mode? {
        if case .string(let word) = node, let mode = OnboardingPolicy.Mode(rawValue: word) { return mode }
        let words = OnboardingPolicy.Mode.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        report.add(path, "\(node.kind) is no policy; it must be one of \(words)")
        return nil
    }
}

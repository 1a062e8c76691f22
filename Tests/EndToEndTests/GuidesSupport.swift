import DBusTypes
import DefaultsInterface
import LibDBus
import Support

/// The application that tests about guides present.
let guideApp = "org.example.Guides"

/// What `Guides.Present` answers.
struct PresentedGuide {
    let show: Bool
    let reason: String
    let run: UInt64
    let guide: DictionaryValue
}

extension Client {
    // MARK: Calls

    /// Calls `Guides`.
    @discardableResult
    func guides(_ member: MemberName, _ arguments: Value...) throws -> [Value] {
        try connection.call(WellKnown.busName, WellKnown.rootPath, GuidesInterface.name, member, arguments, timeout: 10_000)
    }

    /// Defines a guide of three pages, with other entries beside or instead.
    @discardableResult
    func defineGuide(_ guide: String = "welcome", _ entries: [(String, Value)] = [], app: String = guideApp) throws -> Bool {
        let all = entries + (entries.contains { $0.0 == "pages" } ? [] : [("pages", guidePages(3))])
        return try guides(GuidesInterface.define, .string(app), .string(guide), .vardict(all)).first == .boolean(true)
    }

    /// Calls `Present`.
    func presentGuide(
        _ guide: String = "welcome", _ options: [(String, Value)] = [], app: String = guideApp
    ) throws -> PresentedGuide {
        let reply = try guides(GuidesInterface.present, .string(app), .string(guide), .vardict(options))
        guard reply.count == 4, let show = reply[0].get(as: Bool.self), let reason = reply[1].get(as: String.self),
            let run = reply[2].get(as: UInt64.self), let guide = reply[3].dictionary
        else { throw TestFailure("Present answered \(reply)") }
        return PresentedGuide(show: show, reason: reason, run: run, guide: guide)
    }

    /// Presents a guide that is to be shown; returns the run.
    func showGuide(_ guide: String = "welcome", app: String = guideApp) throws -> UInt64 {
        let presented = try presentGuide(guide, app: app)
        guard presented.show else { throw TestFailure("\(guide) isn't shown: \(presented.reason)") }
        return presented.run
    }

    @discardableResult
    func advanceGuide(_ run: UInt64, by pages: Int32 = 1) throws -> DictionaryValue {
        try guide(guides(GuidesInterface.advance, .uint64(run), .int32(pages)))
    }

    @discardableResult
    func goToPage(_ run: UInt64, _ page: UInt32) throws -> DictionaryValue {
        try guide(guides(GuidesInterface.goTo, .uint64(run), .uint32(page)))
    }

    @discardableResult
    func finishGuide(_ run: UInt64, _ outcome: String = "completed") throws -> DictionaryValue {
        try guide(guides(GuidesInterface.finish, .uint64(run), .string(outcome)))
    }

    /// What `Pending` lists.
    func pendingGuides(_ app: String = guideApp) throws -> [String]? {
        try guides(GuidesInterface.pending, .string(app)).first?.get()
    }

    /// What a launch of a version says is pending.
    func pendingAfterLaunch(
        _ version: String, app: String = guideApp, _ options: [(String, Value)] = []
    ) throws -> [String]? {
        try record(version, app: app, options)["pending"]?.get()
    }

    /// A guide's entries in `List`; nil where it isn't in it.
    func listedGuide(_ guide: String = "welcome", app: String = guideApp) throws -> DictionaryValue? {
        guard case .array(let rows)? = try guides(GuidesInterface.list, .string(app)).first else { return nil }
        for case .structure(let fields) in rows.values where fields[0] == .string(guide) { return fields[1].dictionary }
        return nil
    }

    /// Has the daemon read its configuration files again; what has changed is in effect when this returns.
    func reloadConfiguration() throws { try call(MachineInterface.name, MachineInterface.reload) }

    private func guide(_ reply: [Value]) throws -> DictionaryValue {
        guard reply.count == 1, let guide = reply[0].dictionary else { throw TestFailure("no guide: \(reply)") }
        return guide
    }

    // MARK: Signals

    /// The signals about guides as words: "page 1/3", "changed", "finished completed"; of one run, or of all.
    func guideEvents(of run: UInt64? = nil) -> [String] {
        signals.compactMap { signal in
            guard signal.path == WellKnown.rootPath, signal.arguments.count > 3,
                let id = signal.arguments[2].get(as: UInt64.self),
                run == nil || run == id
            else { return nil }
            switch signal.member {
            case GuidesInterface.pageChanged: return "page \(signal.words.split(separator: " ").suffix(2).joined(separator: "/"))"
            case GuidesInterface.changed: return "changed"
            case GuidesInterface.finished: return "finished \(signal.arguments[3].get(as: String.self) ?? "?")"
            default: return nil
            }
        }
    }

    /// Waits for the end of a run; returns its signals.
    @discardableResult
    func waitForEnd(ofRun run: UInt64) throws -> [String] {
        try Await.until("the end of run \(run)", on: loop) { guideEvents(of: run).contains { $0.hasPrefix("finished") } }
        return guideEvents(of: run)
    }
}

/// So many pages, each with a title and an image.
func guidePages(_ count: Int) -> Value {
    let pages = (0..<count).map { Value.vardict([("title", .string("Page \($0)")), ("image", .string("\($0).png"))]) }
    return .array(ArrayValue(unchecked: pages, of: .dictionary(key: .string, value: .variant)))
}

/// An application's preferences, launches and countdowns, the same in every process of the user.
///
///     extension Keys {
///         static let theme = Key<Theme>("theme", default: .light)
///     }
///
///     let defaults = Defaults(app: "org.example.Editor")
///     defaults[.theme] = .dark
///     for await theme in defaults.watch(.theme) { apply(theme) }
///
/// Any thread may use it, and no call takes longer than 500 ms, whatever has become of the daemon: see ``Reading`` and ``PendingWrite``
/// for what is known then. What a program is told, it is told in its own tasks, through sequences.
///
/// All of a process's `Defaults` share one thread and, for each bus, one connection; making another costs nothing.
public struct Defaults: Sendable {
    /// The application's id, or `global`.
    public let app: String
    let domain: Domain
    let handle: LinkHandle

    /// Opens an application's preferences without waiting for the daemon.
    ///
    /// `app` is a reverse-DNS id such as `org.example.Editor`; the daemon refuses any other, so that writes fail with `invalidName` and
    /// reads find nothing.
    public init(app: String, at endpoint: Endpoint = .session) {
        self.app = app
        let handle = LinkHandle.handle(of: endpoint)
        self.handle = handle
        domain = handle.link.domain(app)
    }

    /// The preferences that every application's look-up falls through to.
    public static func global(at endpoint: Endpoint = .session) -> Defaults { Defaults(app: "global", at: endpoint) }

    var link: Link { handle.link }

    /// Each write that was refused after it had been returned from: of this application, by this process, from now on.
    ///
    /// A write whose ``PendingWrite`` no one looks at, as the subscript's, is told here too.
    public var writeFailures: AsyncStream<WriteFailure> { domain.watchers.failures() }
}

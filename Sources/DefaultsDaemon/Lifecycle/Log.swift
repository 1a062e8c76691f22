import DefaultsInterface
import EventLoop
import Glibc

/// The daemon's log: one line at start, one at stop, otherwise only when something is wrong.
///
/// In the journal an entry has fields by which it can be found, and for what an administrator may wait for an id. Never a preference's value.
enum Log {
    /// Syslog priorities.
    enum Priority: Int {
        case error = 3
        case warning = 4
        case info = 6
    }

    /// What happened, by an id that stays the same in all versions and languages (MESSAGE_ID); packaging/defaultsd.catalog explains each.
    enum Event: String, CaseIterable {
        /// A store was damaged, or lost its last commits, and is served from what was left.
        case storeRestored = "e020169c6d5840c9b15fa9c5423aced2"
        /// A store was damaged, and there was no backup.
        case storeLost = "0c7c05bc32ea403fa05c2de3a5e6de94"
        /// A store can't be written.
        case storeReadOnly = "c38ee78ed59d4b9d8acd28d136ccc446"
        /// A configuration file is broken, or an entry of one.
        case configurationBroken = "3b61fedc106d4b178e4307f5c24b2d93"
        /// A caller met a limit.
        case quotaReached = "3bc295b1a6894cf4b97ac08899d0b31f"
    }

    /// The fields of an entry.
    enum Field: String {
        /// The number of the user whose data it is about.
        case user = "DEFAULTSD_USER"
        /// The domain that it is about.
        case domain = "DEFAULTSD_DOMAIN"
        /// How the store is, as StoreState says it.
        case state = "DEFAULTSD_STORE_STATE"
        /// The path of the database.
        case store = "DEFAULTSD_STORE"
        /// The path of the configuration file.
        case file = "DEFAULTSD_FILE"
        /// The unique name of the connection that called.
        case caller = "DEFAULTSD_CALLER"
        /// The method that was called.
        case method = "DEFAULTSD_METHOD"
    }

    private static let isJournal = Journal.isStandardError

    /// Writes an entry; one that can't be written is lost, since there is nowhere to say so.
    ///
    /// So is one that would have to wait: a pipe that no one reads must not hold up the daemon.
    static func write(
        _ priority: Priority, _ text: String, _ event: Event? = nil, _ fields: KeyValuePairs<Field, String> = [:]
    ) {
        var stream = pollfd(fd: StandardStream.error.rawValue, events: Int16(POLLOUT), revents: 0)
        guard poll(&stream, 1, 0) == 1, stream.revents & Int16(POLLOUT) != 0 else { return }
        guard isJournal else {
            StandardStream.error.write("defaultsd: " + text + "\n")
            return
        }
        var entry = [("MESSAGE", text), ("PRIORITY", String(priority.rawValue)), ("SYSLOG_IDENTIFIER", "defaultsd")]
        if let event { entry.append(("MESSAGE_ID", event.rawValue)) }
        entry += fields.map { ($0.key.rawValue, $0.value) }
        if !Journal.send(entry) { StandardStream.error.write("<\(priority.rawValue)>" + text + "\n") }
    }
}

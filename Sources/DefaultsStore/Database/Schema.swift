/// The format of the database file.
enum Schema {
    /// What `PRAGMA application_id` says: "dfd1" in ASCII.
    static let applicationID: Int64 = 0x6466_6431
    /// The version that this code reads and writes, in `PRAGMA user_version`.
    static let version: Int64 = 1

    /// The tables of version 1, in the order in which they are made; their texts are compared when a store is opened.
    ///
    /// Preferences and onboarding are clustered by domain, so that loading one reads only its own pages.
    static let tables: [(name: String, sql: String)] = [
        (
            "user",
            """
            CREATE TABLE user (
              id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, commits INTEGER NOT NULL, loss INTEGER NOT NULL,
              domain_count INTEGER NOT NULL, domain_sum INTEGER NOT NULL,
              countdown_count INTEGER NOT NULL, countdown_sum INTEGER NOT NULL, checksum INTEGER NOT NULL
            ) STRICT
            """
        ),
        (
            "domains",
            """
            CREATE TABLE domains (
              id INTEGER PRIMARY KEY, name TEXT NOT NULL, revision INTEGER NOT NULL, keys INTEGER NOT NULL, bytes INTEGER NOT NULL,
              row_count INTEGER NOT NULL, row_sum INTEGER NOT NULL, checksum INTEGER NOT NULL
            ) STRICT
            """
        ),
        (
            "preferences",
            """
            CREATE TABLE preferences (
              domain INTEGER NOT NULL, layer INTEGER NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL, value BLOB NOT NULL,
              modified INTEGER NOT NULL, writer TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (domain, layer, key)
            ) STRICT, WITHOUT ROWID
            """
        ),
        (
            "onboarding",
            """
            CREATE TABLE onboarding (
              domain INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, value BLOB NOT NULL,
              checksum INTEGER NOT NULL, PRIMARY KEY (domain, kind, id)
            ) STRICT, WITHOUT ROWID
            """
        ),
        (
            "countdowns",
            """
            CREATE TABLE countdowns (
              token TEXT PRIMARY KEY, type TEXT NOT NULL, value BLOB NOT NULL, checksum INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """
        ),
    ]
}

/// Every statement that is used more than once; a connection prepares each the first time.
enum Query: Int, CaseIterable {
    case begin, commit, rollback
    case countPages
    case readUser, writeUser
    case readDomains, writeDomain
    case readPreferences, findPreference, writePreference, removePreference
    case readOnboarding, findOnboarding, writeOnboarding, removeOnboarding
    case readCountdowns, findCountdown, writeCountdown, removeCountdown

    /// The text of the statement.
    var sql: String {
        switch self {
        case .begin: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .countPages: "PRAGMA page_count"
        case .readUser:
            """
            SELECT revision, commits, loss, domain_count, domain_sum, countdown_count, countdown_sum, checksum FROM user WHERE id = 1
            """
        case .writeUser:
            """
            INSERT INTO user (id, revision, commits, loss, domain_count, domain_sum, countdown_count, countdown_sum, checksum)
            VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (id) DO UPDATE SET revision = ?1, commits = ?2, loss = ?3, domain_count = ?4, domain_sum = ?5,
            countdown_count = ?6, countdown_sum = ?7, checksum = ?8
            """
        case .readDomains:
            """
            SELECT id, name, revision, keys, bytes, row_count, row_sum, checksum FROM domains
            """
        case .writeDomain:
            """
            INSERT INTO domains (id, name, revision, keys, bytes, row_count, row_sum, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (id) DO UPDATE SET revision = ?3, keys = ?4, bytes = ?5, row_count = ?6, row_sum = ?7, checksum = ?8
            """
        case .readPreferences:
            """
            SELECT layer, key, type, value, modified, writer, checksum FROM preferences WHERE domain = ?1
            """
        case .findPreference:
            """
            SELECT checksum, length(value) FROM preferences WHERE domain = ?1 AND layer = ?2 AND key = ?3
            """
        case .writePreference:
            """
            INSERT INTO preferences (domain, layer, key, type, value, modified, writer, checksum)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (domain, layer, key) DO UPDATE SET type = ?4, value = ?5, modified = ?6, writer = ?7, checksum = ?8
            """
        case .removePreference: "DELETE FROM preferences WHERE domain = ?1 AND layer = ?2 AND key = ?3"
        case .readOnboarding: "SELECT kind, id, type, value, checksum FROM onboarding WHERE domain = ?1"
        case .findOnboarding: "SELECT checksum FROM onboarding WHERE domain = ?1 AND kind = ?2 AND id = ?3"
        case .writeOnboarding:
            """
            INSERT INTO onboarding (domain, kind, id, type, value, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (domain, kind, id) DO UPDATE SET type = ?4, value = ?5, checksum = ?6
            """
        case .removeOnboarding: "DELETE FROM onboarding WHERE domain = ?1 AND kind = ?2 AND id = ?3"
        case .readCountdowns: "SELECT token, type, value, checksum FROM countdowns"
        case .findCountdown: "SELECT checksum FROM countdowns WHERE token = ?1"
        case .writeCountdown:
            """
            INSERT INTO countdowns (token, type, value, checksum) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (token) DO UPDATE SET type = ?2, value = ?3, checksum = ?4
            """
        case .removeCountdown: "DELETE FROM countdowns WHERE token = ?1"
        }
    }
}

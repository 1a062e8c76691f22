#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H
#include <sqlite3.h>

/* What Swift can't say: SQLITE_TRANSIENT is a cast, sqlite3_db_config takes variable arguments. */

/* sqlite3_bind_text of a copy; a null text is the empty one, not NULL. */
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *text, int length) {
    return sqlite3_bind_text(statement, index, text ? (const char *)text : "", length, SQLITE_TRANSIENT);
}

/* sqlite3_bind_blob of a copy; a null blob is the empty one, not NULL. */
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, bytes ? bytes : "", length, SQLITE_TRANSIENT);
}

/* sqlite3_db_config(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE): whether closing leaves the -wal as it is. */
static inline int csqlite_keep_wal_on_close(sqlite3 *database, int keep) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}
#endif

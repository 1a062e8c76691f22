/* A service on libdbus alone that answers as org.defaultsd1.Preferences does: the least that a call over the bus can cost.

   BusPeer ADDRESS NAME [FILE]: owns NAME on the bus at ADDRESS. Get(ss) answers a variant, Set(ssv) a number, GetAll(s) a thousand
   values and a number, at once and without looking anything up. With FILE, Set keeps the value in an SQLite database there, in WAL mode
   with synchronous=FULL, and answers when it is on disk: all that has arrived goes into one transaction. It has no layers, locks, limits,
   checksums, backups or signals, and one thread, so that reads wait for the disk. */

#include <dbus/dbus.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { values = 1000, waiting_limit = 4096 };

static DBusConnection *connection;
static sqlite3 *database;
static sqlite3_stmt *write_value, *begin, *commit;
static DBusMessage *waiting[waiting_limit];
static int waiting_count;
static dbus_uint64_t revision = 1;

static void fail(const char *what) {
    fprintf(stderr, "BusPeer: %s\n", what);
    exit(1);
}

static void append_variant(DBusMessageIter *iterator, dbus_int64_t value) {
    DBusMessageIter variant;
    dbus_message_iter_open_container(iterator, DBUS_TYPE_VARIANT, "x", &variant);
    dbus_message_iter_append_basic(&variant, DBUS_TYPE_INT64, &value);
    dbus_message_iter_close_container(iterator, &variant);
}

static void send(DBusMessage *reply) {
    if (!reply || !dbus_connection_send(connection, reply, NULL)) fail("no memory for an answer");
    dbus_message_unref(reply);
}

static void answer_get(DBusMessage *call) {
    const char *domain, *key;
    if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &domain, DBUS_TYPE_STRING, &key, DBUS_TYPE_INVALID)) fail("not Get(ss)");
    DBusMessage *reply = dbus_message_new_method_return(call);
    DBusMessageIter iterator;
    dbus_message_iter_init_append(reply, &iterator);
    append_variant(&iterator, 14);
    send(reply);
}

static void answer_set(DBusMessage *call) {
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_append_args(reply, DBUS_TYPE_UINT64, &revision, DBUS_TYPE_INVALID);
    send(reply);
}

static void answer_get_all(DBusMessage *call) {
    DBusMessage *reply = dbus_message_new_method_return(call);
    DBusMessageIter iterator, array, entry;
    dbus_message_iter_init_append(reply, &iterator);
    dbus_message_iter_open_container(&iterator, DBUS_TYPE_ARRAY, "{sv}", &array);
    for (int index = 0; index < values; index++) {
        char key[32];
        const char *text = key;
        snprintf(key, sizeof key, "setting-%d", index);
        dbus_message_iter_open_container(&array, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
        dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &text);
        append_variant(&entry, index);
        dbus_message_iter_close_container(&array, &entry);
    }
    dbus_message_iter_close_container(&iterator, &array);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_UINT64, &revision);
    send(reply);
}

static void run(const char *sql) {
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sqlite3_errmsg(database));
}

static void step(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_errmsg(database));
    sqlite3_reset(statement);
}

static void open_store(const char *file) {
    if (sqlite3_open(file, &database) != SQLITE_OK) fail("the database can't be opened");
    run("PRAGMA locking_mode=EXCLUSIVE");
    run("PRAGMA journal_mode=WAL");
    run("PRAGMA synchronous=FULL");
    run("CREATE TABLE preferences (domain TEXT, key TEXT, value BLOB, PRIMARY KEY (domain, key)) WITHOUT ROWID");
    if (sqlite3_prepare_v2(database, "INSERT OR REPLACE INTO preferences VALUES (?1, ?2, ?3)", -1, &write_value, NULL) != SQLITE_OK
        || sqlite3_prepare_v2(database, "BEGIN IMMEDIATE", -1, &begin, NULL) != SQLITE_OK
        || sqlite3_prepare_v2(database, "COMMIT", -1, &commit, NULL) != SQLITE_OK)
        fail(sqlite3_errmsg(database));
}

static void store(DBusMessage *call) {
    DBusMessageIter iterator, variant;
    const char *domain, *key;
    dbus_int64_t value;
    dbus_message_iter_init(call, &iterator);
    dbus_message_iter_get_basic(&iterator, &domain);
    dbus_message_iter_next(&iterator);
    dbus_message_iter_get_basic(&iterator, &key);
    dbus_message_iter_next(&iterator);
    dbus_message_iter_recurse(&iterator, &variant);
    dbus_message_iter_get_basic(&variant, &value);
    sqlite3_bind_text(write_value, 1, domain, -1, SQLITE_STATIC);
    sqlite3_bind_text(write_value, 2, key, -1, SQLITE_STATIC);
    sqlite3_bind_blob(write_value, 3, &value, sizeof value, SQLITE_STATIC);
    step(write_value);
}

static void commit_waiting(void) {
    if (waiting_count == 0) return;
    step(begin);
    for (int index = 0; index < waiting_count; index++) store(waiting[index]);
    step(commit);
    for (int index = 0; index < waiting_count; index++) {
        answer_set(waiting[index]);
        dbus_message_unref(waiting[index]);
    }
    waiting_count = 0;
}

static DBusHandlerResult receive(DBusConnection *from, DBusMessage *message, void *context) {
    (void)from, (void)context;
    if (dbus_message_is_method_call(message, "org.defaultsd1.Preferences", "Get")) {
        answer_get(message);
    } else if (dbus_message_is_method_call(message, "org.defaultsd1.Preferences", "Set")) {
        if (!dbus_message_has_signature(message, "ssv")) fail("not Set(ssv)");
        revision++;
        if (!database) {
            answer_set(message);
        } else {
            waiting[waiting_count++] = dbus_message_ref(message);
            if (waiting_count == waiting_limit) commit_waiting();
        }
    } else if (dbus_message_is_method_call(message, "org.defaultsd1.Preferences", "GetAll")) {
        answer_get_all(message);
    } else {
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    }
    return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int count, char **arguments) {
    if (count < 3) fail("usage: BusPeer ADDRESS NAME [FILE]");
    if (count > 3) open_store(arguments[3]);
    connection = dbus_connection_open_private(arguments[1], NULL);
    if (!connection || !dbus_bus_register(connection, NULL) || !dbus_connection_add_filter(connection, receive, NULL, NULL)
        || dbus_bus_request_name(connection, arguments[2], DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL) != DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER)
        fail("the bus can't be used");
    /* First what came with the name: it is in the queue already, and reading would wait for more. */
    do {
        while (dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS) {}
        commit_waiting();
    } while (dbus_connection_read_write(connection, -1));
    return 0;
}

#include "busclient.h"

#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct bus_client {
    DBusConnection *connection;
    /* The calls under way, by serial: they are given out one after another. */
    dbus_uint32_t first_serial;
    int64_t *started;
    int64_t *latencies;
    int sent, answered;
    int failed;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static DBusHandlerResult receive(DBusConnection *connection, DBusMessage *message, void *context) {
    (void)connection;
    struct bus_client *client = context;
    int type = dbus_message_get_type(message);
    if (type != DBUS_MESSAGE_TYPE_METHOD_RETURN && type != DBUS_MESSAGE_TYPE_ERROR) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    int index = (int)(dbus_message_get_reply_serial(message) - client->first_serial);
    if (index < 0 || index >= client->sent) return DBUS_HANDLER_RESULT_HANDLED;
    if (type == DBUS_MESSAGE_TYPE_ERROR) {
        const char *text = "";
        dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
        fprintf(stderr, "%s: %s\n", dbus_message_get_error_name(message), text);
        client->failed = 1;
    }
    client->latencies[index] = now() - client->started[index];
    client->answered++;
    return DBUS_HANDLER_RESULT_HANDLED;
}

struct bus_client *bus_client_open(const char *address) {
    DBusConnection *connection = dbus_connection_open_private(address, NULL);
    if (!connection) return NULL;
    dbus_connection_set_exit_on_disconnect(connection, 0);
    struct bus_client *client = calloc(1, sizeof *client);
    if (!client || !dbus_bus_register(connection, NULL) || !dbus_connection_add_filter(connection, receive, client, NULL)) {
        dbus_connection_close(connection);
        dbus_connection_unref(connection);
        free(client);
        return NULL;
    }
    client->connection = connection;
    return client;
}

void bus_client_close(struct bus_client *client) {
    dbus_connection_close(client->connection);
    dbus_connection_unref(client->connection);
    free(client);
}

static void append_variant(DBusMessageIter *iterator, dbus_int64_t value) {
    DBusMessageIter variant;
    dbus_message_iter_open_container(iterator, DBUS_TYPE_VARIANT, "x", &variant);
    dbus_message_iter_append_basic(&variant, DBUS_TYPE_INT64, &value);
    dbus_message_iter_close_container(iterator, &variant);
}

static DBusMessage *make(const char *service, enum bus_call call, const char *domain, int keys, int64_t number) {
    static const char *const members[] = {"Get", "Set", "GetAll", "Apply"};
    char key[32];
    const char *text = key;
    DBusMessage *message = dbus_message_new_method_call(service, "/org/defaultsd1", "org.defaultsd1.Preferences", members[call]);
    DBusMessageIter iterator, array, entry;
    dbus_message_iter_init_append(message, &iterator);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_STRING, &domain);
    if (call == BUS_GET || call == BUS_SET) {
        snprintf(key, sizeof key, "setting-%d", (int)(number % keys));
        dbus_message_iter_append_basic(&iterator, DBUS_TYPE_STRING, &text);
        if (call == BUS_SET) append_variant(&iterator, number);
    } else if (call == BUS_APPLY) {
        dbus_uint64_t expected = 0;
        dbus_message_iter_open_container(&iterator, DBUS_TYPE_ARRAY, "{sv}", &array);
        for (int index = 0; index < keys; index++) {
            snprintf(key, sizeof key, "setting-%d", index);
            dbus_message_iter_open_container(&array, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
            dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &text);
            append_variant(&entry, number + index);
            dbus_message_iter_close_container(&array, &entry);
        }
        dbus_message_iter_close_container(&iterator, &array);
        dbus_message_iter_open_container(&iterator, DBUS_TYPE_ARRAY, "s", &array);
        dbus_message_iter_close_container(&iterator, &array);
        dbus_message_iter_append_basic(&iterator, DBUS_TYPE_UINT64, &expected);
    }
    return message;
}

int64_t bus_client_calls(struct bus_client *client, const char *service, enum bus_call call, const char *domain, int keys, int64_t first,
                         int count, int outstanding, int64_t *latencies) {
    client->started = calloc((size_t)count, sizeof *client->started);
    client->latencies = latencies;
    client->sent = client->answered = client->failed = 0;
    int64_t begin = now();
    while (client->answered < count && !client->failed) {
        while (client->sent < count && client->sent - client->answered < outstanding) {
            DBusMessage *message = make(service, call, domain, keys, first + client->sent);
            dbus_uint32_t serial = 0;
            client->started[client->sent] = now();
            if (!dbus_connection_send(client->connection, message, &serial)) client->failed = 1;
            dbus_message_unref(message);
            if (client->sent++ == 0) client->first_serial = serial;
        }
        if (!dbus_connection_read_write_dispatch(client->connection, 20000)) client->failed = 1;
    }
    int64_t duration = now() - begin;
    free(client->started);
    client->started = NULL;
    return client->failed ? -1 : duration;
}

int64_t bus_client_fdatasync(int file, int bytes) {
    enum { region = 2 << 20 };
    static char block[65536];
    static unsigned char number = 0;
    static off_t offset = -1;
    memset(block, ++number, sizeof block);
    if (bytes > (int)sizeof block) bytes = (int)sizeof block;
    if (offset < 0) {
        /* Blocks that are there already: as a -wal, which is overwritten from its start, has them. */
        for (offset = 0; offset < region; offset += (off_t)sizeof block)
            if (pwrite(file, block, sizeof block, offset) != (ssize_t)sizeof block) return -1;
        if (fsync(file) != 0) return -1;
        offset = 0;
    }
    int64_t begin = now();
    if (pwrite(file, block, (size_t)bytes, offset) != bytes || fdatasync(file) != 0) return -1;
    int64_t duration = now() - begin;
    offset = offset + 2 * bytes > region ? 0 : offset + bytes;
    return duration;
}

/* What countdowns cost where nothing but ticks is done: a heap, one timerfd and libdbus.

   It owns org.defaultsd1.Peer on the bus whose address is its argument, and answers two methods at any path:
   Start(u count, u period, b aligned) begins the ticks, unicast to the caller, period in milliseconds;
   Get(s, s) answers a variant at once, as Preferences.Get does. */

#include <dbus/dbus.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct countdown {
    int64_t due;
    uint32_t left;
    uint32_t number;
};

static struct countdown *heap;
static uint32_t count;
static int64_t period;
static char owner[256];

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "CountdownPeer: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* The first has become later: moves it down to its place. */
static void sift_down(void) {
    struct countdown moving = heap[0];
    uint32_t hole = 0;
    for (;;) {
        uint32_t child = 2 * hole + 1;
        if (child >= count) break;
        if (child + 1 < count && heap[child + 1].due < heap[child].due) child++;
        if (heap[child].due >= moving.due) break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = moving;
}

static void arm(int timer) {
    struct itimerspec when = {0};
    int64_t due = heap[0].due;
    when.it_value.tv_sec = due / 1000000000;
    when.it_value.tv_nsec = due % 1000000000;
    if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL) < 0) fail("timerfd_settime");
}

static void tick(DBusConnection *connection, const struct countdown *countdown, int64_t moment) {
    char path[64];
    snprintf(path, sizeof path, "/org/defaultsd1/countdown/peer/c%u", countdown->number);
    DBusMessage *message = dbus_message_new_signal(path, "org.defaultsd1.Countdown", "Tick");
    int64_t late = moment - countdown->due;
    dbus_uint64_t remaining = (dbus_uint64_t)(countdown->left * (period / 1000000) - late / 1000000);
    dbus_uint32_t left = countdown->left, missed = 0;
    if (!message || !dbus_message_set_destination(message, owner)
        || !dbus_message_append_args(message, DBUS_TYPE_UINT32, &left, DBUS_TYPE_UINT64, &remaining, DBUS_TYPE_UINT32,
                                     &missed, DBUS_TYPE_INVALID)
        || !dbus_connection_send(connection, message, NULL))
        fail("no memory for a tick");
    dbus_message_unref(message);
}

static void start(DBusMessage *call) {
    dbus_uint32_t wanted, milliseconds;
    dbus_bool_t aligned;
    if (!dbus_message_get_args(call, NULL, DBUS_TYPE_UINT32, &wanted, DBUS_TYPE_UINT32, &milliseconds, DBUS_TYPE_BOOLEAN,
                               &aligned, DBUS_TYPE_INVALID))
        fail("Start takes (uub)");
    snprintf(owner, sizeof owner, "%s", dbus_message_get_sender(call));
    heap = calloc(wanted, sizeof *heap);
    if (!heap) fail("calloc");
    period = (int64_t)milliseconds * 1000000;
    count = wanted;
    int64_t first = now() + period;
    for (uint32_t number = 0; number < count; number++) {
        /* Rising, so that it is a heap already. */
        heap[number].due = first + (aligned ? 0 : period / count * number);
        heap[number].left = 3600;
        heap[number].number = number;
    }
}

static DBusHandlerResult receive(DBusConnection *connection, DBusMessage *message, void *context) {
    (void)context;
    if (dbus_message_get_type(message) != DBUS_MESSAGE_TYPE_METHOD_CALL) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    DBusMessage *reply = dbus_message_new_method_return(message);
    if (!reply) fail("no memory for a reply");
    if (strcmp(dbus_message_get_member(message), "Start") == 0) {
        start(message);
    } else {
        DBusMessageIter arguments, variant;
        dbus_int64_t value = 14;
        dbus_message_iter_init_append(reply, &arguments);
        if (!dbus_message_iter_open_container(&arguments, DBUS_TYPE_VARIANT, "x", &variant)
            || !dbus_message_iter_append_basic(&variant, DBUS_TYPE_INT64, &value)
            || !dbus_message_iter_close_container(&arguments, &variant))
            fail("no memory for a reply");
    }
    dbus_connection_send(connection, reply, NULL);
    dbus_message_unref(reply);
    return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int argc, char **argv) {
    DBusError error = DBUS_ERROR_INIT;
    DBusConnection *connection = dbus_connection_open_private(argc > 1 ? argv[1] : "", &error);
    if (!connection || !dbus_bus_register(connection, &error)
        || dbus_bus_request_name(connection, "org.defaultsd1.Peer", 0, &error) < 0) {
        fprintf(stderr, "CountdownPeer: %s\n", error.message);
        return 1;
    }
    int descriptor, timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (timer < 0 || !dbus_connection_get_unix_fd(connection, &descriptor)
        || !dbus_connection_add_filter(connection, receive, NULL, NULL))
        fail("setting up");
    int64_t armed = 0;
    while (dbus_connection_get_is_connected(connection)) {
        while (dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS) continue;
        if (count > 0 && heap[0].due != armed) {
            armed = heap[0].due;
            arm(timer);
        }
        short events = POLLIN | (dbus_connection_has_messages_to_send(connection) ? POLLOUT : 0);
        struct pollfd polled[2] = {{timer, POLLIN, 0}, {descriptor, events, 0}};
        if (poll(polled, 2, -1) < 0 && errno != EINTR) fail("poll");
        if (polled[0].revents) {
            uint64_t expirations;
            if (read(timer, &expirations, sizeof expirations) < 0 && errno != EAGAIN) fail("read");
            int64_t moment = now();
            /* As many at once as the daemon sends before it looks for calls again. */
            for (int sent = 0; sent < 128 && heap[0].due <= moment; sent++) {
                heap[0].left--;
                tick(connection, &heap[0], moment);
                heap[0].due += period;
                sift_down();
            }
            armed = 0;
        }
        if (polled[1].revents) dbus_connection_read_write(connection, 0);
    }
    return 0;
}

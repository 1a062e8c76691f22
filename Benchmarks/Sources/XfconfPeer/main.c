/* xfconf by its own library, over the session bus that the environment names.

   XfconfPeer read|write KEYS [BATCH]: has KEYS properties set, then serves samples of one cached read (a mean of BATCH) or one write.
   XfconfPeer watch PREFIX: watches the properties below PREFIX until it is ended. */

#include <gio/gio.h>
#include <line.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xfconf/xfconf.h>

static XfconfChannel *channel;
static int keys, batch = 1;

static void write_value(int key, int value) {
    char property[64];
    snprintf(property, sizeof property, "/setting-%d", key);
    if (!xfconf_channel_set_int(channel, property, value)) line_fail("xfconf_channel_set_int");
}

static double sample_read(int number) {
    char property[64];
    snprintf(property, sizeof property, "/setting-%d", number % keys);
    if (xfconf_channel_get_int(channel, property, -1) < 0) line_fail("xfconf_channel_get_int");
    gint64 sum = 0;
    int64_t begin = line_now();
    for (int index = 0; index < batch; index++) sum += xfconf_channel_get_int(channel, property, -1);
    return (double)(line_now() - begin) / batch + (sum < 0);
}

/* A set by the library returns before the daemon has the value: this is the call that it makes, with its answer. */
static double sample_write(int number) {
    char property[64];
    snprintf(property, sizeof property, "/setting-%d", number % keys);
    GDBusConnection *connection = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    GVariant *arguments = g_variant_new("(ssv)", "benchmark", property, g_variant_new_int32(keys + number + 1));
    int64_t begin = line_now();
    GVariant *reply = g_dbus_connection_call_sync(connection, "org.xfce.Xfconf", "/org/xfce/Xfconf", "org.xfce.Xfconf", "SetProperty",
                                                  arguments, NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
    if (!reply) line_fail("SetProperty");
    int64_t duration = line_now() - begin;
    g_variant_unref(reply);
    g_object_unref(connection);
    return (double)duration;
}

static void changed(XfconfChannel *from, const char *property, const GValue *value, gpointer context) {
    (void)from, (void)property, (void)value, (void)context;
}

int main(int count, char **arguments) {
    if (count < 3) line_fail("usage: XfconfPeer read|write KEYS [BATCH] | watch PREFIX");
    if (!xfconf_init(NULL)) line_fail("xfconf_init");
    if (strcmp(arguments[1], "watch") == 0) {
        channel = xfconf_channel_new_with_property_base("benchmark", arguments[2]);
        g_signal_connect(channel, "property-changed", G_CALLBACK(changed), NULL);
        xfconf_channel_get_int(channel, "/setting", -1);
        GMainLoop *loop = g_main_loop_new(NULL, FALSE);
        line_ready();
        g_main_loop_run(loop);
    }
    channel = xfconf_channel_new("benchmark");
    keys = atoi(arguments[2]);
    if (count > 3) batch = atoi(arguments[3]);
    for (int index = 0; index < keys; index++) write_value(index, index);
    if (strcmp(arguments[1], "read") == 0) line_serve(sample_read);
    if (strcmp(arguments[1], "write") == 0) line_serve(sample_write);
    return 0;
}

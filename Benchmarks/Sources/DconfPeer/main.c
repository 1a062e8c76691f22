/* dconf by its own library, over the session bus that the environment names.

   DconfPeer read|write|stamp|apply KEYS [BATCH]: has KEYS keys written, then serves samples of one read (a mean of BATCH), one synchronous
   write of one key, the moment of its answer, or one changeset of all keys. `notify`: says at what moments it is told of changes. */

#include <dconf.h>
#include <line.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static DConfClient *client;
static int keys, batch = 1;

/* A thousand keys a folder, as a domain of ours has: the writer's time grows with the square of a folder's keys. */
static const char *path_of(int number) {
    static char path[64];
    snprintf(path, sizeof path, "/org/example/app-%d/setting-%d", number / 1000, number % 1000);
    return path;
}

static GVariant *value_of(int number) { return g_variant_new_int64(number); }

static void write_all(int number) {
    DConfChangeset *changes = dconf_changeset_new();
    for (int index = 0; index < keys; index++) {
        dconf_changeset_set(changes, path_of(index), value_of(number + index));
    }
    if (!dconf_client_change_sync(client, changes, NULL, NULL, NULL)) line_fail("dconf_client_change_sync");
    dconf_changeset_unref(changes);
}

static double sample_read(int number) {
    const char *path = path_of(number % keys);
    int64_t begin = line_now();
    for (int index = 0; index < batch; index++) {
        GVariant *value = dconf_client_read(client, path);
        if (!value) line_fail("dconf_client_read");
        g_variant_unref(value);
    }
    return (double)(line_now() - begin) / batch;
}

static double sample_write(int number) {
    const char *path = path_of(number % keys);
    int64_t begin = line_now();
    if (!dconf_client_write_sync(client, path, value_of(keys + number + 1), NULL, NULL, NULL)) line_fail("dconf_client_write_sync");
    return (double)(line_now() - begin);
}

/* The moment of the answer instead of the time that it took. */
static double sample_stamp(int number) {
    sample_write(number);
    return (double)line_now();
}

static double sample_apply(int number) {
    int64_t begin = line_now();
    write_all((number + 1) * keys);
    return (double)(line_now() - begin);
}

static gint64 told;

static void changed(DConfClient *from, const char *prefix, GStrv changes, const char *tag, gpointer context) {
    (void)from, (void)prefix, (void)changes, (void)tag, (void)context;
    told = line_now();
}

int main(int count, char **arguments) {
    if (count < 3) line_fail("usage: DconfPeer read|write|stamp|apply|notify KEYS [BATCH]");
    client = dconf_client_new();
    keys = atoi(arguments[2]);
    if (count > 3) batch = atoi(arguments[3]);
    if (strcmp(arguments[1], "notify") == 0) {
        /* Told of a change, it says at what time. */
        g_signal_connect(client, "changed", G_CALLBACK(changed), NULL);
        dconf_client_watch_sync(client, "/org/example/app-0/");
        line_ready();
        for (;;) {
            told = 0;
            while (told == 0) g_main_context_iteration(NULL, TRUE);
            printf("%lld\n", (long long)told);
            fflush(stdout);
        }
    }
    write_all(0);
    if (strcmp(arguments[1], "read") == 0) line_serve(sample_read);
    if (strcmp(arguments[1], "write") == 0) line_serve(sample_write);
    if (strcmp(arguments[1], "stamp") == 0) line_serve(sample_stamp);
    if (strcmp(arguments[1], "apply") == 0) line_serve(sample_apply);
    return 0;
}

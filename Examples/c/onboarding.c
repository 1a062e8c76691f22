// Shows a guide in a terminal, through sd-bus: cc onboarding.c $(pkg-config --cflags --libs libsystemd) -o onboarding
//
// The daemon decides whether it is shown, keeps the page and marks it seen at its end. Enter turns the page, q dismisses.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

static const char *const name = "org.defaultsd1";
static const char *const root = "/org/defaultsd1";
static const char *const guides = "org.defaultsd1.Guides";
static const char *const app = "org.example.C";

static void check(int result, const sd_bus_error *error, const char *what) {
    if (result >= 0) return;
    fprintf(stderr, "%s: %s\n", what, error && error->message ? error->message : strerror(-result));
    exit(1);
}

// One guide of two pages; defining it again changes nothing.
static void define(sd_bus *bus) {
    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *call = NULL;
    check(sd_bus_message_new_method_call(bus, &call, name, root, guides, "Define"), NULL, "Define");
    check(sd_bus_message_append(call, "ss", app, "welcome"), NULL, "Define");
    check(sd_bus_message_append(call, "a{sv}", 2, "completion", "s", "swipe", "pages", "aa{sv}", 2, 1, "title", "s",
                                "Everything in one place", 1, "title", "s", "Ready 🎉"),
          NULL, "Define");
    check(sd_bus_call(bus, call, 0, &error, NULL), &error, "Define");
    sd_bus_message_unref(call);
}

// What a guide says of itself, of what this program draws.
struct page {
    uint32_t page, count;
    const char *state, *outcome;
};

static struct page read_guide(sd_bus_message *message) {
    struct page page = {0};
    check(sd_bus_message_enter_container(message, 'a', "{sv}"), NULL, "reply");
    while (sd_bus_message_enter_container(message, 'e', "sv") > 0) {
        const char *entry = NULL;
        check(sd_bus_message_read(message, "s", &entry), NULL, "reply");
        if (strcmp(entry, "page") == 0) sd_bus_message_read(message, "v", "u", &page.page);
        else if (strcmp(entry, "count") == 0) sd_bus_message_read(message, "v", "u", &page.count);
        else if (strcmp(entry, "state") == 0) sd_bus_message_read(message, "v", "s", &page.state);
        else if (strcmp(entry, "outcome") == 0) sd_bus_message_read(message, "v", "s", &page.outcome);
        else check(sd_bus_message_skip(message, "v"), NULL, "reply");
        check(sd_bus_message_exit_container(message), NULL, "reply");
    }
    return page;
}

int main(int argc, char **argv) {
    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus *bus = NULL;
    sd_bus_message *reply = NULL;
    check(sd_bus_open_user(&bus), NULL, "the session bus");
    check(sd_bus_call_method(bus, name, root, "org.defaultsd1.Launches", "Record", &error, NULL, "ssa{sv}", app,
                             argc > 1 ? argv[1] : "1.0", 0),
          &error, "Record");
    define(bus);

    int show = 0;
    const char *reason = NULL;
    uint64_t run = 0;
    check(sd_bus_call_method(bus, name, root, guides, "Present", &error, &reply, "ssa{sv}", app, "welcome", 0), &error, "Present");
    check(sd_bus_message_read(reply, "bst", &show, &reason, &run), NULL, "reply");
    if (!show) {
        printf("not shown: %s\n", reason);
        return 0;
    }
    struct page page = read_guide(reply);
    while (strcmp(page.state, "presenting") == 0) {
        printf("page %u of %u\n", page.page + 1, page.count);
        fflush(stdout);
        int key = getchar();
        sd_bus_message *next = NULL;
        if (key == 'q' || key == EOF)
            check(sd_bus_call_method(bus, name, root, guides, "Finish", &error, &next, "ts", run, "dismissed"), &error, "Finish");
        else
            check(sd_bus_call_method(bus, name, root, guides, "Advance", &error, &next, "ti", run, 1), &error, "Advance");
        page = read_guide(next);
    }
    printf("the guide is over: %s\n", page.outcome);
    return 0;
}

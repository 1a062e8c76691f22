#ifndef CSYSTEMD_SHIM_H
#define CSYSTEMD_SHIM_H
#include <sys/eventfd.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>
/* Fields are given by name; the place in the source would be that of one function. */
#define SD_JOURNAL_SUPPRESS_LOCATION 1
#include <systemd/sd-journal.h>

/// A new event counter at 0, closed on exec, non-blocking; -1 and errno on failure (Swift's Glibc lacks eventfd).
static inline int csystemd_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}
#endif

#ifndef CSYSTEMD_SHIM_H
#define CSYSTEMD_SHIM_H
#include <sys/eventfd.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>

/// A new event counter at 0, closed on exec, non-blocking; -1 and errno on failure (Swift's Glibc lacks eventfd).
static inline int csystemd_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}
#endif

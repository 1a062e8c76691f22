#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/signalfd.h>

void clinux_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

int clinux_lock_file(int fd, int exclusive) {
    struct flock lock = {
        .l_type = exclusive ? F_WRLCK : F_RDLCK,
        .l_whence = SEEK_SET,
    };
    return fcntl(fd, F_OFD_SETLK, &lock);
}

int clinux_open_signals(const sigset_t *signals) {
    return signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

void clinux_release_memory(void) {
    malloc_trim(0);
}

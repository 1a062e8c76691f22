#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
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

int clinux_make_memory_file(const char *name)
{
    return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int clinux_seal_memory_file(int fd)
{
    return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
}

int clinux_is_sealed(int fd)
{
    const int wanted = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & wanted) == wanted;
}

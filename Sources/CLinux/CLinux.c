#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Linux 6.3; older headers lack it and older kernels refuse it. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

_Static_assert(F_SEAL_SEAL == CLINUX_SEAL_SEAL && F_SEAL_SHRINK == CLINUX_SEAL_SHRINK && F_SEAL_GROW == CLINUX_SEAL_GROW
                   && F_SEAL_WRITE == CLINUX_SEAL_WRITE && F_SEAL_FUTURE_WRITE == CLINUX_SEAL_FUTURE_WRITE,
               "the seals are the kernel's");

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

int clinux_allocate(int fd, int64_t size, int keep_size) {
    return fallocate(fd, keep_size ? FALLOC_FL_KEEP_SIZE : 0, 0, size);
}

void clinux_release_memory(void) {
    malloc_trim(0);
}

int clinux_make_memory_file(const char *name)
{
    const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int fd = memfd_create(name, flags | MFD_NOEXEC_SEAL);
    if (fd < 0 && errno == EINVAL) fd = memfd_create(name, flags);
    return fd;
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

int clinux_add_seals(int fd, unsigned seals)
{
    return fcntl(fd, F_ADD_SEALS, seals);
}

int clinux_seals(int fd)
{
    return fcntl(fd, F_GET_SEALS);
}

int clinux_open_process(int pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

int clinux_open_root(int pid)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/root", pid);
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

#define _GNU_SOURCE
#include "CSupport.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/fsuid.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int csupport_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC);
}

int csupport_open_process(int pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

int csupport_close_from(posix_spawn_file_actions_t *actions, int descriptor) {
    return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *position) {
    (void)status, (void)kind, (void)position;
    remove(path);
    return 0;
}

void csupport_remove_folder(const char *path) {
    const int descriptors = 16;
    nftw(path, remove_entry, descriptors, FTW_DEPTH | FTW_PHYS);
}

int csupport_use_rights_of(unsigned user) {
    setfsuid(user);
    return setfsuid(user) == (int)user ? 0 : -1;
}

int csupport_freeze_thread(int tid) {
    if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0) return -1;
    if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0) return -1;
    return waitpid(tid, NULL, __WALL) == tid ? 0 : -1;
}

void csupport_thaw_thread(int tid) {
    if (ptrace(PTRACE_DETACH, tid, NULL, NULL) != 0) waitpid(tid, NULL, __WALL);
}

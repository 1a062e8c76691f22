/* What tests need of Linux and Swift's Glibc module lacks. */
#ifndef CSUPPORT_H
#define CSUPPORT_H

#include <spawn.h>

/* pipe2(2) with both ends closed on exec: pipe(2) would leak them into what another thread starts meanwhile. */
int csupport_pipe(int ends[2]);

/* pidfd_open(2): a descriptor, closed on exec, that is readable once the process has ended; -1 and errno on failure. */
int csupport_open_process(int pid);

/* posix_spawn_file_actions_addclosefrom_np(3) */
int csupport_close_from(posix_spawn_file_actions_t *actions, int descriptor);

/* Removes a folder with all that is in it, following no link; what can't be removed stays. */
void csupport_remove_folder(const char *path);

/* setfsuid(2): whose rights the calling thread has to files, and no other thread; 0, or -1 where it may not change them. */
int csupport_use_rights_of(unsigned user);

/* Stops one thread of another process by ptrace(2) and returns once it stands still; 0, or -1 and errno. The calling thread must thaw it. */
int csupport_freeze_thread(int tid);

/* Lets a frozen thread run on; one that was killed meanwhile is reaped, without which its process would never be seen to end. */
void csupport_thaw_thread(int tid);

#endif

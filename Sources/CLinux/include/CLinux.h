/* The few calls that Swift's Glibc module lacks. */
#ifndef CLINUX_H
#define CLINUX_H

#include <signal.h>

/* pthread_setname_np of the calling thread; at most 15 bytes of name count. */
void clinux_name_thread(const char *name);

/* fcntl(F_OFD_SETLK): a write lock, or with exclusive 0 a read lock, on all of the file; 0, or -1 and errno. */
int clinux_lock_file(int fd, int exclusive);

/* signalfd(2): a descriptor, closed on exec and not blocking, that yields the signals of the set, which the caller has blocked; -1 and errno. */
int clinux_open_signals(const sigset_t *signals);

/* malloc_trim(3): gives memory that was freed back to the system. */
void clinux_release_memory(void);

/* memfd_create(2): a file in memory, closed on exec, that can be sealed; -1 and errno. */
int clinux_make_memory_file(const char *name);

/* fcntl(F_ADD_SEALS): no one can shrink, grow or write the file from now on, nor change that; 0, or -1 and errno. */
int clinux_seal_memory_file(int fd);

/* fcntl(F_GET_SEALS): 1 where no one can shrink, grow or write the file any more, 0 where someone can or it is no file in memory. */
int clinux_is_sealed(int fd);

#endif

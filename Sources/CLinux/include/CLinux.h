/* The few calls that Swift's Glibc module lacks. */
#ifndef CLINUX_H
#define CLINUX_H

#include <signal.h>
#include <stdint.h>

/* pthread_setname_np of the calling thread; at most 15 bytes of name count. */
void clinux_name_thread(const char *name);

/* fcntl(F_OFD_SETLK): a write lock, or with exclusive 0 a read lock, on all of the file; 0, or -1 and errno. */
int clinux_lock_file(int fd, int exclusive);

/* signalfd(2): a descriptor, closed on exec and not blocking, that yields the signals of the set, which the caller has blocked; -1 and errno. */
int clinux_open_signals(const sigset_t *signals);

/* fallocate(2): sets room aside for the first size bytes of a file, which grows to that unless keep_size; 0, or -1 and errno. */
int clinux_allocate(int fd, int64_t size, int keep_size);

/* malloc_trim(3): gives memory that was freed back to the system. */
void clinux_release_memory(void);

/*
 * Gives back the pages of the program's and its libraries' code and constants, which no one writes: the page cache has them still, and one that is used
 * again comes back from there. What a debugger has written into code, such as a breakpoint, is gone then.
 */
void clinux_release_file_pages(void);

/* memfd_create(2): a file in memory, closed on exec, that can be sealed and never be executed; -1 and errno. */
int clinux_make_memory_file(const char *name);

/* fcntl(F_ADD_SEALS): no one can shrink, grow or write the file from now on, nor change that; 0, or -1 and errno. */
int clinux_seal_memory_file(int fd);

/* fcntl(F_GET_SEALS): 1 where no one can shrink, grow or write the file any more, 0 where someone can or it is no file in memory. */
int clinux_is_sealed(int fd);

/* The seals of a memfd, as in fcntl(2). */
enum {
    CLINUX_SEAL_SEAL = 0x01,
    CLINUX_SEAL_SHRINK = 0x02,
    CLINUX_SEAL_GROW = 0x04,
    CLINUX_SEAL_WRITE = 0x08,
    CLINUX_SEAL_FUTURE_WRITE = 0x10,
};

/* fcntl(F_ADD_SEALS): 0, or -1 and errno. */
int clinux_add_seals(int fd, unsigned seals);

/* fcntl(F_GET_SEALS): the seals, or -1 and errno where the descriptor can have none. */
int clinux_seals(int fd);

/* pidfd_open(2): a descriptor of a process, closed on exec, readable once the process has ended; -1 and errno. */
int clinux_open_process(int pid);

/*
 * The root folder of a process, closed on exec, to look names up in; -1 and errno.
 *
 * With O_PATH nothing is read of it, and no file system gets to do anything that could take time.
 */
int clinux_open_root(int pid);

/* How many locks can be held: the kernel looks at 2,048 of a thread that ends. */
enum { CLINUX_LOCK_COUNT = 2000 };

/*
 * Holds the lock that the first word of a file in memory is, until it is released or this process ends: where it lies, or NULL and errno (ENFILE:
 * CLINUX_LOCK_COUNT are held). Nothing but that word is written. From one thread; a thread made with the first lock holds them all.
 */
uint32_t *clinux_hold_lock(int fd);

/* Releases a lock, whose place is then no longer valid; from the same thread. */
void clinux_release_lock(uint32_t *lock);

/*
 * Whether a thread holds the lock, for those who may only read it and so can't try to take it.
 *
 * The lock's first 32-bit word is a futex under the kernel's robust-futex protocol: the holder's thread id in the low 30 bits, 0 where no
 * one holds it. However the holder ends, the kernel sets FUTEX_OWNER_DIED (bit 30) in it as the thread gives up its memory: before its
 * descriptors are closed, and so before anyone can have its file locks or its bus name. Bit 31 only says that others wait.
 */
static inline int clinux_is_lock_held(const void *lock)
{
    const uint32_t owner_died = 0x40000000, thread = 0x3fffffff;
    uint32_t word = __atomic_load_n((const uint32_t *)lock, __ATOMIC_ACQUIRE);
    return (word & owner_died) == 0 && (word & thread) != 0;
}

/* Atomic operations on 64-bit words of shared memory: what was written before a release is seen after an acquire. */
static inline uint64_t clinux_load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void clinux_store(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline void clinux_increment(uint64_t *word)
{
    __atomic_fetch_add(word, 1, __ATOMIC_ACQ_REL);
}

#endif

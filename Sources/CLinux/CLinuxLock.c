#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * A pthread mutex would do, but its place in glibc's list of robust mutexes lies beside its lock word: two addresses of this process, in memory that
 * others read. So this is the kernel's protocol itself (set_robust_list(2)), on a thread that does nothing else and never uses a robust mutex: its list
 * is then ours to set, and glibc keeps that of every other thread.
 *
 * The kernel finds the lock word of each entry at one distance from the entry. Entries are kept in memory of this process alone, as far from each other
 * as the lock words, which are mapped one behind the other for that.
 */

enum { STRIDE = 4096 };

struct entry {
    /* First, for the kernel follows it. */
    struct robust_list list;
    struct entry *previous;
};

static struct robust_list_head head;
static char *words;
static char *entries;
static pid_t keeper;
static sem_t keeper_is_ready;
static unsigned char is_used[CLINUX_LOCK_COUNT];

static void *keep(void *unused)
{
    (void)unused;
    if (syscall(SYS_set_robust_list, &head, sizeof head) == 0) __atomic_store_n(&keeper, gettid(), __ATOMIC_RELEASE);
    sem_post(&keeper_is_ready);
    /* The locks are held for as long as this thread is there. */
    while (keeper != 0) pause();
    return NULL;
}

static int start_keeper(void)
{
    const size_t size = (size_t)CLINUX_LOCK_COUNT * STRIDE;
    words = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (words == MAP_FAILED) return errno;
    entries = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (entries == MAP_FAILED) {
        int error = errno;
        munmap(words, size);
        return error;
    }
    head.list.next = &head.list;
    head.futex_offset = words - entries;
    sem_init(&keeper_is_ready, 0, 0);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    /* Signals are for the other threads. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int error = pthread_create(&thread, &attributes, keep, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (error == 0) {
        while (sem_wait(&keeper_is_ready) != 0) continue;
        if (__atomic_load_n(&keeper, __ATOMIC_ACQUIRE) != 0) return 0;
        error = ENOSYS;
    }
    munmap(words, size);
    munmap(entries, size);
    return error;
}

static struct entry *entry_of(const uint32_t *lock)
{
    return (struct entry *)(entries + ((const char *)lock - words));
}

uint32_t *clinux_hold_lock(int fd)
{
    if (keeper == 0) {
        int error = start_keeper();
        if (error != 0) {
            errno = error;
            return NULL;
        }
    }
    size_t number = 0;
    while (number < CLINUX_LOCK_COUNT && is_used[number]) number++;
    if (number == CLINUX_LOCK_COUNT) {
        errno = ENFILE;
        return NULL;
    }
    void *place = mmap(words + number * STRIDE, STRIDE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
    if (place == MAP_FAILED) return NULL;
    is_used[number] = 1;
    uint32_t *lock = place;
    struct entry *entry = entry_of(lock);
    struct robust_list *next = head.list.next;
    entry->list.next = next;
    entry->previous = NULL;
    if (next != &head.list) ((struct entry *)next)->previous = entry;
    /* The kernel may follow the list between any two instructions: an entry is whole before it is in it, and in it before it counts. */
    __atomic_store_n(&head.list.next, &entry->list, __ATOMIC_RELEASE);
    __atomic_store_n(lock, (uint32_t)keeper, __ATOMIC_RELEASE);
    return lock;
}

void clinux_release_lock(uint32_t *lock)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    struct entry *entry = entry_of(lock);
    struct robust_list *next = entry->list.next;
    struct robust_list *before = entry->previous == NULL ? &head.list : &entry->previous->list;
    __atomic_store_n(&before->next, next, __ATOMIC_RELEASE);
    if (next != &head.list) ((struct entry *)next)->previous = entry->previous;
    mmap(lock, STRIDE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    is_used[((const char *)lock - words) / STRIDE] = 0;
}

#define _GNU_SOURCE
#include "CLinux.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

/* Whether the loader has written into segments that are not to be written: giving those pages back would undo it. */
static int has_text_relocations(const struct dl_phdr_info *object)
{
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[index];
        if (header->p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + header->p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL) return 1;
            if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0) return 1;
        }
    }
    return 0;
}

static int release_object(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    (void)context;
    if (has_text_relocations(object)) return 0;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[index];
        if (header->p_type != PT_LOAD || (header->p_flags & PF_W) != 0) continue;
        /* Whole pages of the segment: one that it shares with the next is the next's. */
        uintptr_t begin = (object->dlpi_addr + header->p_vaddr + page - 1) & ~(page - 1);
        uintptr_t end = (object->dlpi_addr + header->p_vaddr + header->p_memsz) & ~(page - 1);
        /* Where the kernel refuses, the pages stay. */
        if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
    return 0;
}

void clinux_release_file_pages(void)
{
    dl_iterate_phdr(release_object, NULL);
}

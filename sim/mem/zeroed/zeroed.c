/* zeroed: see zeroed.h. */
#include "mem/zeroed/zeroed.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* The leak sanitizer searches only those mappings for pointers that are registered with it. */
#if defined __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
static void holds_pointers(void *memory, uint64_t bytes)
{
    __lsan_register_root_region(memory, bytes);
}
static void held_pointers(void *memory, uint64_t bytes)
{
    __lsan_unregister_root_region(memory, bytes);
}
#else
static void holds_pointers(void *memory, uint64_t bytes) { (void)memory, (void)bytes; }
static void held_pointers(void *memory, uint64_t bytes) { (void)memory, (void)bytes; }
#endif

enum { SMALL = 128 * 1024 };

static void *pages(uint64_t bytes)
{
    /* the host promises no memory for what may never be touched */
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) return memory;
    g_autofree char *size = base_format((double)bytes, BASE_BYTES);
    fprintf(stderr, "sidewinder: this computer has no room for %s that the model of memory needs\n",
            size);
    exit(1);
}

void *mem_zeroed(uint64_t bytes) { return bytes < SMALL ? g_malloc0(bytes) : pages(bytes); }

void *mem_zeroed_pages(uint64_t bytes)
{
    void *memory = pages(bytes);
    holds_pointers(memory, bytes);
    return memory;
}

void mem_zeroed_pages_free(void *memory, uint64_t bytes)
{
    held_pointers(memory, bytes);
    munmap(memory, bytes);
}

void mem_zeroed_free(void *memory, uint64_t bytes)
{
    if (bytes < SMALL)
        g_free(memory);
    else if (memory)
        munmap(memory, bytes);
}

void mem_large_page(uintptr_t around)
{
    enum { BYTES = 1 << MEM_LARGE_BITS, COLLAPSE = 25 }; /* MADV_COLLAPSE, Linux 6.1 */
    void *from = (void *)(around & ~(uintptr_t)(BYTES - 1));
    if (madvise(from, BYTES, MADV_HUGEPAGE) == 0) madvise(from, BYTES, COLLAPSE);
}

void mem_zeroed_read(const void *memory, uint64_t bytes)
{
    enum { PAGE = 4096, POPULATE_READ = 22 }; /* MADV_POPULATE_READ, Linux 5.14 */
    uintptr_t from = (uintptr_t)memory & ~(uintptr_t)(PAGE - 1);
    if (bytes >= SMALL) madvise((void *)from, (uintptr_t)memory + bytes - from, POPULATE_READ);
}

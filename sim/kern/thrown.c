/* The exceptions that a rank has thrown and caught, and not yet let go.
 *
 * C++'s library keeps them for each thread (Itanium C++ ABI, Exception Handling, 2.2.2). Ranks are
 * one thread: a rank that waits inside its handler would find the exception of another there, end
 * it, and read what is freed. So each rank has a list of its own; other threads have the library's.
 */
#include "kern/kern.h"

#include <dlfcn.h>

struct thrown {
    void *caught;          /* the last one; each has a link to the one before */
    unsigned int uncaught; /* how many are on their way */
};

typedef void *getter(void);

static getter *library(const char *name)
{
    union {
        void *found;
        getter *call;
    } its = {.found = dlsym(RTLD_NEXT, name)};
    return its.call;
}

static struct thrown *thrown_of(int rank)
{
    static GHashTable *ranks; /* rank -> its */
    if (!ranks) ranks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    struct thrown *its = g_hash_table_lookup(ranks, GINT_TO_POINTER(rank));
    if (!its) g_hash_table_insert(ranks, GINT_TO_POINTER(rank), its = g_new0(struct thrown, 1));
    return its;
}

/* Of the whole process, as __cxa_throw is (bottom.c). */
__attribute__((visibility("default"))) void *__cxa_get_globals(void);
void *__cxa_get_globals(void)
{
    static getter *others;
    const int rank = kern_rank();
    if (rank >= 0) return thrown_of(rank);
    if (!others) others = library("__cxa_get_globals");
    return others();
}

/* Where there are some already. */
__attribute__((visibility("default"))) void *__cxa_get_globals_fast(void);
void *__cxa_get_globals_fast(void) { return __cxa_get_globals(); }

/* Where a rank's program begins on its stack.
 *
 * SimGrid ends an actor that has not returned by an exception, thrown in the call in which it
 * waits. Where that is under the program, the exception would pass through its functions, and C++'s
 * do not let it: where nothing may be thrown (a destructor, `noexcept`, a call of exit) the program
 * is terminated, and destructors that call MPI would run in a run that is over. exit and MPI_Abort
 * leave what is on the stack as it is. So the exception is thrown once more from below the program.
 * What SimGrid itself has on the stack above stays, too: every rank ends with the run. */
#include "kern/kern.h"

#include <dlfcn.h>
#include <string.h>

/* __cxa_throw of the C++ ABI for Itanium, 2.4.3 */
typedef void (*thrower)(void *object, void *type, void (*destroy)(void *));

struct bottom {
    jmp_buf below;
    void *object, *type;
    void (*destroy)(void *);
};
static GHashTable *bottoms; /* rank -> its */

static void throw_on(void *object, void *type, void (*destroy)(void *))
{
    static union {
        void *found;
        thrower call;
    } library;
    if (!library.found) library.found = dlsym(RTLD_NEXT, "__cxa_throw");
    library.call(object, type, destroy);
}

jmp_buf *kern_bottom(void)
{
    if (!bottoms) bottoms = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    struct bottom *b = g_new0(struct bottom, 1);
    g_hash_table_insert(bottoms, GINT_TO_POINTER(kern_rank()), b);
    return &b->below;
}

void kern_at_bottom(void)
{
    gpointer rank = GINT_TO_POINTER(kern_rank());
    const struct bottom last = *(struct bottom *)g_hash_table_lookup(bottoms, rank);
    g_hash_table_remove(bottoms, rank);
    throw_on(last.object, last.type, last.destroy);
}

/* A std::type_info begins with a table of functions and its name (2.9.3). */
static bool ends_an_actor(const void *type)
{
    const char *name = ((const char *const *)type)[1];
    return strcmp(name, "N7simgrid21ForcefulKillExceptionE") == 0;
}

/* Of the whole process: SimGrid's calls come here, since libsidewinder stands before libstdc++. */
__attribute__((visibility("default"))) void __cxa_throw(void *object, void *type,
                                                        void (*destroy)(void *));
void __cxa_throw(void *object, void *type, void (*destroy)(void *))
{
    struct bottom *b = NULL;
    if (bottoms && ends_an_actor(type))
        b = g_hash_table_lookup(bottoms, GINT_TO_POINTER(kern_rank()));
    if (!b) throw_on(object, type, destroy);
    b->object = object;
    b->type = type;
    b->destroy = destroy;
    _longjmp(b->below, 1);
}

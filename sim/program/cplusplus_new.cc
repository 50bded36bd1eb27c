/* operator new and operator delete of the rank's own heap (C++17, 21.6.2): a program may replace
 * each, and those that it does not replace call those that it does, as the standard says of each.
 * By their names in the C++ ABI (Itanium, 5.1.4): a header of the library would make them others'
 * too. Linked from an archive, into programs that call one; not instrumented. */
#include "program/program.h"

#include <new>

#define CALLED(name) __asm__(name) __attribute__((weak, visibility("hidden")))

typedef const std::nothrow_t &quiet;

void *make(size_t n) CALLED("_Znwm");
void *make_array(size_t n) CALLED("_Znam");
void *try_make(size_t n, quiet) noexcept CALLED("_ZnwmRKSt9nothrow_t");
void *try_make_array(size_t n, quiet) noexcept CALLED("_ZnamRKSt9nothrow_t");
void *make(size_t n, size_t align) CALLED("_ZnwmSt11align_val_t");
void *make_array(size_t n, size_t align) CALLED("_ZnamSt11align_val_t");
void *try_make(size_t n, size_t align, quiet) noexcept CALLED("_ZnwmSt11align_val_tRKSt9nothrow_t");
void *try_make_array(size_t n, size_t align, quiet) noexcept
    CALLED("_ZnamSt11align_val_tRKSt9nothrow_t");
void end(void *p) noexcept CALLED("_ZdlPv");
void end_array(void *p) noexcept CALLED("_ZdaPv");
void end_sized(void *p, size_t n) noexcept CALLED("_ZdlPvm");
void end_array_sized(void *p, size_t n) noexcept CALLED("_ZdaPvm");
void end(void *p, quiet) noexcept CALLED("_ZdlPvRKSt9nothrow_t");
void end_array(void *p, quiet) noexcept CALLED("_ZdaPvRKSt9nothrow_t");
void end(void *p, size_t align) noexcept CALLED("_ZdlPvSt11align_val_t");
void end_array(void *p, size_t align) noexcept CALLED("_ZdaPvSt11align_val_t");
void end_sized(void *p, size_t n, size_t align) noexcept CALLED("_ZdlPvmSt11align_val_t");
void end_array_sized(void *p, size_t n, size_t align) noexcept CALLED("_ZdaPvmSt11align_val_t");
void end(void *p, size_t align, quiet) noexcept CALLED("_ZdlPvSt11align_val_tRKSt9nothrow_t");
void end_array(void *p, size_t align, quiet) noexcept CALLED("_ZdaPvSt11align_val_tRKSt9nothrow_t");

/* Each rank has a handler of its own. */
std::new_handler get_handler() noexcept CALLED("_ZSt15get_new_handlerv");
std::new_handler set_handler(std::new_handler to) noexcept CALLED("_ZSt15set_new_handlerPFvvE");
static std::new_handler handler;

std::new_handler get_handler() noexcept { return handler; }
std::new_handler set_handler(std::new_handler to) noexcept
{
    std::new_handler before = handler;
    handler = to;
    return before;
}

/* There is no memory: the handler finds some, or ends the search. */
static void find_more()
{
    std::new_handler find = get_handler();
    if (!find) throw std::bad_alloc();
    find();
}

void *make(size_t n)
{
    for (;; find_more())
        if (void *p = probe_calls.malloc(n ? n : 1)) return p;
}
void *make(size_t n, size_t align)
{
    for (;; find_more())
        if (void *p = probe_calls.memalign(align, n ? n : 1)) return p;
}
void *make_array(size_t n) { return make(n); }
void *make_array(size_t n, size_t align) { return make(n, align); }

#define TRY(call)                                                                                  \
    try {                                                                                          \
        return call;                                                                               \
    } catch (...) {                                                                                \
        return nullptr;                                                                            \
    }
void *try_make(size_t n, quiet) noexcept { TRY(make(n)) }
void *try_make_array(size_t n, quiet) noexcept { TRY(make_array(n)) }
void *try_make(size_t n, size_t align, quiet) noexcept { TRY(make(n, align)) }
void *try_make_array(size_t n, size_t align, quiet) noexcept { TRY(make_array(n, align)) }

/* Size and alignment do not matter: the block knows. */
void end(void *p) noexcept { probe_calls.free(p); }
void end_array(void *p) noexcept { end(p); }
void end_sized(void *p, size_t) noexcept { end(p); }
void end_array_sized(void *p, size_t) noexcept { end_array(p); }
void end(void *p, quiet) noexcept { end(p); }
void end_array(void *p, quiet) noexcept { end_array(p); }
void end(void *p, size_t) noexcept { probe_calls.free(p); }
void end_array(void *p, size_t align) noexcept { end(p, align); }
void end_sized(void *p, size_t, size_t align) noexcept { end(p, align); }
void end_array_sized(void *p, size_t, size_t align) noexcept { end_array(p, align); }
void end(void *p, size_t align, quiet) noexcept { end(p, align); }
void end_array(void *p, size_t align, quiet) noexcept { end_array(p, align); }

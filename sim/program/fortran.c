/* Stand-ins for the Fortran library, of programs that use it (gfortran's libgfortran, of which each
 * rank has a copy of its own).
 *
 * READ, WRITE, PRINT and whatever compares or joins strings hand the library addresses of the
 * program's variables; it is not instrumented, so their loads and stores are played here.
 * Interface: gcc/fortran/trans-io.cc, trans-intrinsic.cc; descriptors: libgfortran/libgfortran.h,
 * version 8 of the library's symbols. Left out: NAMELIST, internal units, functions of whole
 * arrays.
 */
#define _GNU_SOURCE
#include "program/program.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

struct descriptor {
    char *base;
    size_t offset, element;
    int version;
    signed char rank, type;
    short attribute;
    ptrdiff_t span;
    struct {
        ptrdiff_t stride, lower, upper;
    } dim[15];
};

typedef void playing(const void *addr, size_t bytes, uintptr_t pc);

static void *library(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort(); /* the linker found it */
    return function;
}

/* Element by element, or whole runs of them. */
static void play_array(const struct descriptor *d, playing *play, uintptr_t pc)
{
    ptrdiff_t index[15] = {0};
    size_t run = d->element;
    int first = 0;
    for (int i = 0; i < d->rank; i++)
        if (d->dim[i].upper < d->dim[i].lower) return;
    while (first < d->rank && d->dim[first].stride * (ptrdiff_t)d->element == (ptrdiff_t)run)
        run *= (size_t)(d->dim[first].upper - d->dim[first].lower + 1), first++;
    for (;;) {
        const char *at = d->base;
        for (int i = first; i < d->rank; i++)
            at += index[i] * d->dim[i].stride * (ptrdiff_t)d->element;
        play(at, run, pc);
        int i = first;
        while (i < d->rank && ++index[i] > d->dim[i].upper - d->dim[i].lower) index[i++] = 0;
        if (i == d->rank) return;
    }
}

static size_t real_bytes(int kind) { return kind == 10 ? 16 : (size_t)kind; }

#define PC     ((uintptr_t)__builtin_return_address(0))
#define HIDDEN __attribute__((visibility("hidden")))
/* One function of the library: `how` plays what it does to the program's memory, then it does it.
 */
#define PLAYED(type, answer, name, how, parameters, ...)                                           \
    HIDDEN type name parameters;                                                                   \
    HIDDEN type name parameters                                                                    \
    {                                                                                              \
        static type(*real) parameters;                                                             \
        if (!real) *(void **)&real = library(#name);                                               \
        if (probe_calls.simulated()) {                                                             \
            how;                                                                                   \
        }                                                                                          \
        answer real(__VA_ARGS__);                                                                  \
    }
#define FUNCTION(type, ...) PLAYED(type, return, __VA_ARGS__)
#define PROCEDURE(...)      PLAYED(void, , __VA_ARGS__)
#define SCALAR(name, bytes)                                                                        \
    PROCEDURE(_gfortran_transfer_##name, probe_calls.stored(p, bytes, PC),                         \
              (void *io, void *p, int kind), io, p, kind)                                          \
    PROCEDURE(_gfortran_transfer_##name##_write, probe_calls.loaded(p, bytes, PC),                 \
              (void *io, void *p, int kind), io, p, kind)
SCALAR(integer, (size_t)kind)
SCALAR(logical, (size_t)kind)
SCALAR(real, real_bytes(kind))
SCALAR(real128, real_bytes(kind))
SCALAR(complex, 2 * real_bytes(kind))
SCALAR(complex128, 2 * real_bytes(kind))

PROCEDURE(_gfortran_transfer_character, probe_calls.stored(p, n, PC), (void *io, void *p, size_t n),
          io, p, n)
PROCEDURE(_gfortran_transfer_character_write, probe_calls.loaded(p, n, PC),
          (void *io, void *p, size_t n), io, p, n)
PROCEDURE(_gfortran_transfer_character_wide, probe_calls.stored(p, n *(size_t)kind, PC),
          (void *io, void *p, size_t n, int kind), io, p, n, kind)
PROCEDURE(_gfortran_transfer_character_wide_write, probe_calls.loaded(p, n *(size_t)kind, PC),
          (void *io, void *p, size_t n, int kind), io, p, n, kind)
PROCEDURE(_gfortran_transfer_array, play_array(d, probe_calls.stored, PC),
          (void *io, struct descriptor *d, int kind, size_t n), io, d, kind, n)
PROCEDURE(_gfortran_transfer_array_write, play_array(d, probe_calls.loaded, PC),
          (void *io, struct descriptor *d, int kind, size_t n), io, d, kind, n)

/* ---- strings --------------------------------------------------------------------------------- */

#define LOADS(p, n)  probe_calls.loaded(p, n, PC)
#define STORES(p, n) probe_calls.stored(p, n, PC)
FUNCTION(int, _gfortran_compare_string, LOADS(a, m);
         LOADS(b, n), (size_t m, const char *a, size_t n, const char *b), m, a, n, b)
PROCEDURE(_gfortran_concat_string, LOADS(a, m); LOADS(b, n);
          STORES(to, l), (size_t l, char *to, size_t m, const char *a, size_t n, const char *b), l,
          to, m, a, n, b)
FUNCTION(size_t, _gfortran_string_len_trim, LOADS(a, m), (size_t m, const char *a), m, a)
PROCEDURE(_gfortran_string_trim, LOADS(a, m), (size_t *l, void **to, size_t m, const char *a), l,
          to, m, a)
PROCEDURE(_gfortran_adjustl, LOADS(a, m);
          STORES(to, m), (char *to, size_t m, const char *a), to, m, a)
PROCEDURE(_gfortran_adjustr, LOADS(a, m);
          STORES(to, m), (char *to, size_t m, const char *a), to, m, a)
#define SEARCH(name)                                                                               \
    FUNCTION(size_t, name, LOADS(a, m);                                                            \
             LOADS(b, n), (size_t m, const char *a, size_t n, const char *b, int back), m, a, n,   \
             b, back)
SEARCH(_gfortran_string_index)
SEARCH(_gfortran_string_scan)
SEARCH(_gfortran_string_verify)

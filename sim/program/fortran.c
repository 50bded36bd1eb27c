/* Stand-ins for the Fortran library, of programs that use it (gfortran's libgfortran, of which each
 * rank has a copy of its own).
 *
 * READ, WRITE, PRINT and whatever compares or joins strings hand the library addresses of the
 * program's variables; it is not instrumented, so their loads and stores are played here.
 * Interface: gcc/fortran/trans-io.cc, trans-intrinsic.cc; descriptors: libgfortran/libgfortran.h,
 * version 8 of the library's symbols. Functions of whole arrays:
 * fortran_arrays.c. Left out: NAMELIST, internal units that are arrays.
 */
#include "program/fortran.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

void *program_library(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort(); /* the linker found it */
    return function;
}

/* Calls `each` for the array's elements, or whole runs of them. */
static void for_runs(const struct descriptor *d, void (*each)(char *at, size_t bytes, void *data),
                     void *data)
{
    ptrdiff_t index[15] = {0};
    size_t run = d->element;
    int first = 0;
    for (int i = 0; i < d->rank; i++)
        if (d->dim[i].upper < d->dim[i].lower) return;
    while (first < d->rank && d->dim[first].stride * (ptrdiff_t)d->element == (ptrdiff_t)run)
        run *= (size_t)(d->dim[first].upper - d->dim[first].lower + 1), first++;
    for (;;) {
        char *at = d->base;
        for (int i = first; i < d->rank; i++)
            at += index[i] * d->dim[i].stride * (ptrdiff_t)d->element;
        each(at, run, data);
        int i = first;
        while (i < d->rank && ++index[i] > d->dim[i].upper - d->dim[i].lower) index[i++] = 0;
        if (i == d->rank) return;
    }
}

struct delivery {
    char *bytes;
    size_t n;
    uintptr_t pc;
};

static void load_run(char *at, size_t bytes, void *data)
{
    probe_calls.loaded(at, bytes, ((struct delivery *)data)->pc);
}
static void count_run(char *at, size_t bytes, void *data)
{
    (void)at;
    ((struct delivery *)data)->n += bytes;
}
static void keep_run(char *at, size_t bytes, void *data)
{
    struct delivery *d = data;
    for (size_t i = 0; i < bytes; i++) d->bytes[d->n++] = at[i];
}
static void store_run(char *at, size_t bytes, void *data)
{
    struct delivery *d = data;
    probe_calls.stored(at, bytes, d->pc);
    for (size_t i = 0; i < bytes; i++) at[i] = d->bytes[d->n++];
}

void program_load_array(const struct descriptor *d, uintptr_t pc)
{
    for_runs(d, load_run, &(struct delivery){.pc = pc});
}

void program_store_array(const struct descriptor *d, uintptr_t pc)
{
    struct delivery all = {.pc = pc};
    for_runs(d, count_run, &all);
    all.bytes = probe_calls.malloc(all.n);
    if (!all.bytes) return;
    all.n = 0;
    for_runs(d, keep_run, &all);
    all.n = 0;
    for_runs(d, store_run, &all);
    probe_calls.free(all.bytes);
}

/* ---- what the library executes for each element ---------------------------------------------- */

static void count_elements(const struct descriptor *d, size_t *n)
{
    *n = 1;
    for (int i = 0; i < d->rank; i++)
        *n *=
            d->dim[i].upper < d->dim[i].lower ? 0 : (size_t)(d->dim[i].upper - d->dim[i].lower + 1);
}

void program_execute_elements(const struct descriptor *d, const char *function, uintptr_t pc)
{
    size_t n;
    count_elements(d, &n);
    probe_calls.executed(function, n, pc);
}

/* Formatted, an element is as an item of its own; else its bytes go through a buffer. */
static void transferred(const int *flags, const struct descriptor *d, bool writes, uintptr_t pc)
{
    enum { LIST_FORMAT = 1 << 7, HAS_FORMAT = 1 << 12 }; /* as libgfortran has them */
    enum { INTEGER = 1, LOGICAL, REAL, COMPLEX, CHARACTER = 6, TYPES };
    static const char *const write[TYPES] = {
        [INTEGER] = "_gfortran_transfer_integer_write",
        [LOGICAL] = "_gfortran_transfer_logical_write",
        [REAL] = "_gfortran_transfer_real_write",
        [COMPLEX] = "_gfortran_transfer_real_write",
        [CHARACTER] = "_gfortran_transfer_character_write",
    };
    static const char *const read[TYPES] = {
        [INTEGER] = "_gfortran_transfer_integer",     [LOGICAL] = "_gfortran_transfer_logical",
        [REAL] = "_gfortran_transfer_real",           [COMPLEX] = "_gfortran_transfer_real",
        [CHARACTER] = "_gfortran_transfer_character",
    };
    const char *function = d->type > 0 && d->type < TYPES ? (writes ? write : read)[d->type] : NULL;
    if (!function || !(*flags & (LIST_FORMAT | HAS_FORMAT))) return;
    program_execute_elements(d, function, pc);
    if (d->type == COMPLEX) program_execute_elements(d, function, pc);
}

static size_t real_bytes(int kind) { return kind == 10 ? 16 : (size_t)kind; }

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
STORING(_gfortran_transfer_array, transferred(io, d, false, PC), program_store_array(d, PC),
        (void *io, struct descriptor *d, int kind, size_t n), io, d, kind, n)
PROCEDURE(_gfortran_transfer_array_write, program_load_array(d, PC);
          transferred(io, d, true, PC), (void *io, struct descriptor *d, int kind, size_t n), io, d,
          kind, n)

/* ---- internal units --------------------------------------------------------------------------
 *
 * What READ and WRITE are called with begins so (libgfortran's st_parameter_dt). A WRITE stores the
 * whole variable: the record is filled with blanks. */
struct transfer {
    int flags, unit;
    const char *file;
    int line;
    size_t message_bytes;
    char *message;
    int *status;
    int64_t record;
    size_t *size, *length;
    const struct descriptor *internal_array;
    const char *format;
    size_t format_bytes, advance_bytes;
    const char *advance;
    char *internal;
    size_t internal_bytes;
};

static void internal_unit(const struct transfer *io, void (*each)(char *, size_t, void *),
                          struct delivery *data)
{
    enum { HAS_INTERNAL_UNIT = 1 << 14 };
    if ((io->flags & HAS_INTERNAL_UNIT) && !io->internal_array)
        each(io->internal, io->internal_bytes, data);
}

static void store_internal_unit(const struct transfer *io, uintptr_t pc)
{
    struct delivery all = {.pc = pc};
    internal_unit(io, count_run, &all);
    if (all.n > 0) all.bytes = probe_calls.malloc(all.n);
    if (!all.bytes) return;
    all.n = 0;
    internal_unit(io, keep_run, &all);
    all.n = 0;
    internal_unit(io, store_run, &all);
    probe_calls.free(all.bytes);
}

PROCEDURE(_gfortran_st_read, internal_unit(io, load_run, &(struct delivery){.pc = PC}),
          (struct transfer * io), io)
STORING(_gfortran_st_write_done, (void)0, store_internal_unit(io, PC), (struct transfer * io), io)

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

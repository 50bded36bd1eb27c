/* What the program itself does (probe): it starts, computes, lets time pass, ends. */
#ifndef WORLD_PROGRAM_H
#define WORLD_PROGRAM_H

#include "base/base.h"

#include <setjmp.h>

/* A copy of the program was loaded into [base, end) by the rank that is starting. */
void world_program_start(uintptr_t base, uintptr_t end);
/* A shared library that sidewinder cc has linked was loaded at base: a rank's copy, or once, for
 * all ranks. */
void world_library_start(const char *path, uintptr_t base);
/* The running rank's copy of a plug-in that sidewinder cc has linked (NULL: it is none), and that
 * it was loaded. */
const char *world_plug_in(const char *path);
void world_plug_in_loaded(const char *copy);
void world_libraries_begin(
    void); /* the first rank's program begins: from here on they are watched */
/* The names of those whose static variables have changed since. NULL ended; g_strfreev. */
char **world_libraries_changed(void);
char *const *world_arguments(int *argc); /* of the program, its name first */
/* The running rank's program begins in the caller's frame, as in kern:
 *     if (_setjmp(*world_bottom()) != 0) world_at_bottom(); */
jmp_buf *world_bottom(void);
void world_at_bottom(void);
/* The running rank's program ends with that code. Does not return. */
void world_exit(int code) G_GNUC_NORETURN;
/* The running rank pays what it owes; others run meanwhile. Returns the seconds that servicing took
 * its processor, since it was last asked. */
double world_pay(void);
/* Charge computation that no block shows, for the statement at pc. Negative, or no number: ends the
 * run, in a sentence. */
void world_compute(double seconds, uintptr_t pc);
/* The running rank lets time pass, outside MPI. Returns what is left: a signal has ended it. */
double world_sleep(double seconds);
/* The running rank makes its stores to the range reach memory; or drops the range, SIZE_MAX bytes:
 * everything, from its caches. */
void world_flush(uintptr_t addr, size_t bytes);
void world_invalidate(uintptr_t addr, size_t bytes);
int world_counters(void); /* fetch-and-increment registers of each rank */
/* in a child that a rank has forked: it is an ordinary process, and no other rank may run in it */
void world_forked(void);

#endif

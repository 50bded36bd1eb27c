/* report/text: a run for a person: where the time went, caches, operations, bus and links, then
 * what went wrong; and how a run died. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report/run/run.h"

#include <stdio.h>

/* On `out`; colour only when asked for. */
void report_text(const struct report_run *run, FILE *out, bool colour);
/* The same into a file, as report_json does. */
bool report_text_file(const struct report_run *run, const char *path, GError **error);

/* How a run died. Places: the faulting instruction itself, then those of the calls that led there
 * (no return addresses), the innermost first; 0 places: unknown. rank -1: no rank was running. */
enum { REPORT_CRASH_PLACES = 32 };
struct report_crash {
    const char *program;
    int rank, signal;
    bool overflow; /* of the stack */
    bool more;     /* places than these */
    int places;
    op_site place[REPORT_CRASH_PLACES];
    const char *call; /* the rank's operation, which asked that rank's memory; NULL: none did */
    int memory_of;
    size_t message; /* so many bytes of one were copied; 0: none were, or that is not known */
};
/* On standard error, one line a place: "sidewinder: rank 2: segmentation fault at halo.c:42", or
 * "sidewinder: rank 2: segmentation fault in rank 3's memory, by MPI_Put at halo.c:42", or
 * "sidewinder: segmentation fault while a message of 100 bytes was copied; the ranks then", which
 * report_ranks then shows.
 * Callable from a signal handler that is about to end the process, on a small stack and with the
 * heap in any state: the lines are looked up in a child process. */
void report_crash(const struct report_crash *crash);
/* One paragraph for a run that stopped with ranks waiting: each rank, its call and line; ranks that
 * wait alike together. */
void report_deadlock(const struct report_run *run, FILE *out);
/* Its second part alone, of a run that crashed while no rank ran. */
void report_ranks(const struct report_run *run, FILE *out);
/* The same for a run that a signal ends. */
void report_interrupted(const struct report_run *run, int number, FILE *out);

#endif

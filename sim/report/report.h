/* report: a finished run as text for people and JSON for programs.
 *
 * Reads numbers handed to it and the run's record in op; never the engine. Source lines come from
 * the DWARF of the program's file (libdw): the ranks' copies are unlinked after loading, so the
 * original is read.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/base.h"
#include "op/op.h"
#include "trace/trace.h"

struct report_cache {
    int level; /* 1 is nearest the processor */
    uint64_t loads, stores, load_misses, store_misses, write_backs, invalidations, flushed_lines;
};

struct report_rank {
    double time_s;                                 /* when the rank finished */
    double compute_s, memory_s, service_s, wait_s; /* sum to time_s */
    uint64_t stale_loads;
    int caches;
    struct report_cache *cache; /* caches of them */
    /* where the rank was when the run ended without it; call NULL: it finished or was computing */
    bool finished;
    const char *call;
    op_site site;
};

struct report_link {
    char *name;
    uint64_t messages, bytes;
    double busy_s;
};
struct report_bus {
    int node;
    uint64_t transactions, bytes;
    double busy_s, queued_s;
};

enum report_end { REPORT_ENDED, REPORT_DEADLOCK, REPORT_ABORTED };
const char *report_end_name(enum report_end end); /* "ended", "deadlock", "aborted" */

struct report_run {
    const char *version;
    const char *machine;     /* name */
    const char *machine_doc; /* one line */
    const char *protocol;    /* value of coh.protocol and ... */
    /* ... of ni.invalidate, for the explanation of stale loads; may be NULL */
    const char *invalidate;
    const char *program; /* path of the program's file, with its debug information */
    const char *
        command; /* the command line, for the heading of the text; not in the JSON, where two runs
                    that differ in the name of an output file must be byte-identical; may be NULL */
    int ranks;
    double time_s; /* the slowest rank */
    enum report_end end;
    int exit_code;
    struct report_rank *rank; /* ranks of them */
    int buses;
    struct report_bus *bus;
    int links;
    struct report_link *link;
    const char *const *set; /* "key=value" given with --set, NULL ended; may be NULL */
    /* objects linked in without instrumentation, NULL ended; may be NULL */
    const char *const *uninstrumented;
};

/* Text for a person, on `out`; colour only when asked for. */
void report_text(const struct report_run *run, FILE *out, bool colour);
/* The same into a file, as report_json does. */
bool report_text_file(const struct report_run *run, const char *path, GError **error);
/* DESIGN 6's keys. Written to a temporary name beside it and renamed: never half a file; what is no
 * regular file (/dev/stdout, a pipe) is appended to as it is. `seen` and `memory` are the bytes in
 * memory order. */
bool report_json(const struct report_run *run, const char *path, GError **error);

/* "halo.c:42" of a site in `program`. A site is a return address (it lies after the call): the
 * instruction before it is looked up. Without line information "main+0x1c", in a library
 * "memcpy+0x1c in libc.so.6", or "?". The string lives until report_clear. */
const char *report_site(const char *program, op_site site);
void report_clear(void);

/* ---- a trace, read back: what `sidewinder run --trace` wrote --------------------------------- */

/* The walk of every operation, one a line, at most `first` of them (negative: all), and each kind's
 * means. Reads line by line: a trace may be larger than memory. */
bool report_walks(FILE *in, const char *name, long first, FILE *out, GError **error);

/* All of it in memory. */
struct report_trace;
struct report_trace *report_trace_load(FILE *in, const char *name, GError **error);
void report_trace_free(struct report_trace *trace);
/* One operation's walk in words: each step, who did it, and what origin and target did meanwhile.
 * False: no such number. */
bool report_walk(const struct report_trace *trace, uint64_t number, FILE *out, GError **error);

/* The family of time line formats: all ranks and interfaces, an arrow for each operation. */
struct report_format {
    const char *name; /* of the option, too */
    const char *doc;  /* one sentence */
    /* the caller looks for errors of `out` */
    void (*write)(const struct report_trace *trace, FILE *out);
};
const struct report_format *const *report_formats(size_t *n);
/* Writes it to a file, never half of one, or to standard output ("-"). */
bool report_trace_write(const struct report_trace *trace, const struct report_format *format,
                        const char *path, GError **error);

/* "3.214 ms": four significant digits, never by the locale. Free with g_free. */
char *report_time(double time_s);

/* One line on standard error when the run died: "sidewinder: rank 2: segmentation fault at
 * halo.c:42" (rank -1: no rank was running). `site` is the faulting instruction itself, not a
 * return address. Callable from a signal handler that is about to end the process, on a small stack
 * and with the heap in any state: the line is looked up in a child process. */
void report_crash(const char *program, int rank, int signal, op_site site);
/* One paragraph for a run that stopped with ranks waiting: each rank, its call and line; ranks that
 * wait alike together. */
void report_deadlock(const struct report_run *run, FILE *out);

#endif

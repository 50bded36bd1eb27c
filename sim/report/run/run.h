/* report/run: a finished run as the numbers that reports are made of. Filled by world; the rest of
 * what is reported is the record in trace (operations) and findings, never the engine. */
#ifndef REPORT_RUN_H
#define REPORT_RUN_H

#include "base/base.h"
#include "op/op.h"

#include <stdbool.h>
#include <stdint.h>

struct report_cache {
    int level; /* 1 is nearest the processor */
    uint64_t loads, stores, load_misses, store_misses, write_backs, invalidations, flushed_lines;
};

struct report_rank {
    double time_s;                                 /* when the rank finished */
    double compute_s, memory_s, service_s, wait_s; /* sum to time_s */
    uint64_t stale_loads, mispredicted;            /* loads; branches */
    uint64_t page_faults;                          /* pages that it waited for */
    int caches;
    struct report_cache *cache; /* caches of them */
    /* where the rank was when the run ended without it; call NULL: it finished or was computing */
    bool finished;
    const char *call;
    op_site site;
    /* what the call waits for: a message of that rank (-1: any) with that tag (-1: any), or that
     * the rank receives one */
    enum { REPORT_NOT_KNOWN, REPORT_MESSAGE, REPORT_RECEIVE } waits;
    int waits_rank, waits_tag;
    /* a request of rank asked_by's (-1: not known) has waited since then until this rank, outside
     * MPI, services it */
    bool asked;
    int asked_by;
    double asked_s;
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

/* A pair of accesses that was watched (--pair) or forced into order (--order): its bytes in hex. */
struct report_pair {
    char *text;           /* as given, with the occurrences filled in */
    bool forced, ordered; /* ordered: the first side was complete before the second began */
    bool met;             /* the program came to both sides */
    bool lost;            /* an update was lost between them */
    char *read[2];        /* what each side read; NULL: nothing */
    char *memory, *load;  /* what both left in memory, and what its owner loads; NULL: not known */
};

/* What the check judged; on: it was. */
struct report_check {
    bool on;
    const char *rules; /* "unified", "separate", "mpi2": which findings count */
    uint64_t accesses, epochs;
    uint64_t coarse_bytes, folded_bytes; /* not judged; in part */
    uint64_t errors, separate, notes;    /* pairs of lines */
    int pairs;
    struct report_pair *pair;
};

/* interrupted: it had not ended when somebody asked, or ended it */
enum report_end { REPORT_ENDED, REPORT_DEADLOCK, REPORT_ABORTED, REPORT_INTERRUPTED };
const char *report_end_name(enum report_end end); /* "ended", "deadlock", ... */

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
    double time_s;  /* the slowest rank */
    uint64_t order; /* a digest of whose requests and messages each rank took, in turn */
    double tick_s;  /* seconds of a tick, in which the profile has stalls */
    double page_s;  /* a translation that is not at hand takes */
    int write_buffer, store_buffer; /* their entries; 0: there is none */
    /* the first level of caches; 0: there is none */
    uint64_t first_bytes;
    int first_line, first_ways;
    enum report_end end;
    int exit_code;
    struct report_rank *rank; /* ranks of them */
    int buses;
    struct report_bus *bus;
    int links;
    struct report_link *link;
    int resources; /* the busiest of all, busiest first */
    const struct base_use *resource;
    const char *const *set; /* "key=value" given with --set, NULL ended; may be NULL */
    /* objects linked in without instrumentation, and libraries that were called; NULL ended; may be
     * NULL */
    char **uninstrumented;
    bool unoptimised; /* some of it was compiled with -O0 */
    /* shared libraries whose static variables, which are one for all ranks, have changed; NULL
     * ended; may be NULL */
    char **shared;
    /* what the machine cannot have done, though the run says so; NULL: nothing */
    const char *audit;
    struct report_check check;
    bool critical_path; /* is wanted */
};

#endif

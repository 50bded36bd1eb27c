/* report/places: the profile by source line: what has one line is one row, worst first. Rows of
 * equal time come in the order of their lines. */
#ifndef REPORT_PLACES_H
#define REPORT_PLACES_H

#include "profile/profile.h"
#include "profile/path/path.h"
#include "report/run/run.h"

/* Where loads and stores stalled. */
struct report_stall {
    const char *at;                  /* "halo.c:57"; "?": not known */
    uint64_t loads, stores;          /* that waited */
    double load_s, store_s;          /* all ranks together */
    uint64_t missed[PROFILE_LEVELS]; /* by the loads or by the stores, those that waited longer */
    uint64_t copied, pages, around, steps, alike; /* profile/stalls */
    uint64_t apart, apart_missed;                 /* how far, those of most misses; of so many */
    /* misses that come to few sets of the first level, at equal steps, and come back to them sooner
     * than that level has lines; of the last such loads the step, and how many sets */
    uint64_t conflicts, conflict_step;
    int conflict_sets;
    /* whose bytes most of it was for, and the next; NULL: not known */
    const char *data[2];
    double data_s[2]; /* of it */
};
/* A call's line. */
struct report_call {
    const char *at, *call;
    uint64_t count;
    double time_s, wait_s, memory_s, compute_s, longest_s;
    int longest_rank;
    uint64_t vain; /* of the calls; see struct profile_call */
    double vain_s;
    uint64_t operations, bytes, further, asked; /* struct profile_call */
    double asked_s, asking_s;
    bool told; /* the caller's: something has been said of it */
};
/* Why calls waited. */
struct report_cause {
    enum profile_cause cause;
    const char *at, *other_at; /* the waiter's line, and the line of who made it wait */
    uint64_t count;
    double wait_s;
    int worst_rank, ranks; /* who made others wait longest, and how many did */
    /* whom that one had waited for itself during most of it, and where that one acted; -1: it had
     * not, or for several */
    int behind_rank;
    const char *behind_at;
    double did_s[PROFILE_DOINGS]; /* those who made others wait, meanwhile */
};

/* Of the critical path, from one line to another. */
struct report_way {
    int cause; /* enum profile_cause; -1: a rank ran */
    const char *from, *to;
    int rank;    /* one that did it; -1: none */
    bool others; /* and other ranks */
    uint64_t count;
    double time_s;
    double compute_s, memory_s, service_s; /* of it, where a rank ran */
};

/* What a line of a function cost, all ranks together. */
struct report_line {
    const char *function, *file; /* "?": not known; file without its folder */
    const char *path;            /* of the file, as far as it is known */
    int line;                    /* 0: not known */
    uint64_t executions, loads, stores, stale, calls;
    uint64_t missed[PROFILE_LEVELS]; /* lines of each level of cache */
    double compute_s, load_s, store_s, service_s, wait_s;
    /* of compute_s: branches that were predicted wrongly, how many; of all: loads of the same bytes
     * again and again, most of them of that (profile/stalls) */
    double wrong_s, spun_s;
    double divided_s; /* of compute_s: divisions and square roots, and what waits for them */
    uint64_t wrong;
    const char *spun_on; /* NULL: not known */
    double told_s;       /* the caller's: so much of compute_s something has been said of */
};

/* An object of the program, of all ranks together: what its loads and stores there waited for. */
struct report_object {
    const char *memory;     /* "window", "static", "heap", "stack"; REPORT_ELSEWHERE: no object's */
    const char *name;       /* "window 0", "board", "allocated at halo.c:30", "in compute" */
    uint64_t loads, stores; /* that waited */
    double load_s, store_s;
    uint64_t missed[PROFILE_LEVELS], stale, moves; /* lines between caches */
    uint64_t hits;       /* loads and stores, where they were asked for (profile/objects) */
    uint64_t operations; /* puts, gets, accumulates at it, from its bytes or to them */
};

/* A cache line that processors of a node contend for. */
struct report_contended {
    char *memory, *who;    /* "rank 0's window 0, bytes 0 to 63"; "stored at line 9 by 4 ranks" */
    uint64_t moves, bytes; /* of the line */
    int ranks;
    bool false_sharing; /* most moves are for bytes that one rank uses, or none stores */
    double cost_s;      /* what the accesses that moved it took longer than hits */
    const struct profile_moved *moved;
    const struct profile_mover *mover[2]; /* that moved it most, and the same of another rank */
};
/* Its share of the time of all ranks, from which on a person should know of it. */
#define REPORT_CONTENDED_SHARE 0.01

/* What was asked for at a line: the lock of a window, exclusive or shared. */
struct report_locker {
    const char *at;
    bool exclusive;
    uint64_t count; /* it was granted */
    double wait_s, held_s, longest_s;
    int longest_rank; /* who held it longest; -1: none released it */
};
/* The lock of one rank's part of a window (profile/locks). */
struct report_lock {
    char *name; /* "rank 0's window 0" */
    int window, rank, ranks;
    uint64_t count, queued, handovers;
    uint32_t longest_queue;
    double wait_s, held_s, handover_s;
    double longest_s; /* one rank held it, since that line */
    int longest_rank; /* -1: none released it */
    const char *longest_at;
    GArray *locker; /* struct report_locker, what waited most first */
};

/* A function as one line of the chain above it called it, an MPI call, or a function that was put
 * in line: what it cost is with the function it became part of, what it called stands below it. */
enum report_chain_kind { REPORT_FUNCTION, REPORT_CALL, REPORT_INLINED };
struct report_chain {
    int parent; /* its place among the rows, before this one's; -1: the first, REPORT_ELSEWHERE */
    enum report_chain_kind kind;
    const char *function, *file, *path; /* as in report_line; of MPI calls: "", "" */
    int line;                           /* where the function begins; 0: not known */
    int at;                             /* line of the call in the function above; 0: not known */
    uint64_t count, again;              /* calls by its parent; from below it: recursion */
    double compute_s, memory_s, service_s, wait_s; /* its own */
    uint64_t missed[PROFILE_LEVELS];
};

/* Arrays of the structs above; free with g_array_unref. */
GArray *report_stalls(const struct report_run *run);
GArray *report_calls(const struct report_run *run);
GArray *report_causes(const struct report_run *run);
/* Longest first; none: it was not asked for. */
GArray *report_path(const struct report_run *run);
/* Lines that moved more than twice a rank. */
GArray *report_contended(const struct report_run *run);
/* What accesses at that line that moved those lines took longer than hits. */
double report_contended_at(const struct report_run *run, const char *at);
/* Every lock that was taken; what was waited for most first. */
GArray *report_locks(const struct report_run *run);
/* Dearest first. */
GArray *report_objects(const struct report_run *run);
/* Where the data is that belongs to it: "in window 0", "in 'board'", "allocated at halo.c:30";
 * NULL: not known. */
struct profile_object;
const char *report_object_words(const struct report_run *run, const struct profile_object *object);
/* None: no profile is written, or the program has no marks (instrument). Its first row is the rest
 * to the totals of the ranks. */
GArray *report_chains(const struct report_run *run);
/* Every line with anything, dearest first. The last row, whose function is REPORT_ELSEWHERE, is
 * what no line has: the rest to the totals of the ranks. Less than nothing where a user-defined
 * operation was run by the engine: it counts on its lines and in the call that waited for it. */
#define REPORT_ELSEWHERE "(elsewhere)"
GArray *report_lines(const struct report_run *run);
double report_line_time(const struct report_line *line); /* the sum of its times */

#endif

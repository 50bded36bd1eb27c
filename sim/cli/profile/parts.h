/* profile: what its files share. Not a door. */
#ifndef CLI_PROFILE_PARTS_H
#define CLI_PROFILE_PARTS_H

#include "base/base.h"

#include <stdint.h>
#include <stdio.h>

enum { CLI_PROFILE_LEVELS = 4 }; /* caches; what lies behind counts with the fourth */

/* What a line, function or call cost, in seconds of all ranks together. */
struct cli_profile_cost {
    double compute_s, load_s, store_s, service_s, wait_s;
    uint64_t executions, loads, stores, stale, calls, missed[CLI_PROFILE_LEVELS];
};
struct cli_profile_row {
    const char *function, *file, *path; /* file without its folder; a call's or function's: "" */
    int line;                           /* 0: none */
    struct cli_profile_cost cost;
};
struct cli_profile_wait {
    char *call, *at;
    double time_s, wait_s, stall_s, longest_s;
    uint64_t count;
    int rank;
};
struct cli_profile_cause {
    char *cause, *at, *other_at, *behind_at;
    double wait_s;
    uint64_t count;
    int rank, ranks, behind_rank;
};
/* A function as its chain of callers called it from a line, an MPI call, or a function that was put
 * in line, whose own cost is the caller's; the first is the rest. */
struct cli_profile_chain {
    int parent; /* its place, before this one's; -1: the first */
    bool call, in_line;
    const char *function, *file, *path; /* interned */
    int line, at;                       /* where it begins; the line of the call; 0: not known */
    uint64_t count, again;              /* again: by recursion */
    struct cli_profile_cost cost;       /* its own: times and misses, stalls as loads' */
};
/* The lock of one rank's part of a window, and what one line had of it. */
struct cli_profile_lock {
    char *memory, *at; /* at: since which line one rank held it longest */
    uint64_t count, queued, longest_queue, handovers;
    double handover_s, longest_s;
    int ranks, rank; /* rank: that held it longest; -1: none released it */
};
struct cli_profile_locker {
    guint lock;      /* its place in the profile */
    char *at, *kind; /* kind: "exclusive" or "shared" */
    uint64_t count;
    double wait_s, held_s, longest_s;
    int rank;
};
/* A cache line that moved between caches. */
struct cli_profile_memory {
    char *memory, *who, *kind; /* kind: "false" or "true" sharing */
    uint64_t moves, bytes;
    int ranks;
    double cost_s;
};
/* An object of the program. */
struct cli_profile_variable {
    char *memory, *name; /* memory: "window", "static", "heap", "stack", "(elsewhere)" */
    double load_s, store_s;
    uint64_t loads, stores, stale, moves, missed[CLI_PROFILE_LEVELS]; /* loads that waited */
    uint64_t hits;       /* loads and stores; 0: they were not asked for */
    uint64_t operations; /* puts, gets, accumulates */
};
/* A profile as it was written (report/profile.h). */
struct cli_profile {
    char *name, *version, *machine, *program;
    int ranks, levels;
    double time_s, compute_s, stall_s, service_s, wait_s; /* all but time_s: of all ranks */
    /* of the structs above */
    GArray *line, *call, *cause, *chain, *lock, *locker, *memory, *variable;
};

/* NULL: *error says in which line of the file what is wrong. */
struct cli_profile *cli_profile_read(const char *name, GError **error);
void cli_profile_free(struct cli_profile *p);

static inline double cli_profile_stall(const struct cli_profile_cost *c)
{
    return c->load_s + c->store_s;
}
static inline double cli_profile_time(const struct cli_profile_cost *c)
{
    return c->compute_s + c->load_s + c->store_s + c->service_s + c->wait_s;
}
/* Of each chain, what it and those below it cost; struct cli_profile_cost. */
GArray *cli_profile_inclusive(const struct cli_profile *p);
/* Of all ranks. */
static inline double cli_profile_all(const struct cli_profile *p)
{
    return p->compute_s + p->stall_s + p->service_s + p->wait_s;
}
/* Rows of lines, or their sums by function; struct cli_profile_row, dearest first. */
GArray *cli_profile_rows(const struct cli_profile *p, bool by_function);

/* What every table begins with. */
void cli_profile_head(const struct cli_profile *p);
void cli_profile_more(guint rows, int top);
/* Tables on standard output; top 0: all rows. */
void cli_profile_table(const struct cli_profile *p, bool by_function, int top);
/* What calls of MPI cost, and who caused waits; without the head. */
void cli_profile_calls(const struct cli_profile *p, int top);
void cli_profile_chains(const struct cli_profile *p, int top);
void cli_profile_locks(const struct cli_profile *p, int top);
void cli_profile_memory(const struct cli_profile *p, int top);
void cli_profile_variables(const struct cli_profile *p, int top);
void cli_profile_difference(const struct cli_profile *p, const struct cli_profile *other,
                            bool by_function, int top);
/* The source of a file or function, each line with what it cost. folder: where sources are, or
 * NULL. False: *error. */
bool cli_profile_annotate(const struct cli_profile *p, const char *name, const char *folder,
                          GError **error);
/* For other viewers. */
void cli_profile_callgrind(const struct cli_profile *p, FILE *out);
void cli_profile_speedscope(const struct cli_profile *p, FILE *out);

#endif

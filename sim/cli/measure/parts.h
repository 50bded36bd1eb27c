/* What the benchmarks share. */
#ifndef CLI_MEASURE_PARTS_H
#define CLI_MEASURE_PARTS_H

#include "cli/measure/code.h"
#include "cli/measure/measure.h"

/* One operation: the minimum in seconds and in cycles, and (median - minimum) / minimum of these.
 */
struct cli_figure {
    double s, cycles, spread;
};
/* A number of the machine file. */
struct cli_row {
    char *key, *value, *source;
};
enum { CLI_PROCESSORS = 1024 }; /* as many as a machine file may have */
struct cli_bench {
    bool quick, all;  /* as asked */
    GArray *cycle;    /* double: seconds of one, whenever it was looked at */
    double cycle_s;   /* the shortest of them */
    GHashTable *best; /* figures by their code (best.c); NULL: none are kept */
    GArray *row;      /* struct cli_row */
    double spread;    /* the largest of the numbers, and which it is of */
    char *of;
    /* what later families need of earlier ones, in cycles and bytes */
    double l1_cycles;
    struct cli_figure memory_load; /* of a chain that misses all caches */
    /* of a chain in the last level but the first that is clearly faster than memory, and the bytes
     * of an array that lies in it; 0: there is none. In a level that others use, too, a slow chain
     * finds evicted what it comes back to, and the same loads side by side do not. */
    struct cli_figure last_load;
    double last_bytes;
    uint64_t line, memory; /* memory: bytes of an array that lies in no cache */
    bool line_said;        /* line is what the processor says */
    int levels, by_passes; /* by_passes: the number of the level that only passes show; 0: none */
};

/* A spread of more than a tenth is not the computer's, but of what else ran on it. */
#define CLI_MUCH 0.1

/* ---- again.c ---- */
/* Runs a family of benchmarks; again, if a spread of its numbers is large. */
void cli_measure_family(struct cli_bench *b, void (*measure)(struct cli_bench *b));
/* The same of one that comes again: what it finds counts then, its rows and spreads do not. */
void cli_measure_early(struct cli_bench *b, void (*measure)(struct cli_bench *b));

/* ---- best.c ---- */
/* Of the same code whenever it was measured, what it took least. */
struct cli_figure cli_best(struct cli_bench *b, uint64_t code, struct cli_figure figure);
GHashTable *cli_best_new(void);

/* ---- sample.c ---- */
/* The code as it stands, `operations` a round, from what `start` says: each repeat anew (again), or
 * where the one before ended. */
struct cli_figure cli_sample(struct cli_bench *b, const struct cli_data *start, bool again,
                             long rounds, double operations);
/* the same for code of cycles, so long that the clock is fine enough */
struct cli_figure cli_sample_cycles(struct cli_bench *b, const struct cli_data *start,
                                    double operations);
/* the same for a function that makes so many calls a round */
struct cli_figure cli_sample_calls(struct cli_bench *b, void (*run)(long rounds),
                                   double operations);
int cli_nearest(double cycles); /* whole cycles, by the least ratio to these; at least 1 */
double cli_now(void);           /* seconds of the monotonic clock */
/* The minimum of n; *spread: (median - minimum) / minimum. Sorts them. */
double cli_least(double *value, int n, double *spread);
double cli_usual_cycle(struct cli_bench *b); /* seconds: the median, all the time */
/* (median - minimum) / minimum of the seconds of a cycle, all the time. */
double cli_cycle_spread(struct cli_bench *b);

/* ---- rows.c ---- */
/* A number with its unit, and how it was obtained; the spread is added and remembered. */
G_GNUC_PRINTF(5, 6)
void cli_row_add(struct cli_bench *b, const char *key, double spread, const char *value,
                 const char *how, ...);
const struct cli_row *cli_row_find(const struct cli_bench *b, const char *key);
double cli_row_number(const struct cli_bench *b, const char *key); /* 0: there is none */
void cli_rows_clear(struct cli_bench *b);

#endif

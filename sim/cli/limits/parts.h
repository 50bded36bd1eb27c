/* cli/limits, inside: the parts of `sidewinder limits`. Not a door. */
#ifndef CLI_LIMITS_PARTS_H
#define CLI_LIMITS_PARTS_H

#include "cli/limits/graph.h"
#include "mach/mach.h"

#include <json-glib/json-glib.h>

/* One change of the machine, and the program's run on it. */
struct cli_limit {
    char *name;   /* "net.latency"; of a group "network"; "": the machine as it is */
    char *was;    /* of a key, with its unit */
    char *is;     /* changed */
    char **sets;  /* "net.latency=4.5e-06s", ...; NULL ended */
    int keys;     /* of a group: how many of them */
    double saves; /* of a key: so much less is what takes its time, by the change alone */
    const char *const *prefixes; /* of a group: of its keys; NULL ended */
    /* the run's: */
    bool derived;     /* time_s is: there was no run */
    double share;     /* of a key: of the critical path's time; less than 0: not known */
    double derived_s; /* the time from the graph; less than 0: not known */
    bool ran;
    char *why; /* it has no time: how it failed */
    double time_s;
    uint64_t operations, bytes; /* one-sided; other numbers than as it is: another course */
    char *order; /* a digest of whose requests and messages came first; NULL: as in that run */
};

/* The machine as it is, what else its run says, and all the changes. */
struct cli_limits {
    double percent;          /* by which each key is better */
    GPtrArray *cases;        /* struct cli_limit, the machine as it is first */
    struct cli_graph *graph; /* of its run; NULL: there is none */
    GHashTable *part;        /* seconds of its critical path by key; NULL */
    char *path;              /* that path in words; "": there is none */
    double *busy_s;          /* of each rank, computation and stalls */
    int ranks;
    double mean_busy_s, most_busy_s;
    double balanced_s; /* the time if none computed and stalled longer than the mean; less than 0:
                          unknown */
    double local_s;    /* that ranks waited for locks, and for atomic units */
    GPtrArray *checks; /* struct cli_limit: some of what is derived, better at once */
    bool good;         /* they were as derived */
};

/* ---- cases.c: what is changed ---------------------------------------------------------------- */

/* The machine as it is; each of its times and rates that is there, better by `percent`; and each
 * part of it faster by a factor of CLI_LIMITS_FAST. struct cli_limit, in this order. */
enum { CLI_LIMITS_FAST = 1000 };
GPtrArray *cli_limit_cases(const struct mach *m, double percent);
GPtrArray *cli_limit_none(void);
struct cli_limit *cli_limit_add(GPtrArray *cases, const char *name);

/* ---- derive.c: what the graph says of each key ----------------------------------------------- */

/* What is derived from the first, which has run. */
void cli_limit_derive(struct cli_limits *all);
/* Some of what is derived, better at once, in cases to be run: as many as say it of each; none,
 * where nothing is. When they have run: are slopes what they seem? If not, or `run_all`, each has
 * to be run itself. */
void cli_limit_check(struct cli_limits *all);
void cli_limit_checked(struct cli_limits *all, bool run_all);
/* All seconds of the critical path that have a key. */
double cli_limit_known(GHashTable *part);
/* Has the case other operations than the machine as it is? Do its requests and messages come in
 * another order? Do slopes hold near it only? */
bool cli_limit_other_course(const struct cli_limit *c, const struct cli_limit *base);
bool cli_limit_other_order(const struct cli_limit *c, const struct cli_limit *base);
bool cli_limit_local(const struct cli_limits *all);

/* ---- show.c: the tables; json.c: the same in JSON -------------------------------------------- */

void cli_limit_show(const struct cli_limits *all);
bool cli_limit_json(const struct cli_limits *all, const char *file, GError **error);

/* ---- path.c ---------------------------------------------------------------------------------- */

/* The ten longest links of the critical path of that run; "" if it has none. */
char *cli_limit_path(JsonNode *root);

/* ---- runs.c ---------------------------------------------------------------------------------- */

/* How each run is started: `command` are the words of `sidewinder run`, options and, behind NULL,
 * `program`; so many at once; their files are in `folder`. */
struct cli_limit_runs {
    char **command, **program;
    int jobs;
    const char *folder;
};
/* Runs the machine as it is, its graph written to that file. */
bool cli_limit_run_base(struct cli_limits *all, const struct cli_limit_runs *how, const char *graph,
                        GError **error);
/* Where its messages are. Free with g_free. */
char *cli_limit_said(const struct cli_limit_runs *how);
/* Runs cases first to the last that are not derived. Their output is dropped. False: none could be
 * started, *error. */
bool cli_limit_run(GPtrArray *cases, guint first, const struct cli_limit_runs *how, GError **error);

#endif

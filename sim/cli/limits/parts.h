/* cli/limits, inside: the parts of `sidewinder limits`. Not a door. */
#ifndef CLI_LIMITS_PARTS_H
#define CLI_LIMITS_PARTS_H

#include "mach/mach.h"

#include <json-glib/json-glib.h>

/* One run of the program. */
struct cli_limit {
    char *name;  /* "net.latency"; of a group "network"; "": the machine as it is */
    char *was;   /* of a key, with its unit */
    char *is;    /* changed */
    char **sets; /* "net.latency=4.5e-06s", ...; NULL ended */
    int keys;    /* of a group: how many of them */
    /* the run's: */
    bool ran;
    char *why; /* it has no time: how it failed */
    double time_s;
    uint64_t operations, bytes;      /* one-sided; other numbers than as it is: another course */
    double mean_busy_s, most_busy_s; /* computation and stalls of a rank; of the ranks */
    char *path; /* of the machine as it is: its critical path in words; of others "" or NULL */
};

/* ---- cases.c: what is changed ---------------------------------------------------------------- */

/* The machine as it is; each of its times and rates that is there, better by `percent`; and each
 * part of it faster by a factor of CLI_LIMITS_FAST. struct cli_limit, in this order. */
enum { CLI_LIMITS_FAST = 1000 };
GPtrArray *cli_limit_cases(const struct mach *m, double percent);

/* ---- path.c ---------------------------------------------------------------------------------- */

/* The ten longest links of the critical path of that run; "" if it has none. */
char *cli_limit_path(JsonNode *root);

/* ---- runs.c ---------------------------------------------------------------------------------- */

/* Runs each case, so many at once: `command` are the words of `sidewinder run`, options and, behind
 * NULL, `program`. Their output is dropped. False: none could be started, *error. */
bool cli_limit_runs(GPtrArray *cases, char **command, char **program, int jobs, const char *folder,
                    GError **error);

#endif

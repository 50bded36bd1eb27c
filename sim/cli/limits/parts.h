/* cli/limits, inside: the parts of `sidewinder limits`. Not a door. */
#ifndef CLI_LIMITS_PARTS_H
#define CLI_LIMITS_PARTS_H

#include "mach/mach.h"

#include <json-glib/json-glib.h>

/* One run of the program. */
struct cli_limit {
    char *name;   /* "net.latency"; of a group "network"; "": the machine as it is */
    char *was;    /* of a key, with its unit */
    char *is;     /* changed */
    char **sets;  /* "net.latency=4.5e-06s", ...; NULL ended */
    int keys;     /* of a group: how many of them */
    double saves; /* of a key: so much less is what takes its time, by the change alone */
    /* the run's: */
    bool derived;     /* time_s is: there was no run */
    double share;     /* of a key: of the critical path's time; less than 0: not known */
    double derived_s; /* the time from that; less than 0: not known */
    bool ran;
    char *why; /* it has no time: how it failed */
    double time_s;
    uint64_t operations, bytes;      /* one-sided; other numbers than as it is: another course */
    double mean_busy_s, most_busy_s; /* computation and stalls of a rank; of the ranks */
    /* of the machine as it is: all that is derived, better at once: was that run; was it as
     * derived; its time (less than 0: it failed), and derived */
    bool checked, good;
    double all_s, all_derived_s;
    double local_s;   /* that ranks waited for locks, and for atomic units */
    GHashTable *part; /* of the machine as it is: seconds of its critical path by key; NULL */
    char *path; /* of the machine as it is: its critical path in words; of others "" or NULL */
};

/* ---- cases.c: what is changed ---------------------------------------------------------------- */

/* The machine as it is; each of its times and rates that is there, better by `percent`; and each
 * part of it faster by a factor of CLI_LIMITS_FAST. struct cli_limit, in this order. */
enum { CLI_LIMITS_FAST = 1000 };
GPtrArray *cli_limit_cases(const struct mach *m, double percent);
GPtrArray *cli_limit_none(void);
struct cli_limit *cli_limit_add(GPtrArray *cases, const char *name);

/* ---- derive.c: what the critical path says of each key --------------------------------------- */

/* What is derived from the first, which has run. */
void cli_limit_derive(GPtrArray *cases);
/* All that is derived, in one case to be run; none, where nothing is. When it has run: are slopes
 * what they seem? If not, or `run_all`, each has to be run itself. */
GPtrArray *cli_limit_check(const GPtrArray *cases);
void cli_limit_checked(GPtrArray *cases, const GPtrArray *checks, bool run_all);
/* Seconds of that critical path, by key (double *); NULL: the run has none. */
GHashTable *cli_limit_parts(JsonNode *root);

/* All seconds of it. */
double cli_limit_known(GHashTable *part);
/* Has the case other operations than the machine as it is? Do slopes hold near it only? */
bool cli_limit_other_course(const struct cli_limit *c, const struct cli_limit *base);
bool cli_limit_local(const GPtrArray *cases);

/* ---- show.c: the tables; json.c: the same in JSON -------------------------------------------- */

void cli_limit_show(const GPtrArray *cases, double percent);
bool cli_limit_json(const GPtrArray *cases, double percent, const char *file, GError **error);

/* ---- path.c ---------------------------------------------------------------------------------- */

/* The ten longest links of the critical path of that run; "" if it has none. */
char *cli_limit_path(JsonNode *root);

/* ---- runs.c ---------------------------------------------------------------------------------- */

/* Runs cases first to end - 1 that are not derived, so many at once: `command` are the words of
 * `sidewinder run`, options and, behind NULL, `program`. Their output is dropped. False: none could
 * be started, *error. */
bool cli_limit_runs(GPtrArray *cases, guint first, guint end, char **command, char **program,
                    int jobs, const char *folder, GError **error);

#endif

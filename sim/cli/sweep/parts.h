/* cli, inside: the pieces of `sidewinder sweep`. Not a door.
 *
 * The journal is a folder beside data.csv, ".sweep": one record a finished point, named by the
 * point's digest and written by rename, so it exists in full or not at all. A point is a process of
 * its own (`sidewinder sweep --point K FILE`) that writes its record: its starter, here, over
 * ssh or under Slurm, need report to nobody. The sweep's own working directory is the experiment's
 * folder. */
#ifndef CLI_SWEEP_PARTS_H
#define CLI_SWEEP_PARTS_H

#include "cli/sweep/sweep.h"

#include "cli/experiment/experiment.h"
#include "cli/value/value.h"

#include <sys/types.h>

struct cli_point {
    int number;    /* from 1, of all points of the experiment */
    const int *at; /* its values; the experiment's */
    int program;   /* index in cli_sweep.program */
    /* "sidewinder", "run", ... as one could type it in the experiment's folder; NULL ended */
    char **command;
    char *digest; /* names its record; NULL until the program is there */
    char *machine_digest;
};

struct cli_program {
    char **compile; /* "sidewinder", "cc", ...; NULL: it was compiled already */
    char *path;     /* where it is, or will be */
    char *digest;   /* of its bytes; NULL until it is there */
};

struct cli_sweep {
    struct cli_experiment *e;
    char *file; /* the experiment file, absolute */
    /* data.csv, absolute; its .sweep, from the experiment's folder where it lies there */
    char *output, *journal;
    char *self;                   /* this program's own file */
    char *engine_digest;          /* of what runs the points: version, simulator, library */
    struct cli_measure **measure; /* as the experiment's; NULL ended */
    struct cli_point *point;      /* all of them */
    int points;
    struct cli_program *program;
    int programs;
    /* struct cli_point *: the chosen ones (--only, --sample), in order */
    GPtrArray *chosen;
    int lock;    /* of the journal, while open; -1 */
    int stopped; /* signal that ended the sweep; 0 */
};

/* ---- what is to be done (plan.c, compile.c) -------------------------------------------------- */

/* Reads the experiment, goes into its folder, and checks all points: machines, keys, measures,
 * randomness. output NULL: data.csv there. only: conditions NAME=VALUES, NULL ended; sample: that
 * many of those, 0: all. NULL: *error. */
struct cli_sweep *cli_sweep_new(const char *file, const char *output, char *const *only, int sample,
                                GError **error);
void cli_sweep_free(struct cli_sweep *s);
/* SHA-256 of the simulator beside this program. Free with g_free. */
char *cli_engine_digest(const char *self, GError **error);
/* Compiles what is not there (all: everything, anew) into the journal, and names each point's
 * record. */
bool cli_sweep_compile(struct cli_sweep *s, bool all, GError **error);

/* ---- the journal (journal.c) ----------------------------------------------------------------- */

/* value: one a measure, NULL ended */
struct cli_record {
    bool failed;
    char *reason, *detail;
    char **value;
};

/* makes it; refuses while another sweep has it */
bool cli_journal_open(struct cli_sweep *s, GError **error);
void cli_journal_close(struct cli_sweep *s);
void cli_journal_remove(struct cli_sweep *s); /* after data.csv is there */
/* NULL: there is none, or it is truncated. */
struct cli_record *cli_record_read(const struct cli_sweep *s, const struct cli_point *p);
bool cli_record_write(const struct cli_sweep *s, const struct cli_point *p,
                      const struct cli_record *record, GError **error);
void cli_record_remove(const struct cli_sweep *s, const struct cli_point *p);
void cli_record_free(struct cli_record *record);
bool cli_record_there(const struct cli_sweep *s, const struct cli_point *p);
/* A folder of its own for a point, or a compiler, while it runs; a sweep removes those that killed
 * sweeps left. NULL: *error. */
char *cli_journal_begin(const struct cli_sweep *s, GError **error);
/* points being run now, by any process */
int cli_journal_running(const struct cli_sweep *s);
/* a file in it. Free with g_free */
char *cli_journal_file(const struct cli_sweep *s, const char *name);

/* ---- one point (point.c) --------------------------------------------------------------------- */

/* Runs it unless its record is there, writes the record; the process's exit code. Dies of the
 * signal that ended it. */
int cli_sweep_point(struct cli_sweep *s, struct cli_point *p);

/* ---- many of them (launch.c) ----------------------------------------------------------------- */

/* A way to have points run. run: starts all of `todo` (struct cli_point *) and returns when none
 * runs any more; points without a record then are failed ones, unless s->stopped. False: nothing
 * could be started, *error. */
struct cli_launcher {
    const char *name, *help;
    bool (*run)(struct cli_sweep *s, GPtrArray *todo, int jobs, char **options, GError **error);
};
#define LAUNCHER(name) extern const struct cli_launcher cli_launcher_##name;
#include "cli/sweep/launchers.def"
#undef LAUNCHER
/* "slurm" or "slurm:OPTIONS". The options' words: free with g_strfreev. NULL: *error. */
const struct cli_launcher *cli_launcher_find(const char *text, char ***options, GError **error);
char *cli_launchers_help(void);

/* from here on cli_launch_wait sees them */
void cli_launch_hold_signals(void);

/* For launchers. The words that run the point of that number. Free with g_strfreev. */
char **cli_point_process(const struct cli_sweep *s, const char *number);
/* standard output there; -1: as ours. It dies when we die. -1: *error */
pid_t cli_launch(char **argv, int output, GError **error);
/* Waits for a child: its pid and *status; 0: timed out, show progress; -1: a signal arrived,
 * s->stopped is set. */
pid_t cli_launch_wait(struct cli_sweep *s, int *status);
/* One process that has all points run: its wait status, -1: it did not start. stop: on a signal to
 * us, ends it. */
int cli_launch_one(struct cli_sweep *s, char **argv, int output,
                   void (*stop)(struct cli_sweep *s, pid_t child), GError **error);
/* the signal was typed: the children have it already */
bool cli_launch_from_keyboard(void);
/* a file of their numbers, a line each */
char *cli_launch_points(const struct cli_sweep *s, GPtrArray *todo, GError **error);

/* ---- output (table.c, progress.c) ------------------------------------------------------------ */

/* The table of the chosen points; command: the words that make it again. Free with g_free; *failed:
 * how many points failed. */
char *cli_sweep_table(const struct cli_sweep *s, char **command, int *failed);
/* each failed point with its command, on standard error */
void cli_sweep_show_failed(const struct cli_sweep *s);
/* nothing is shown unless standard error is a terminal */
void cli_progress_begin(const struct cli_sweep *s, GPtrArray *todo);
void cli_progress_show(void);
void cli_progress_end(void);

#endif

/* cli, inside: the experiment file (sweep --help describes it), read by `sidewinder sweep` and
 * `sidewinder plot`. Not a door.
 *
 * All that can be checked from the file alone is checked here; errors say file:line, group, key,
 * and what is accepted. Whether the machines and programs exist is checked by sweep: a plot needs
 * neither. */
#ifndef CLI_EXPERIMENT_H
#define CLI_EXPERIMENT_H

#include "base/base.h"

/* One thing that varies, a column of data.csv: "machine", "ranks", the names of [vary], "seed"
 * where runs are repeated. */
struct cli_axis {
    char *name;
    char **value; /* as written in data.csv; NULL ended, at least one, no two alike */
    int values;
    bool key; /* a machine key: each value becomes --set name=value */
};

enum { CLI_AXIS_MACHINE = 0, CLI_AXIS_RANKS = 1, CLI_AXIS_VARY = 2 };

struct cli_experiment {
    char *path;   /* the file, as it was named */
    char *folder; /* where it lies, absolute: relative names in it start there */
    char *title;  /* default: the folder's name */
    /* exactly one is there; {NAME} not yet replaced, nor made absolute */
    char *source, *program;
    char *cflags;          /* default "-O2 -g" */
    char *run, *arguments; /* "" where none; shell words */
    /* for each value of that axis: a machine's name, or its file, from folder */
    char **machine;
    struct cli_axis *axis;
    int axes;
    /* [measure] in order: name, and where it comes from as written; NULL ended */
    char **column, **measure;
    /* int[axes] each: index of the value on each axis; in the order of data.csv, last axis fastest
     */
    GPtrArray *points;
    GKeyFile *file;   /* the whole, for [plot], [plot NAME] */
    GHashTable *line; /* "group\nkey" or "group\n": its line in the file */
};

/* path: the experiment's file, or the folder that holds it as experiment.ini. */
struct cli_experiment *cli_experiment_load(const char *path, GError **error);
void cli_experiment_free(struct cli_experiment *e);
/* The value as written, blanks at its ends taken off; NULL: not there. Free with g_free. */
char *cli_experiment_get(const struct cli_experiment *e, const char *group, const char *key);
/* Sets *error to "file:line: [group] key: message"; key NULL: the group. */
void cli_experiment_refuse(const struct cli_experiment *e, const char *group, const char *key,
                           GError **error, const char *format, ...) G_GNUC_PRINTF(5, 6);

/* ---- the pieces (list.c) --------------------------------------------------------------------- */

/* "a;b;c", "1us..64us*2", "0..10+2" and any mix, in order: one text a value. NULL: *error, without
 * a place. Free with g_strfreev. */
char **cli_list(const char *text, GError **error);
/* Adds each {NAME} of text to names (the array owns them). */
void cli_names_in(const char *text, GPtrArray *names);
/* The length of the {NAME} that begins at text; 0: other braces, which stand for themselves. */
size_t cli_name_length(const char *text);

/* ---- a point (points.c) ---------------------------------------------------------------------- */

const char *cli_point_value(const struct cli_experiment *e, const int *point, int axis);
/* text with each {NAME} replaced by the point's value. Free with g_free. */
char *cli_point_expand(const struct cli_experiment *e, const int *point, const char *text);
/* "machine=now ranks=4 grain=0". Free with g_free. */
char *cli_point_name(const struct cli_experiment *e, const int *point);
/* Does the point have a value of the condition NAME=VALUES? `fits` is set; false: *error, no such
 * name or value (no place in it). */
bool cli_point_fits(const struct cli_experiment *e, const int *point, const char *name,
                    const char *values, bool *fits, GError **error);

#endif

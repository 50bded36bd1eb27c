/* report/print: numbers, columns and paragraphs for people, and files that are never half written.
 *
 * Every number for a person is made here in one way: four significant digits, SI scaled, never by
 * the locale (the simulated program may have called setlocale). Strings are the caller's, to be
 * freed with g_free.
 */
#ifndef REPORT_PRINT_H
#define REPORT_PRINT_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- numbers in words (numbers.c) ------------------------------------------------------------ */
char *report_time(double time_s);   /* "3.214 ms" */
char *report_count(uint64_t n);     /* "1,234,567" */
char *report_bytes(uint64_t bytes); /* "64 KiB" */
/* "3.1 %"; "0 %" of nothing; "<0.1 %", ">99.9 %" */
char *report_percent(double part, double whole);
char *report_times(uint64_t n); /* "once", "twice", "12 times" */

/* ---- why a call waited (cause.c) --------------------------------------------------------------
 */
/* cause: a name of profile.h; at: where the rank that made it wait acted; ranks: how many did, of
 * whom `rank` most. It had itself waited for behind_rank (-1: for none), which acted at behind_at.
 */
struct report_why {
    const char *cause, *at, *behind_at;
    int rank, ranks, behind_rank;
};
char *report_cause_words(const struct report_why *why);
/* A link of the critical path; what: such a name, or "run": the rank ran from call to call. */
struct report_link_times {
    double time_s, compute_s, memory_s, service_s;
};
char *report_link_words(const char *what, const char *from, const char *to, int rank, bool others,
                        const struct report_link_times *times);

/* ---- aligned columns, paragraphs, colour (table.c) ------------------------------------------- */
struct report_table;
/* One letter a column: 'l' left, 'r' right; a capital puts a wider gap before the column. */
struct report_table *report_table_new(const char *columns);
void report_table_cell(struct report_table *table, char *text);        /* takes text; row by row */
void report_table_words(struct report_table *table, const char *text); /* copies text */
/* indented by two; frees the table */
void report_table_print(struct report_table *table, FILE *out);

struct report_ink {
    const char *strong, *alarm, *faint, *plain;
};
const struct report_ink *report_ink(bool colour);
/* An empty line, and the heading of a section; gloss: what its columns mean, or NULL. */
void report_heading(FILE *out, const struct report_ink *ink, const char *text, const char *gloss);
/* `text` broken at spaces into lines of at most 96 columns, each after `indent` blanks; the first
 * begins at `column`. */
void report_wrap(FILE *out, int indent, int column, const char *text);

/* ---- files (file.c) -------------------------------------------------------------------------- */
/* A regular file is replaced in one step, through a link where it is one; anything else is written
 * as it stands. */
bool report_put_file(const char *path, const char *text, gsize length, GError **error);

#endif

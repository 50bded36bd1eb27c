/* report, inside: what the files of this room share. Not a door.
 *
 * Every number for a person is made here in one way: four significant digits, SI scaled, never by
 * the locale (the simulated program may have called setlocale). Strings are the caller's, to be
 * freed with g_free.
 */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include "report/report.h"

/* ---- numbers in words (units.c) -------------------------------------------------------------- */
char *report_count(uint64_t n);     /* "1,234,567" */
char *report_bytes(uint64_t bytes); /* "64 KiB" */
/* "3.1 %"; "0 %" of nothing; "<0.1 %", ">99.9 %" */
char *report_percent(double part, double whole);
char *report_times(uint64_t n); /* "once", "twice", "12 times" */

/* ---- aligned columns (table.c) --------------------------------------------------------------- */
struct report_table;
/* One letter a column: 'l' left, 'r' right; a capital puts a wider gap before the column. */
struct report_table *report_table_new(const char *columns);
void report_table_cell(struct report_table *table, char *text);        /* takes text; row by row */
void report_table_words(struct report_table *table, const char *text); /* copies text */
/* indented by two; frees the table */
void report_table_print(struct report_table *table, FILE *out);

/* ---- colour ---------------------------------------------------------------------------------- */
struct report_ink {
    const char *strong, *alarm, *faint, *plain;
};
const struct report_ink *report_ink(bool colour);
/* `text` broken at spaces into lines of at most 96 columns, each after `indent` blanks; the first
 * begins at `column`. */
void report_wrap(FILE *out, int indent, int column, const char *text);

/* ---- sections (stale.c, remarks.c, waits.c) -------------------------------------------------- */
void report_stale(const struct report_run *run, FILE *out, const struct report_ink *ink);
void report_notes(const struct report_run *run, FILE *out, const struct report_ink *ink);
void report_violations(const struct report_run *run, FILE *out, const struct report_ink *ink);

/* ---- files (file.c) -------------------------------------------------------------------------- */
/* A regular file is replaced in one step, through a link where it is one; anything else is written
 * as it stands. */
bool report_put_file(const char *path, const char *text, gsize length, GError **error);

/* "at halo.c:42", or "at a place without a known line". */
char *report_at(const struct report_run *run, op_site site);
/* op's "nobody known" has no rank and no call. */
static inline bool report_known(const struct op_writer *writer)
{
    return writer->rank >= 0 && writer->call && *writer->call;
}
/* A loaded value as a person would write it, both sides alike: " 1 (0x00000001)". */
void report_values(const uint8_t *seen, const uint8_t *memory, uint32_t bytes, char **seen_text,
                   char **memory_text);

#endif

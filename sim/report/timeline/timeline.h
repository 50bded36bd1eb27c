/* report/timeline: a trace, read back into memory and written as a time line for viewers: all ranks
 * and interfaces, an arrow for each operation. */
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct report_trace;
/* To read; "-" is not known here. fopen succeeds on a folder, which then reads as empty: refused.
 * NULL: the error names the file. */
FILE *report_trace_open(const char *name, GError **error);
/* NULL: no trace, or a damaged one; the error names file and line. */
struct report_trace *report_trace_load(FILE *in, const char *name, GError **error);
void report_trace_free(struct report_trace *trace);

/* The bytes of its events, as `run --watch` names them: each once, the first `most`. NULL ended,
 * free with g_strfreev. */
char **report_trace_memory(const struct report_trace *trace, guint most);

/* The family of time line formats. */
struct report_format {
    const char *name; /* of the option, too */
    const char *doc;  /* one sentence */
    /* the caller looks for errors of `out` */
    void (*write)(const struct report_trace *trace, FILE *out);
};
const struct report_format *const *report_formats(size_t *n);
/* Writes it to a file, never half of one, or to standard output ("-"). */
bool report_trace_write(const struct report_trace *trace, const struct report_format *format,
                        const char *path, GError **error);

#endif

/* report/trail: the trails of operations in words: each step and what happened meanwhile. */
#ifndef REPORT_TRAIL_H
#define REPORT_TRAIL_H

#include "report/timeline/timeline.h"

/* The trail of every operation, one a line, at most `first` of them (negative: all), and each
 * kind's means. Reads line by line: a trace may be larger than memory. */
bool report_trail_table(FILE *in, const char *name, long first, FILE *out, GError **error);
/* One operation's trail in words: each step, who did it, and what origin and target did meanwhile.
 * False: no such number. */
bool report_trail_text(const struct report_trace *trace, uint64_t number, FILE *out,
                       GError **error);

#endif

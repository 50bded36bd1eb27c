/* report/page: a trace as one HTML file, which a browser opens from disk: time line, tables,
 * source.
 *
 * Everything is in the file, nothing is fetched. The same trace gives the same bytes.
 * assets/ holds what the browser runs; encode.c says how the trace is written for it.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/timeline/timeline.h"

/* Ranks and kinds of a run to show. ranks: "0-3,8"; kinds: of activities and of operations, as a
 * trace names them, "put,get,wait"; NULL: all. The new one is NULL with *error when the text is
 * wrong; whether the run has those ranks is for report_page_write. */
struct report_choice;
struct report_choice *report_choice_new(const char *ranks, const char *kinds, GError **error);
void report_choice_free(struct report_choice *choice);

struct report_page_options {
    /* What is shown of the run, in simulated seconds. to_s infinite: to its end. */
    double from_s, to_s;
    /* Where the files of the program's source are looked for, in this order; NULL ends it. */
    const char *const *folders;
    const struct report_choice *choice; /* NULL: all ranks, all kinds */
};
/* Writes it to a file, never half of one, or to standard output ("-"). False: *error; the run ends
 * before from_s, or has no such rank, for example. */
bool report_page_write(const struct report_trace *trace, const struct report_page_options *options,
                       const char *path, GError **error);

#endif

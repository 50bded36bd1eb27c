/* report/page: a trace as one HTML file, which a browser opens from disk: time line, tables,
 * source.
 *
 * Everything is in the file, nothing is fetched. The same trace gives the same bytes.
 * assets/ holds what the browser runs; encode.c says how the trace is written for it.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/timeline/timeline.h"

struct report_page_options {
    /* What is shown of the run, in simulated seconds. to_s infinite: to its end. */
    double from_s, to_s;
    /* Where the files of the program's source are looked for, in this order; NULL ends it. */
    const char *const *folders;
};
/* Writes it to a file, never half of one, or to standard output ("-"). False: *error; the run ends
 * before from_s, for example. */
bool report_page_write(const struct report_trace *trace, const struct report_page_options *options,
                       const char *path, GError **error);

#endif

/* What is known of variables, as the page reads it; private to report/page. */
#ifndef REPORT_PAGE_VARIABLES_H
#define REPORT_PAGE_VARIABLES_H

#include "report/timeline/moments.h"

/* A line each, its fields by tabulators: memory, name, waits of loads and of stores in picoseconds,
 * lines missed by level, stale loads, moves, operations. The whole run's. */
char *report_page_variables(const struct report_trace *trace);

#endif

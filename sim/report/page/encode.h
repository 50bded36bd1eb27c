/* report/page, inside: the trace as the page's script reads it. Not a door. */
#ifndef REPORT_ENCODE_H
#define REPORT_ENCODE_H

#include "report/page/page.h"

/* JSON that may stand in a script element. Free with g_free. */
char *report_encode(const struct report_trace *trace, const struct report_page_options *options);

#endif

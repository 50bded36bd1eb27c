/* What a track did, stretch by stretch; private to report/page. */
#ifndef REPORT_STRETCHES_H
#define REPORT_STRETCHES_H

#include "report/timeline/moments.h"

struct report_stretch {
    int64_t from_ps, to_ps;
    enum trace_activity activity;
    char letter; /* encode.c */
    const char *call, *at;
    int other; /* a wait: the rank that was to blame, and where it acted; -1: none */
    const char *there;
};
/* In order of time; those of an interface that overlap stand one behind the other. Waits are cut by
 * their causes. Free with g_array_unref. */
GArray *report_stretches(const struct report_trace *trace, const struct report_track *track);

#endif

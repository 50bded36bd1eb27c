/* report/page, inside: is it among what was chosen to be shown? Not a door. */
#ifndef REPORT_CHOICE_H
#define REPORT_CHOICE_H

#include "report/page/page.h"
#include "report/timeline/moments.h"

/* All of them exist in the run; choice NULL: everything was chosen. False: *error. */
bool report_choice_fits(const struct report_choice *choice, int ranks, GError **error);

/* All are true of choice NULL. */
bool report_choice_rank(const struct report_choice *choice, int rank);
/* An interface: of a node with a rank that was chosen. */
bool report_choice_track(const struct report_choice *choice, const struct report_trace *trace,
                         const struct report_track *track);
bool report_choice_activity(const struct report_choice *choice, enum trace_activity activity);
bool report_choice_operations(const struct report_choice *choice, enum op_kind kind);

#endif

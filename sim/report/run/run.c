/* How a run ended, in a word. */
#include "report/run/run.h"

const char *report_end_name(enum report_end end)
{
    static const char *const names[] = {[REPORT_ENDED] = "ended",
                                        [REPORT_DEADLOCK] = "deadlock",
                                        [REPORT_ABORTED] = "aborted",
                                        [REPORT_INTERRUPTED] = "interrupted"};
    return names[end];
}

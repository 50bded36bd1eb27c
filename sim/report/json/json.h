/* report/json: a run for programs; its keys are a stable interface. */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "report/run/run.h"

/* Written to a temporary name beside it and renamed: never half a file; what is no regular file
 * (/dev/stdout, a pipe) is appended to as it is. `seen` and `memory` are the bytes in memory
 * order. */
bool report_json(const struct report_run *run, const char *path, GError **error);

#endif

/* A run's beginning and end: its description, the world it asks for, what happened in it. */
#ifndef WORLD_BUILD_H
#define WORLD_BUILD_H

#include "report/run/run.h"
#include "world/rank/state.h"

/* Reads the key file that `sidewinder run` writes (world.h). */
bool world_description_read(struct world_description *d, const char *path, GError **error);
void world_description_clear(struct world_description *d);
bool world_build(struct world *w, GError **error);
void world_tear_down(struct world *w);
/* What the check found goes to the findings. True: rules that count are broken. */
bool world_verdict(const struct world_description *d, struct report_run *run);
/* The dearest contended lines as events; while the trace is open. */
void world_contended(const struct report_run *run);
void world_variables(const struct report_run *run);
/* What every resource was used for, struct base_use; the caller unrefs. */
GArray *world_uses(const struct world *w);
/* What they cannot have done in a whole run of that time, in words; NULL: nothing. The caller
 * frees.
 */
char *world_audit(const GArray *uses, double time_s);
int world_finish(struct world *w); /* writes the reports; the run's exit code */
/* The same of a run that this signal ends, or asks about (SIGUSR1), in a child of the process. Of
 * one that crashed the text is written only where the check may know why. */
void world_so_far(int number);

#endif

/* world/label: `run --label`: the rank before each line that the program prints.
 *
 * All ranks share one standard output and one standard error, and take turns. Both lead into memory
 * here; whenever a rank gives up its turn, what has come there is its own, and goes out by whole
 * lines, each behind the rank's number. A last line without an end gets one. */
#ifndef WORLD_LABEL_H
#define WORLD_LABEL_H

#include "base/base.h"

extern bool world_labels; /* lines are labelled */

/* From here on. False with errno: it cannot be. */
bool world_label_start(int ranks);
/* What has been printed since is this rank's. Called where a rank leaves its own code; may not be
 * called in a signal handler. */
void world_label_drain(int rank);
/* The simulator's own line to standard error, behind what that rank has printed; without a label.
 */
void world_label_say(int rank, const char *line);
/* Writes lines that have no end yet; what is printed from here on goes straight out. */
void world_label_end(void);
/* Only the latter: for signal handlers. */
void world_label_off(void);

#endif

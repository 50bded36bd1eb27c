/* cli/experiment, inside: how a file becomes an experiment. Not a door. */
#ifndef CLI_EXPERIMENT_PARTS_H
#define CLI_EXPERIMENT_PARTS_H

#include "cli/experiment/experiment.h"

/* Reads e->path into e->file and e->line; knows no meanings (file.c). */
bool cli_experiment_read_file(struct cli_experiment *e, GError **error);
/* Every group and key is one that experiments have (file.c). */
bool cli_experiment_check_groups(const struct cli_experiment *e, GError **error);
/* Fills e->points from the axes and [points] (points.c). */
bool cli_points_make(struct cli_experiment *e, GError **error);

#endif

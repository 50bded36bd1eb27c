/* world/progress: how far a long run is: a line after 4 s of the host's time, another 8 s
 * later, and so on, at last one a minute, where somebody sits at a terminal. */
#ifndef WORLD_PROGRESS_H
#define WORLD_PROGRESS_H

#include "base/base.h"

extern bool world_progress_on; /* set before the ranks begin */
void world_progress_begin(void);
void world_progress_look(void);
/* Called where ranks pay: often enough, and at no cost where nobody looks. */
static inline void world_progress(void)
{
    if (G_UNLIKELY(world_progress_on)) world_progress_look();
}

#endif

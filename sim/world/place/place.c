/* Places in the program, and messages. */
#include "world/place/place.h"

#include <stdarg.h>
#include <stdio.h>

#include "kern/kern.h"
#include "report/source/source.h"
#include "world/rank/state.h"

op_site world_site(const struct world_rank *rank)
{
    const struct world_rank_state *state = (const struct world_rank_state *)rank;
    return state->call ? world_site_of(state, state->pc) : 0;
}

const char *world_where(const struct world_rank *rank)
{
    return report_site(world_one.description.program, world_site(rank));
}

const char *world_place(op_site site) { return report_site(world_one.description.program, site); }

void world_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *line = g_strdup_vprintf(format, args);
    va_end(args);
    fflush(stdout);
    fprintf(stderr, "sidewinder: %s\n", line);
}

void world_abort(int code)
{
    world_one.aborted = true;
    world_one.exit_code = code;
    kern_stop();
}

/* States of objects: only what their table allows. */
#include "base/base.h"

int base_state_next(const char *what, const struct base_state *table, int from, int to)
{
    if (!(table[from].next & 1u << to))
        g_error("a %s that is %s cannot become %s", what, table[from].name, table[to].name);
    return to;
}

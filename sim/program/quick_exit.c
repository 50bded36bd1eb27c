/* Stand-ins for quick_exit, which would end the simulator: it ends the rank, after the functions
 * that the rank has given to at_quick_exit, the last first (C11, 7.22.4.7). Linked from an archive,
 * into programs that call it: others keep their layout. */
#include "program/program.h"

#include <stdlib.h>

enum { MOST = 32 }; /* what C11 promises, 7.22.4.3 */

static void (*handler[MOST])(void);
static int handlers;

OF_THE_RANK int at_quick_exit(void (*function)(void))
{
    if (handlers == MOST) return 1;
    handler[handlers++] = function;
    return 0;
}

OF_THE_RANK __attribute__((noreturn)) void quick_exit(int code)
{
    while (handlers > 0) handler[--handlers]();
    probe_calls.exit_at_once(code);
    __builtin_unreachable();
}

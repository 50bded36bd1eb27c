/* Until when each rank does nothing: a number a rank. */
#include "kern/idle.h"

#include <glib.h>
#include <math.h>

static double *until;
static int known;

void kern_idle_begin(int ranks)
{
    known = ranks;
    until = g_renew(double, until, ranks);
    for (int i = 0; i < ranks; i++) until[i] = -HUGE_VAL;
}

void kern_idle(int rank, double until_s)
{
    if (rank >= 0) until[rank] = until_s;
}

double kern_idle_least(int but)
{
    double least_s = HUGE_VAL;
    for (int i = 0; i < known && least_s > -HUGE_VAL; i++)
        if (i != but) least_s = MIN(least_s, until[i]);
    return least_s;
}

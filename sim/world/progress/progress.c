/* Lines, not a bar: the program prints to the same terminal. */
#include "world/progress/progress.h"

#include "report/print/print.h"
#include "world/clock/clock.h"
#include "world/place/place.h"
#include "world/rank/state.h"

enum { FIRST_S = 4, MOST_S = 60, LOOKS = 256 };

bool world_progress_on;

static struct {
    gint64 begun_us, shown_us;
    double simulated_s; /* when it was shown */
    int next_s;         /* from shown_us on */
    unsigned asked;
} progress;

void world_progress_begin(void)
{
    progress.begun_us = progress.shown_us = g_get_monotonic_time();
    progress.simulated_s = 0;
    progress.next_s = FIRST_S;
    progress.asked = 0;
}

static int ended(void)
{
    int n = 0;
    for (int rank = 0; rank < world_one.description.ranks; rank++) n += world_one.state[rank].gone;
    return n;
}

static void show(gint64 now_us)
{
    double now_s = world_now(), host_s = (double)(now_us - progress.shown_us) * 1e-6;
    g_autofree char *all = report_time(now_s),
                    *rate = report_time((now_s - progress.simulated_s) / host_s);
    int done = ended(), ranks = world_one.description.ranks;
    g_autofree char *gone =
        done ? g_strdup_printf("; %d of %d ranks have ended", done, ranks) : g_strdup("");
    world_say("%s simulated in %.0f s, now %s a second%s", all,
              (double)(now_us - progress.begun_us) * 1e-6, rate, gone);
    progress.shown_us = now_us;
    progress.simulated_s = now_s;
    progress.next_s = MIN(2 * progress.next_s, MOST_S);
}

void world_progress_look(void)
{
    if (++progress.asked % LOOKS) return;
    gint64 now_us = g_get_monotonic_time();
    if (now_us - progress.shown_us >= progress.next_s * G_USEC_PER_SEC) show(now_us);
}

/* The progress bar of a sweep. What it counts lies in the journal, so it is the same for every
 * launcher. */
#include "cli/sweep/parts.h"

#include <stdio.h>
#include <unistd.h>

enum { BAR_WIDTH = 24 };

/* The one bar there is: a process has one terminal. */
static struct {
    const struct cli_sweep *sweep; /* NULL: nothing is shown */
    GPtrArray *todo;
    gint64 begun_us;
} bar;

void cli_progress_begin(const struct cli_sweep *s, GPtrArray *todo)
{
    if (!isatty(STDERR_FILENO)) return;
    bar.sweep = s;
    bar.todo = todo;
    bar.begun_us = g_get_monotonic_time();
}

static char *left_text(guint done, guint of)
{
    if (done == 0) return g_strdup("time left: unknown");
    double passed_s = (double)(g_get_monotonic_time() - bar.begun_us) * 1e-6,
           left_s = passed_s / done * (of - done);
    if (left_s < 90) return g_strdup_printf("about %.0f s left", left_s);
    if (left_s < 5400) return g_strdup_printf("about %.0f min left", left_s / 60);
    return g_strdup_printf("about %.1f h left", left_s / 3600);
}

void cli_progress_show(void)
{
    if (!bar.sweep) return;
    guint all = bar.sweep->chosen->len, before = all - bar.todo->len, done = 0;
    for (guint i = 0; i < bar.todo->len; i++)
        done += cli_record_there(bar.sweep, bar.todo->pdata[i]);
    char drawn[BAR_WIDTH + 1];
    int filled = (int)((guint64)BAR_WIDTH * (before + done) / all);
    for (int i = 0; i < BAR_WIDTH; i++) drawn[i] = i < filled ? '#' : '.';
    drawn[BAR_WIDTH] = '\0';
    g_autofree char *left = left_text(done, bar.todo->len);
    fprintf(stderr, "\r[%s] %u of %u done, %d running, %s\033[K", drawn, before + done, all,
            cli_journal_running(bar.sweep), left);
    fflush(stderr);
}

void cli_progress_end(void)
{
    if (!bar.sweep) return;
    fputs("\r\033[K", stderr);
    bar.sweep = NULL;
}

/* The launcher of one machine: as many points at once as it has processors. */
#include "cli/sweep/parts.h"

#include <signal.h>

static bool start(struct cli_sweep *s, const struct cli_point *p, GHashTable *running,
                  GError **error)
{
    g_autofree char *number = g_strdup_printf("%d", p->number);
    g_auto(GStrv) argv = cli_point_process(s, number);
    pid_t child = cli_launch(argv, -1, error);
    if (child > 0) g_hash_table_add(running, GINT_TO_POINTER(child));
    return child > 0;
}

static void stop(const struct cli_sweep *s, GHashTable *running)
{
    GHashTableIter iter;
    gpointer child;
    g_hash_table_iter_init(&iter, running);
    while (g_hash_table_iter_next(&iter, &child, NULL)) kill(GPOINTER_TO_INT(child), s->stopped);
}

static bool run(struct cli_sweep *s, GPtrArray *todo, int jobs, char **options, GError **error)
{
    g_autoptr(GHashTable) running = g_hash_table_new(NULL, NULL);
    guint next = 0;
    bool fine = true;
    if (*options) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "--launcher local takes no options; --jobs N sets how many points run at once");
        return false;
    }
    if (jobs < 1) jobs = (int)g_get_num_processors();
    while ((fine && !s->stopped && next < todo->len) || g_hash_table_size(running)) {
        int status;
        while (fine && !s->stopped && next < todo->len && g_hash_table_size(running) < (guint)jobs)
            fine = start(s, todo->pdata[next++], running, error);
        pid_t child = cli_launch_wait(s, &status);
        if (child > 0) g_hash_table_remove(running, GINT_TO_POINTER(child));
        if (child < 0 && !cli_launch_from_keyboard()) stop(s, running);
        cli_progress_show();
    }
    return fine;
}

const struct cli_launcher cli_launcher_local = {
    .name = "local",
    .help = "processes on this computer, one per processor (the default)",
    .run = run,
};

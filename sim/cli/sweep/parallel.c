/* The launcher of GNU parallel, and so of every host it reaches over ssh: these must see the
 * experiment's folder, and this program, under the same names. */
#include "cli/common/common.h"
#include "cli/sweep/parts.h"

#include <signal.h>
#include <sys/wait.h>

/* On SIGTERM parallel ends its jobs, also those on other hosts. */
static void stop(struct cli_sweep *s, pid_t child)
{
    (void)s;
    kill(child, SIGTERM);
}

static bool run(struct cli_sweep *s, GPtrArray *todo, int jobs, char **options, GError **error)
{
    g_autofree char *points = cli_launch_points(s, todo, error),
                    *many = g_strdup_printf("%d", jobs);
    if (!points) return false;
    g_autofree char *journal = g_path_get_dirname(points);
    g_auto(GStrv) process = cli_point_process(s, "{}");
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    g_autofree char *path = g_find_program_in_path("parallel");
    if (!path) {
        g_set_error(
            error, BASE_ERROR, BASE_ERROR_FILE,
            "--launcher parallel: GNU parallel is not installed (Debian: apt install parallel)");
        return false;
    }
    g_ptr_array_add(argv, path);
    g_ptr_array_add(argv, (char *)"--will-cite");
    g_ptr_array_add(argv, (char *)"--quote");
    if (jobs > 0) {
        g_ptr_array_add(argv, (char *)"--jobs");
        g_ptr_array_add(argv, many);
    }
    /* what it leaves when it is stopped goes with the journal */
    g_ptr_array_add(argv, (char *)"--tmpdir");
    g_ptr_array_add(argv, journal);
    for (char **option = options; *option; option++) g_ptr_array_add(argv, *option);
    g_ptr_array_add(argv, (char *)"--arg-file");
    g_ptr_array_add(argv, points);
    for (char **word = process; *word; word++) g_ptr_array_add(argv, *word);
    g_ptr_array_add(argv, NULL);
    int status = cli_launch_one(s, (char **)argv->pdata, -1, stop, error);
    if (status < 0) return false;
    /* Up to 101 its exit code counts the jobs that failed, and those have reported it; above it did
     * not work itself. */
    if (s->stopped || (WIFEXITED(status) && WEXITSTATUS(status) <= 101)) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                "--launcher parallel: GNU parallel failed (%s %d)",
                WIFEXITED(status) ? "exit code" : "signal",
                WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return false;
}

const struct cli_launcher cli_launcher_parallel = {
    .name = "parallel",
    .help = "GNU parallel; its options after a colon, such as 'parallel:--sshlogin a,b,c'",
    .run = run,
};

/* The launcher of Slurm: one job array, a task a point. The nodes must see the experiment's folder,
 * and this program, under the same names. */
#include "cli/common/common.h"
#include "cli/sweep/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* of one array, as Slurm comes (MaxArraySize=1001); beyond, a task takes several points */
enum { TASKS_MAX = 1000 };

static char *job_file(const struct cli_sweep *s) { return cli_journal_file(s, "slurm-job"); }

/* The array of this sweep, or of one that was killed: no task of it shall start any more. */
static void cancel(const struct cli_sweep *s)
{
    g_autofree char *file = job_file(s), *text = NULL;
    if (!g_file_get_contents(file, &text, NULL, NULL)) return;
    text[strcspn(text, ";\n")] = '\0'; /* "JOB;CLUSTER" */
    if (*text)
        g_spawn_sync(NULL, (char *[]){(char *)"scancel", text, NULL}, NULL,
                     G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL, NULL, NULL,
                     NULL);
    unlink(file);
}

static void stop(struct cli_sweep *s, pid_t child)
{
    cancel(s);
    kill(child, SIGTERM);
}

/* What a task does: the points whose line is its own number, and every TASKS_MAX-th after it. */
static char *task_script(const struct cli_sweep *s, const char *points)
{
    g_auto(GStrv) process = cli_point_process(s, "POINT");
    g_autofree char *command = cli_words("", process), *list = g_shell_quote(points);
    char *at = strstr(command, " POINT ");
    *at = '\0';
    return g_strdup_printf(
        "for point in $(sed -n \"${SLURM_ARRAY_TASK_ID}~%dp\" %s); do %s \"$point\" %s; done",
        TASKS_MAX, list, command, at + strlen(" POINT "));
}

static bool submit(struct cli_sweep *s, GPtrArray *argv, GError **error)
{
    g_autofree char *file = job_file(s);
    int output = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output < 0) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot write %s: %s", file,
                    g_strerror(errno));
        return false;
    }
    int status = cli_launch_one(s, (char **)argv->pdata, output, stop, error);
    close(output);
    if (status < 0) return false;
    g_autofree char *job = NULL;
    bool submitted = s->stopped || (g_file_get_contents(file, &job, NULL, NULL) && *job);
    if (!submitted)
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                    "--launcher slurm: sbatch refused the job (exit code %d)",
                    WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    unlink(file);
    return submitted;
}

static bool run(struct cli_sweep *s, GPtrArray *todo, int jobs, char **options, GError **error)
{
    g_autofree char *path = g_find_program_in_path("sbatch"),
                    *points = cli_launch_points(s, todo, error);
    if (!points) return false;
    if (!path) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                    "--launcher slurm: sbatch is not installed (Debian: apt install slurm-client)");
        return false;
    }
    cancel(s);
    g_autofree char *script = task_script(s, points),
                    *log_name = cli_journal_file(s, "slurm-%a.log"),
                    *log = g_canonicalize_filename(log_name, NULL);
    g_autofree char *limit = jobs > 0 ? g_strdup_printf("%%%d", jobs) : g_strdup("");
    g_autofree char *array = g_strdup_printf("1-%u%s", MIN(todo->len, TASKS_MAX), limit);
    char *const words[] = {path,
                           (char *)"--parsable",
                           (char *)"--wait",
                           (char *)"--job-name",
                           (char *)"sweep",
                           (char *)"--chdir",
                           s->e->folder,
                           (char *)"--output",
                           log,
                           (char *)"--array",
                           array};
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) g_ptr_array_add(argv, words[i]);
    for (char **option = options; *option; option++) g_ptr_array_add(argv, *option);
    g_ptr_array_add(argv, (char *)"--wrap");
    g_ptr_array_add(argv, script);
    g_ptr_array_add(argv, NULL);
    return submit(s, argv, error);
}

const struct cli_launcher cli_launcher_slurm = {
    .name = "slurm",
    .help = "a Slurm job array; options of sbatch after a colon, such as 'slurm:--partition debug "
            "--time 10'",
    .run = run,
};

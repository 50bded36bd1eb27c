/* sidewinder run: one program on one simulated machine.
 *
 * Checks everything that can be checked before the start, writes the run's description (resolved
 * platform, hostfile and run.ini, keys in world/world.h) into a folder of its own, and lets
 * sidewinder-sim run it as a child: its output, exit code and signals are the program's. The folder
 * goes away however the run ends.
 */
#include "cli/common/child.h"
#include "cli/common/common.h"
#include "cli/run/options.h"
#include "cli/run/parts.h"
#include "cli/run/run.h"

#include <stdio.h>
#include <sys/wait.h>

/* name: of the command that the user gave: gdb and mpirun are runs */
static int fail(const char *name, const GError *error, enum cli_exit code)
{
    fprintf(stderr, "sidewinder %s: %s\n", name, error->message);
    return code;
}

/* The run, and its page if one is asked for, in a folder that is gone then. The wait status; -1: it
 * did not start, *error. */
static int perform(const struct cli_run_options *o, GKeyFile *file, const struct mach *m,
                   const char *name, char **arguments, GError **error)
{
    g_autofree char *folder = cli_child_folder("sidewinder-XXXXXX", error);
    if (!folder) return -1;
    if (o->view && !o->trace) {
        g_autofree char *trace = g_build_filename(folder, "trace", NULL);
        g_key_file_set_string(file, "run", "trace", trace);
    }
    int status = cli_run_launch(folder, file, m, o->debugger, arguments, false, error);
    if (status >= 0 && o->view &&
        !cli_run_page(folder, file, m, WIFSIGNALED(status) ? NULL : arguments, o->view, error)) {
        fail(name, *error, CLI_FAILED);
        if (status == 0) status = CLI_FAILED << 8;
    }
    cli_child_remove(folder);
    return status;
}

int cli_run(int argc, char **argv)
{
    g_autofree char *words = cli_words("sidewinder run", argv + 1),
                    *command = g_utf8_make_valid(words, -1);
    g_autoptr(GError) error = NULL;
    struct cli_run_options o = {.ranks = G_MININT};
    struct mach *m = NULL;
    int status = -1;
    char **rest = argv;
    g_autoptr(GKeyFile) file = NULL;
    if (cli_run_options_read(&o, &argc, &rest, &error) && !o.help && !o.version)
        file = cli_run_describe(&o, argc > 1 ? rest[1] : NULL, command, &m, &error);
    if (file) {
        cli_child_hold_signals();
        status = perform(&o, file, m, argv[0], rest + 2, &error);
        cli_child_release_signals();
    }
    mach_free(m);
    cli_run_options_clear(&o);
    if (o.help || o.version) return CLI_DONE;
    if (status < 0) return fail(argv[0], error, file ? CLI_FAILED : CLI_USAGE);
    return cli_child_end(status);
}

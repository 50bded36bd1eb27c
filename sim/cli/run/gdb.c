/* sidewinder gdb: `sidewinder run` under gdb, stopped in the program. */
#include "cli/common/common.h"
#include "cli/run/run.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: sidewinder gdb [OPTION]... PROGRAM [ARGUMENT]...\n"
    "\n"
    "Runs an MPI program as 'sidewinder run' does, under gdb, and stops where the first rank "
    "enters main.\n"
    "All ranks are in one process and take turns; each has its own copy of the program. A "
    "breakpoint has a\n"
    "location in every copy, and stops whichever rank comes. 'rank' prints which rank is running. "
    "In conditions\n"
    "$rank() is that number. 'delete 2' ends stopping in main.\n"
    "The simulated clock stands while gdb has stopped. Compile with -g, and with -O0 to see every "
    "variable.\n"
    "\n"
    "Options:\n"
    "  --help   show this help; the others are those of 'sidewinder run'\n"
    "\n"
    "For other commands of gdb, or another debugger: sidewinder run --debugger 'gdb -ex run'.\n"
    "\n"
    "Examples:\n"
    "  sidewinder gdb -m t3d -n 4 ./stale\n"
    "  (gdb) break stale.c:22 if $rank() == 1\n"
    "  (gdb) continue\n"
    "  (gdb) rank\n";

static char *commands_file(GError **error)
{
    g_autofree char *self = g_file_read_link("/proc/self/exe", error);
    if (!self) return NULL;
    g_autofree char *folder = g_path_get_dirname(self);
    return g_canonicalize_filename("../share/sidewinder/sidewinder.gdb", folder);
}

int cli_gdb(int argc, char **argv)
{
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return CLI_DONE;
    }
    g_autoptr(GError) error = NULL;
    g_autofree char *file = commands_file(&error);
    if (!file) {
        fprintf(stderr, "sidewinder gdb: %s\n", error->message);
        return CLI_FAILED;
    }
    g_autofree char *quoted = g_shell_quote(file);
    g_autofree char *debugger = g_strconcat("--debugger=gdb -q -x ", quoted, NULL);
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    g_ptr_array_add(words, "gdb");
    g_ptr_array_add(words, debugger);
    for (int i = 1; i < argc; i++) g_ptr_array_add(words, argv[i]);
    int n = (int)words->len;
    g_ptr_array_add(words, NULL);
    return cli_run(n, (char **)words->pdata);
}

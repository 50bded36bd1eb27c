/* sidewinder COMMAND ARGS: finds the command. */
#include "cli/blocks/blocks.h"
#include "cli/cc/cc.h"
#include "cli/check/check.h"
#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cli/compare/compare.h"
#include "cli/limits/limits.h"
#include "cli/machines/machines.h"
#include "cli/plot/plot.h"
#include "cli/profile/profile.h"
#include "cli/run/run.h"
#include "cli/sweep/sweep.h"
#include "cli/trace/trace.h"
#include "cli/view/view.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} command[] = {
#define COMMAND(name, function, help) {name, function, help},
#include "cli/commands.def"
#undef COMMAND
};

static void print_help(FILE *to)
{
    fputs("Usage: sidewinder COMMAND [ARGUMENT]...\n"
          "       sidewinder --help | --version\n"
          "\n"
          "Predicts the cost of one-sided communication, and the values it delivers, on machines "
          "you do not have.\nAn MPI program runs over SimGrid while every load, store, put and get "
          "is applied to a modelled machine.\nThe result is the predicted time and the values the "
          "program would have read, stale ones included.\n\n"
          "Commands:\n",
          to);
    for (size_t i = 0; i < G_N_ELEMENTS(command); i++)
        fprintf(to, "  %-10s %s\n", command[i].name, command[i].help);
    fputs("\n"
          "Examples:\n"
          "  sidewinder cc -O2 -g halo.c -o halo\n"
          "  sidewinder run -m t3d -n 16 ./halo\n"
          "  sidewinder whatif -m rdma -n 2 --set coh.protocol=none ./stale     # if the NI did "
          "not invalidate caches?\n"
          "  sidewinder machines t3d\n"
          "\n"
          "See 'sidewinder COMMAND --help' for the options of a command.\nExit status: 0 success, "
          "1 failure, 2 usage error; 'run' returns the program's own.\n",
          to);
}

static int unknown(const char *name)
{
    const char *names[G_N_ELEMENTS(command)];
    for (size_t i = 0; i < G_N_ELEMENTS(command); i++) names[i] = command[i].name;
    const char *near = base_nearest(name, names, G_N_ELEMENTS(command));
    fprintf(stderr, "sidewinder: unknown command '%s'", name);
    if (near) fprintf(stderr, "; did you mean %s?", near);
    fputs(" (see sidewinder --help)\n", stderr);
    return CLI_USAGE;
}

/* Truncated output is a failure: after a command has printed, checks that all of it was written. */
static int printed(int code)
{
    errno = 0;
    if (code != CLI_DONE || (fflush(stdout) == 0 && !ferror(stdout))) return code;
    fprintf(stderr, "sidewinder: cannot write to standard output%s%s\n", errno ? ": " : "",
            errno ? g_strerror(errno) : "");
    return CLI_FAILED;
}

/* A standard file that is closed stays unusable, and no file that is opened later takes its place:
 * an error message is written into none. */
static void hold_standard_files(void)
{
    for (int number = 0; number <= STDERR_FILENO; number++)
        if (fcntl(number, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    hold_standard_files();
    setlocale(LC_CTYPE, "C.UTF-8"); /* names are UTF-8 to GLib, whatever the user's locale */
    static char buffer[1 << 16];    /* what fits is written, or not, when `printed` looks */
    if (!isatty(STDOUT_FILENO)) setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    if (argc == 3 && strcmp(argv[1], "help") == 0) { /* help COMMAND: COMMAND --help */
        static char wanted[] = "--help";
        argv[1] = argv[2];
        argv[2] = wanted;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return printed(CLI_DONE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        cli_print_version();
        return printed(CLI_DONE);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(command); i++)
        if (strcmp(argv[1], command[i].name) == 0)
            return printed(command[i].run(argc - 1, argv + 1));
    return unknown(argv[1]);
}

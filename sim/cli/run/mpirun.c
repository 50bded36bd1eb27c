/* sidewinder mpirun: `sidewinder run` with the options of other launchers, for the harnesses that
 * write them: CTest and FindMPI, automake's log compilers, scripts.
 *
 * Left out: hosts, binding and environments, which a simulated machine has no use for; they are
 * refused like any unknown option. */
#include "cli/common/common.h"
#include "cli/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An option of a launcher, and what `sidewinder run` calls it; NULL: it means nothing here. */
static const struct launcher_option {
    const char *name, *meaning;
    bool argument, glued; /* glued: the argument may follow in the same word */
} launcher_options[] = {
    {"-np", "-n", true, true},
    {"--np", "-n", true, false},
    {"-n", "-n", true, true},
    {"-machine", "-m", true, true},
    {"--machine", "-m", true, false},
    {"-m", "-m", true, true},
    {"-l", "--label", false, false},
    {"--oversubscribe", NULL, false, false},
    {"--allow-run-as-root", NULL, false, false},
};

static const char help[] =
    "Usage: sidewinder mpirun -np N [-machine MACHINE] [OPTION]... PROGRAM [ARGUMENT]...\n"
    "\n"
    "Runs an MPI program as 'sidewinder run --quiet' does, with the options of other launchers.\n"
    "Test harnesses written for mpirun or mpiexec work as they are.\n"
    "\n"
    "Options:\n"
    "  -np N              number of ranks; also -n N, -npN, -nN and --np N\n"
    "  -machine MACHINE   machine to run on; also -m MACHINE and --machine MACHINE\n"
    "  --OPTION=VALUE     any long option of 'sidewinder run', such as --json=run.json\n"
    "  --help             show this help\n"
    "\n"
    "--oversubscribe and --allow-run-as-root are ignored. An argument follows its option in the "
    "same word, in the\n"
    "next one, or after '='.\n"
    "\n"
    "Environment:\n"
    "  SIDEWINDER_MACHINE   the machine when no option names one\n"
    "\n"
    "Examples:\n"
    "  sidewinder mpirun -np 4 -machine t3d ./halo\n"
    "  SIDEWINDER_MACHINE=now ctest\n";

/* The entry that the word is, and its argument if the word has one. */
static const struct launcher_option *find(const char *word, const char **argument)
{
    *argument = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(launcher_options); i++) {
        const struct launcher_option *o = &launcher_options[i];
        size_t length = strlen(o->name);
        if (strncmp(word, o->name, length) != 0) continue;
        if (word[length] == '\0') return o;
        bool equals = o->argument && word[length] == '=';
        if (!equals && !(o->glued && (g_ascii_isalnum(word[length]) || strchr("./", word[length]))))
            continue;
        *argument = word + length + (equals ? 1 : 0);
        return o;
    }
    return NULL;
}

static void add(GPtrArray *words, const char *word) { g_ptr_array_add(words, g_strdup(word)); }

int cli_mpirun(int argc, char **argv)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    const char *machine = getenv("SIDEWINDER_MACHINE");
    bool to_be_named = true; /* a machine, which --version does without */
    add(words, "mpirun");
    add(words, "--quiet");
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        const char *argument;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(help, stdout);
            return CLI_DONE;
        }
        const struct launcher_option *o = find(argv[i], &argument);
        if (!o) {
            add(words, argv[i]);
            if (strcmp(argv[i], "--version") == 0) to_be_named = false;
            continue;
        }
        if (o->argument && !argument && i + 1 < argc) argument = argv[++i];
        if (o->meaning) add(words, o->meaning);
        if (o->meaning && argument) add(words, argument);
        if (o->meaning && strcmp(o->meaning, "-m") == 0) to_be_named = false;
    }
    if (to_be_named && (!machine || !*machine)) {
        fputs("sidewinder mpirun: no machine given; use -machine MACHINE, or set "
              "SIDEWINDER_MACHINE (sidewinder machines lists them)\n",
              stderr);
        return CLI_USAGE;
    }
    if (to_be_named) {
        add(words, "-m");
        add(words, machine);
    }
    for (; i < argc; i++) add(words, argv[i]);
    int n = (int)words->len;
    g_ptr_array_add(words, NULL);
    return cli_run(n, (char **)words->pdata);
}

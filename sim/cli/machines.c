/* sidewinder machines: what there is to run on, and every number of it. */
#include "cli/cli.h"

#include "mach/mach.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void print_help(void)
{
    fputs("Usage: sidewinder machines\n"
          "       sidewinder machines [--set KEY=VALUE]... MACHINE\n"
          "       sidewinder machines --keys\n"
          "\n"
          "Without a name, lists the machines. With one, shows every parameter: its value, whether that comes from\n"
          "the machine's file, from --set or is a default, and the source of the number. MACHINE is a name from the\n"
          "list, or the path of a SimGrid platform file with Sidewinder's props (with '/', or ending in .xml).\n"
          "\n"
          "Options:\n"
          "  --set KEY=VALUE   change one parameter, as in 'sidewinder run'; may be repeated\n"
          "  --keys            list every parameter there is: unit, default, accepted values and meaning\n"
          "  --help            this text\n"
          "\n"
          "Environment:\n"
          "  SIDEWINDER_PLATFORMS   folder of the machines' files, instead of the one installed\n"
          "\n"
          "Examples:\n"
          "  sidewinder machines t3d\n"
          "  sidewinder machines t3d --set nodes=512 --set ni.invalidate=index\n"
          "  sidewinder machines ./mine.xml\n",
          stdout);
}

static int fail(GError *error)
{
    fprintf(stderr, "sidewinder machines: %s\n", error->message);
    g_error_free(error);
    return CLI_FAILED;
}

/* A broken file does not hide the others. */
static int list(void)
{
    g_auto(GStrv) names = mach_list();
    g_autofree char *folder = mach_folder();
    if (!names[0]) {
        fprintf(stderr, "sidewinder machines: no platform files in %s (SIDEWINDER_PLATFORMS names the folder)\n",
                folder ? folder : "../platforms beside the program");
        return CLI_FAILED;
    }
    int status = CLI_DONE;
    for (char **name = names; *name; name++) {
        struct mach *m;
        GError *error = NULL;
        if (mach_load(*name, NULL, 0, &m, &error)) {
            printf("%-13s %s\n", *name, m->doc);
            mach_free(m);
        } else
            status = fail(error);
    }
    return status;
}

static int show(const char *name, const char *const *sets)
{
    struct mach *m;
    GError *error = NULL;
    if (!mach_load(name, sets, 0, &m, &error)) return fail(error);
    g_autofree char *text = mach_describe(m, isatty(STDOUT_FILENO) && !g_getenv("NO_COLOR"));
    fputs(text, stdout);
    mach_free(m);
    return CLI_DONE;
}

static int list_keys(void)
{
    for (size_t i = 0; i < mach_keys(); i++) {
        const struct mach_key *key = mach_key(i);
        if (key->level > 1) continue; /* all levels are alike */
        g_autofree char *accepts = mach_key_accepts(key);
        printf("%s%s\n    %s\n    %s; default %s\n", key->name, key->level ? "   (likewise l2 to l8)" : "", key->help,
               accepts, key->def);
    }
    return CLI_DONE;
}

static int usage(const char *what, const char *argument)
{
    fprintf(stderr, "sidewinder machines: %s%s; 'sidewinder machines --help' tells more\n", what, argument);
    return CLI_USAGE;
}

int cli_machines(int argc, char **argv)
{
    g_autoptr(GPtrArray) sets = g_ptr_array_new();
    const char *name = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            return CLI_DONE;
        }
        if (strcmp(argv[i], "--keys") == 0) return argc == 2 ? list_keys() : usage("--keys stands alone", "");
        if (strcmp(argv[i], "--set") == 0) {
            if (++i == argc) return usage("--set needs KEY=VALUE", "");
            g_ptr_array_add(sets, argv[i]);
        } else if (g_str_has_prefix(argv[i], "--set="))
            g_ptr_array_add(sets, argv[i] + strlen("--set="));
        else if (argv[i][0] == '-')
            return usage("unknown option ", argv[i]);
        else if (name)
            return usage("one machine at a time, not also ", argv[i]);
        else
            name = argv[i];
    }
    if (!name) return sets->len ? usage("--set needs a machine to change", "") : list();
    g_ptr_array_add(sets, NULL);
    return show(name, (const char *const *)sets->pdata);
}

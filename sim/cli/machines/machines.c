/* sidewinder machines: what there is to run on, and every number of it. */
#include "cli/common/common.h"
#include "cli/machines/machines.h"
#include "cli/measure/measure.h"

#include "mach/mach.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct options {
    const char *machine, *name, *doc;
    bool xml, text, measure, all, quick;
    GPtrArray *sets;
};

static void print_help(void)
{
    fputs("Usage: sidewinder machines\n"
          "       sidewinder machines MACHINE\n"
          "       sidewinder machines MACHINE --set KEY=VALUE... > FILE.xml\n"
          "       sidewinder machines --keys\n"
          "       sidewinder machines --measure [-n] > FILE.xml\n"
          "\n"
          "Without a name, lists the machines. With one, shows every parameter: its value, whether "
          "the\n"
          "machine's file, --set or a default gave it, and the source of the number. MACHINE is a "
          "name from the list,\n"
          "or the path of a SimGrid platform file with Sidewinder's props (with '/', or "
          "ending in .xml).\n"
          "\n"
          "With --set, when standard output is not a terminal, writes the changed machine as a "
          "platform file. Every\n"
          "number keeps its source, and a changed one records its old value. "
          "'sidewinder run -m ./FILE.xml' runs on it.\n\n"
          "Options:\n"
          "  --set KEY=VALUE   change one parameter, as in 'sidewinder run'; may be repeated\n"
          "  --xml             write the file, also without --set or on a terminal\n"
          "  --text            show the parameters, also with --set when standard output is not a "
          "terminal\n  --name NAME       the machine's name in its file (default: the old name "
          "with -changed appended)\n  --doc TEXT        its description in the file, one sentence "
          "(default: the old one and the changes)\n  --keys            list every parameter: unit, "
          "default, accepted values and meaning\n  --measure         measure this computer "
          "(x86-64, one to two minutes); write its platform file, with the way each\n"
          "                    number was obtained\n  -n                with --measure: also "
          "between its processors, "
          "and all of them together\n"
          "  --help            show this help\n\n"
          "Environment:\n"
          "  SIDEWINDER_PLATFORMS   folder of the platform files, instead of the installed one\n\n"
          "Examples:\n"
          "  sidewinder machines t3d\n"
          "  sidewinder machines t3d --set nodes=512 --set ni.invalidate=index > mine.xml\n"
          "  sidewinder machines ./mine.xml\n"
          "  sidewinder machines t3d --set nodes=512 --text | less\n"
          "  sidewinder machines --measure > here.xml\n",
          stdout);
}

static int fail(GError *error, enum cli_exit code)
{
    fprintf(stderr, "sidewinder machines: %s\n", error->message);
    g_error_free(error);
    return code;
}

/* A broken file does not hide the others. */
static int list(void)
{
    g_auto(GStrv) names = mach_list();
    g_autofree char *folder = mach_folder();
    if (!names[0]) {
        fprintf(stderr,
                "sidewinder machines: no platform files in %s (SIDEWINDER_PLATFORMS names the "
                "folder)\n",
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
            status = fail(error, CLI_FAILED);
    }
    return status;
}

static int show(const struct mach *m)
{
    g_autofree char *text = mach_describe(m, isatty(STDOUT_FILENO) && !g_getenv("NO_COLOR"));
    fputs(text, stdout);
    return CLI_DONE;
}

/* What was set, for the first line of the file. */
static char *changed_doc(const struct mach *m, const GPtrArray *sets)
{
    g_autofree char *list = g_strjoinv(", ", (char **)sets->pdata);
    return *m->doc ? g_strdup_printf("%s; changed: %s", m->doc, list)
                   : g_strdup_printf("%s, changed: %s", m->name, list);
}

static int write_file(struct mach *m, const struct options *o)
{
    bool changed = o->sets->len > 1;
    g_autofree char *name = changed && !g_str_has_suffix(m->name, "-changed")
                                ? g_strconcat(m->name, "-changed", NULL)
                                : g_strdup(m->name);
    g_autofree char *doc = changed ? changed_doc(m, o->sets) : g_strdup(m->doc);
    g_autofree char *text = mach_platform(m, o->name ? o->name : name, o->doc ? o->doc : doc);
    fputs(text, stdout);
    return CLI_DONE;
}

static int show_or_write(const struct options *o)
{
    struct mach *m;
    GError *error = NULL;
    if (!mach_load(o->machine, (const char *const *)o->sets->pdata, 0, &m, &error))
        return fail(error, CLI_USAGE);
    bool file =
        o->xml || o->name || o->doc || (o->sets->len > 1 && !o->text && !isatty(STDOUT_FILENO));
    int code = file ? write_file(m, o) : show(m);
    if (!file && o->sets->len > 1 && isatty(STDOUT_FILENO))
        puts("\nRedirected to a file ('> FILE.xml'), this command writes the machine as a platform "
             "file.");
    mach_free(m);
    return code;
}

static int list_keys(void)
{
    for (size_t i = 0; i < mach_keys(); i++) {
        const struct mach_key *key = mach_key(i);
        if (key->level > 1) continue; /* all levels are alike */
        g_autofree char *accepts = mach_key_accepts(key);
        printf("%s%s\n    %s\n    %s; default %s\n", key->name,
               key->level ? "   (likewise l2 to l8)" : "", key->help, accepts, key->def);
    }
    return CLI_DONE;
}

static int usage(const char *what, const char *argument)
{
    fprintf(stderr, "sidewinder machines: %s%s (see sidewinder machines --help)\n", what, argument);
    return CLI_USAGE;
}

/* A name is an XML identifier and may become a file's; a description stands in a comment, where two
 * hyphens may not. */
static bool fine_words(const struct options *o)
{
    for (const char *c = o->name; c && (*c || c == o->name); c++)
        if (!g_ascii_isalnum(*c) && !(*c && strchr("_-.", *c) && c > o->name)) return false;
    return !o->doc ||
           (!strstr(o->doc, "--") && !g_str_has_suffix(o->doc, "-") && !strchr(o->doc, '\n'));
}

/* The value of an option that takes one: "--set x", "--set=x". NULL: argv[*i] is another, or
 * (*missing) ends the line. */
static const char *value_of(const char *option, int argc, char **argv, int *i, bool *missing)
{
    size_t length = strlen(option);
    if (strncmp(argv[*i], option, length) != 0) return NULL;
    if (argv[*i][length] == '=') return argv[*i] + length + 1;
    if (argv[*i][length] != '\0') return NULL;
    *missing = *i + 1 == argc;
    return *missing ? NULL : argv[++*i];
}

static int parse(struct options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        bool no_set = false, no_name = false, no_doc = false;
        const char *value;
        if (strcmp(argv[i], "--xml") == 0)
            o->xml = true;
        else if (strcmp(argv[i], "--text") == 0)
            o->text = true;
        else if (strcmp(argv[i], "--measure") == 0)
            o->measure = true;
        else if (strcmp(argv[i], "-n") == 0)
            o->all = true;
        else if (strcmp(argv[i], "--quick") == 0)
            o->quick = true;
        else if ((value = value_of("--set", argc, argv, &i, &no_set)))
            g_ptr_array_add(o->sets, (void *)value);
        else if ((value = value_of("--name", argc, argv, &i, &no_name)))
            o->name = value;
        else if ((value = value_of("--doc", argc, argv, &i, &no_doc)))
            o->doc = value;
        else if (no_set)
            return usage("--set needs KEY=VALUE", "");
        else if (no_name || no_doc)
            return usage(no_name ? "--name needs NAME" : "--doc needs TEXT", "");
        else if (argv[i][0] == '-')
            return usage("unknown option ", argv[i]);
        else if (o->machine)
            return usage("only one machine can be shown; unexpected argument ", argv[i]);
        else
            o->machine = argv[i];
    }
    g_ptr_array_add(o->sets, NULL);
    if (o->measure && (o->machine || o->sets->len > 1 || o->xml || o->text || o->name || o->doc))
        return usage("--measure takes no machine and no other option than -n", "");
    if ((o->all || o->quick) && !o->measure)
        return usage(o->all ? "-n needs --measure" : "--quick needs --measure", "");
    if (!o->machine && (o->sets->len > 1 || o->xml || o->name || o->doc))
        return usage("no machine given; --set, --xml, --name and --doc need one", "");
    if (o->text && (o->xml || o->name || o->doc))
        return usage("--text shows the parameters; it excludes --xml, --name and --doc, which "
                     "write the file",
                     "");
    if (!fine_words(o))
        return usage("--name takes letters, digits, _, - and . and begins with a letter or digit; "
                     "--doc takes one line without --",
                     "");
    return CLI_DONE;
}

int cli_machines(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            return CLI_DONE;
        }
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--keys") == 0)
            return argc == 2 ? list_keys() : usage("--keys takes no other argument", "");
    g_autoptr(GPtrArray) sets = g_ptr_array_new();
    struct options o = {.sets = sets};
    int code = parse(&o, argc, argv);
    if (code != CLI_DONE) return code;
    if (o.measure)
        return cli_measure(&(struct cli_measure_options){.all = o.all, .quick = o.quick});
    return o.machine ? show_or_write(&o) : list();
}

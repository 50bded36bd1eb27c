/* sidewinder machines: what there is to run on, and every number of it. */
#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cli/machines/machines.h"
#include "cli/measure/measure.h"

#include "mach/mach.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct options {
    char *name, *doc, **set;
    const char *machine;
    gboolean xml, text, keys, measure, all, quick, help;
};

static const char explanation[] =
    "Without MACHINE, lists the machines. With one, shows every parameter: its value, whether the "
    "machine's file, --set\n"
    "or a default gave it, and the source of the number. MACHINE is a name from the list, or the "
    "path of a SimGrid\n"
    "platform file with Sidewinder's props (with '/', or ending in .xml).\n"
    "\n"
    "With --set, when standard output is not a terminal, writes the changed machine as a "
    "platform file. Every\n"
    "number keeps its source, and a changed one records its old value. "
    "'sidewinder run -m ./FILE.xml' runs on it.\n"
    "\n"
    "Environment:\n"
    "  SIDEWINDER_PLATFORMS   folder of the platform files, instead of the installed one\n"
    "\n"
    "Examples:\n"
    "  sidewinder machines t3d\n"
    "  sidewinder machines t3d --set nodes=512 --set ni.invalidate=index > mine.xml\n"
    "  sidewinder machines ./mine.xml\n"
    "  sidewinder machines t3d --set nodes=512 --text | less\n"
    "  sidewinder machines --measure > here.xml\n";

static bool changed(const struct options *o) { return o->set && *o->set; }

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
static char *changed_doc(const struct mach *m, char **set)
{
    g_autofree char *list = g_strjoinv(", ", set);
    return *m->doc ? g_strdup_printf("%s; changed: %s", m->doc, list)
                   : g_strdup_printf("%s, changed: %s", m->name, list);
}

static int write_file(struct mach *m, const struct options *o)
{
    g_autofree char *name = changed(o) && !g_str_has_suffix(m->name, "-changed")
                                ? g_strconcat(m->name, "-changed", NULL)
                                : g_strdup(m->name);
    g_autofree char *doc = changed(o) ? changed_doc(m, o->set) : g_strdup(m->doc);
    g_autofree char *text = mach_platform(m, o->name ? o->name : name, o->doc ? o->doc : doc);
    fputs(text, stdout);
    return CLI_DONE;
}

static int show_or_write(const struct options *o)
{
    struct mach *m;
    GError *error = NULL;
    if (!mach_load(o->machine, (const char *const *)o->set, 0, &m, &error))
        return fail(error, CLI_USAGE);
    bool file = o->xml || o->name || o->doc || (changed(o) && !o->text && !isatty(STDOUT_FILENO));
    int code = file ? write_file(m, o) : show(m);
    if (!file && changed(o) && isatty(STDOUT_FILENO))
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

/* A name is an XML identifier and may become a file's; a description stands in a comment, where two
 * hyphens may not. */
static bool fine_words(const struct options *o)
{
    for (const char *c = o->name; c && (*c || c == o->name); c++)
        if (!g_ascii_isalnum(*c) && !(*c && strchr("_-.", *c) && c > o->name)) return false;
    return !o->doc ||
           (!strstr(o->doc, "--") && !g_str_has_suffix(o->doc, "-") && !strchr(o->doc, '\n'));
}

/* What is wrong with the options together; NULL: nothing. */
static const char *misfit(const struct options *o)
{
    const bool file = o->xml || o->name || o->doc;
    if (o->keys && (o->machine || changed(o) || file || o->text || o->measure || o->all))
        return "--keys takes no other argument";
    if (o->measure && (o->machine || changed(o) || file || o->text))
        return "--measure takes no machine and no other option than -n";
    if ((o->all || o->quick) && !o->measure)
        return o->all ? "-n needs --measure" : "--quick needs --measure";
    if (!o->machine && (changed(o) || file))
        return "no machine given; --set, --xml, --name and --doc need one";
    if (o->text && file)
        return "--text shows the parameters; it excludes --xml, --name and --doc, which write the "
               "file";
    if (!fine_words(o))
        return "--name takes letters, digits, _, - and . and begins with a letter or digit; --doc "
               "takes one line without --";
    return NULL;
}

static bool parse(struct options *o, int argc, char **argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->set,
         "Change one parameter, as in sidewinder run; may be repeated", "KEY=VALUE"},
        {"xml", 0, 0, G_OPTION_ARG_NONE, &o->xml,
         "Write the file, also without --set or on a terminal", NULL},
        {"text", 0, 0, G_OPTION_ARG_NONE, &o->text,
         "Show the parameters, also with --set when standard output is not a terminal", NULL},
        {"name", 0, 0, G_OPTION_ARG_STRING, &o->name,
         "The machine's name in its file (default: the old name with -changed appended)", "NAME"},
        {"doc", 0, 0, G_OPTION_ARG_STRING, &o->doc,
         "Its description in the file, one sentence (default: the old one and the changes)",
         "TEXT"},
        {"keys", 0, 0, G_OPTION_ARG_NONE, &o->keys,
         "List every parameter: unit, default, accepted values and meaning", NULL},
        {"measure", 0, 0, G_OPTION_ARG_NONE, &o->measure,
         "Measure this computer (x86-64, one to two minutes); write its platform file, with the "
         "way each number was obtained",
         NULL},
        {"node", 'n', 0, G_OPTION_ARG_NONE, &o->all,
         "With --measure: also between its processors, and all of them together", NULL},
        {"quick", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &o->quick,
         "With --measure: so little that the test of it ends soon", NULL},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this help", NULL},
        G_OPTION_ENTRY_NULL};
    g_autoptr(GOptionContext) context = g_option_context_new("[MACHINE]");
    g_option_context_set_summary(context, "Lists the machines, or shows one in full, writes its "
                                          "file or measures this computer.");
    g_option_context_set_description(context, explanation);
    if (!cli_options_read(context, entries, "sidewinder machines", &argc, &argv, error))
        return false;
    if (o->help) {
        cli_print_help(context);
        return true;
    }
    o->machine = argv[1];
    const char *wrong = misfit(o);
    if (argc > 2)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "only one machine can be shown; unexpected argument %s (see sidewinder "
                    "machines --help)",
                    argv[2]);
    else if (wrong)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s (see sidewinder machines --help)",
                    wrong);
    return argc <= 2 && !wrong;
}

static int act(const struct options *o)
{
    if (o->help) return CLI_DONE;
    if (o->keys) return list_keys();
    if (o->measure)
        return cli_measure(&(struct cli_measure_options){.all = o->all, .quick = o->quick});
    return o->machine ? show_or_write(o) : list();
}

int cli_machines(int argc, char **argv)
{
    struct options o = {0};
    GError *error = NULL;
    int code = parse(&o, argc, argv, &error) ? act(&o) : fail(error, CLI_USAGE);
    g_free(o.name);
    g_free(o.doc);
    g_strfreev(o.set);
    return code;
}

/* Words of a command line that GOption does not read as other commands do. */
#include "cli/common/options.h"

#include <stdio.h>
#include <string.h>

#ifndef SIDEWINDER_VERSION
#define SIDEWINDER_VERSION "0.1.0" /* the build gives the project's */
#endif

static bool takes_argument(const GOptionEntry *entry) { return entry->arg != G_OPTION_ARG_NONE; }

static const GOptionEntry *short_option(const GOptionEntry *entries, char letter)
{
    for (; entries->long_name; entries++)
        if (entries->short_name == letter) return entries;
    return NULL;
}

/* "--set" with its argument in the next word? */
static bool long_with_next(const GOptionEntry *entries, const char *word)
{
    for (; entries->long_name; entries++)
        if (strcmp(entries->long_name, word + 2) == 0) return takes_argument(entries);
    return false;
}

/* Adds "-qn2" as "-qn" "2"; true: the argument is the next word. */
static bool add_short(const GOptionEntry *entries, const char *word, GPtrArray *words)
{
    for (const char *letter = word + 1; *letter; letter++) {
        const GOptionEntry *entry = short_option(entries, *letter);
        if (!entry) break;
        if (!takes_argument(entry)) continue;
        if (!letter[1]) {
            g_ptr_array_add(words, g_strdup(word));
            return true;
        }
        g_ptr_array_add(words, g_strndup(word, (gsize)(letter + 1 - word)));
        g_ptr_array_add(words, g_strdup(letter + 1));
        return false;
    }
    g_ptr_array_add(words, g_strdup(word));
    return false;
}

/* The words with short options' arguments apart, as GOption wants them. What follows the first word
 * that is no option stays. Free with g_strfreev. */
static char **apart(const GOptionEntry *entries, char **argv)
{
    GPtrArray *words = g_ptr_array_new();
    g_ptr_array_add(words, g_strdup(*argv++));
    while (*argv && (*argv)[0] == '-' && (*argv)[1] && strcmp(*argv, "--") != 0) {
        bool next = false;
        if ((*argv)[1] == '-') {
            g_ptr_array_add(words, g_strdup(*argv));
            next = long_with_next(entries, *argv);
        } else {
            next = add_short(entries, *argv, words);
        }
        argv++;
        if (next && *argv) g_ptr_array_add(words, g_strdup(*argv++));
    }
    for (; *argv; argv++) g_ptr_array_add(words, g_strdup(*argv));
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(words, FALSE);
}

/* "-j2" as "--jobs=2", since GOption knows no other short option's value in the same word. The
 * words stay as many. */
static void join_short(const GOptionEntry *entries, char **argv)
{
    for (char **word = argv + 1; *word && strcmp(*word, "--") != 0; word++) {
        if ((*word)[0] != '-' || !(*word)[1]) continue;
        if ((*word)[1] == '-') {
            if (long_with_next(entries, *word) && word[1]) word++;
            continue;
        }
        const GOptionEntry *entry = short_option(entries, (*word)[1]);
        if (!entry || !takes_argument(entry)) continue;
        if ((*word)[2]) {
            g_autofree char *joined = g_strdup_printf("--%s=%s", entry->long_name, *word + 2);
            *word = (char *)g_intern_string(joined);
        } else if (word[1]) {
            word++;
        }
    }
}

/* "--sett=a": "set" is meant; NULL: nothing is. */
static const char *meant(const GOptionEntry *entries, const char *word)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (; entries->long_name; entries++)
        if (!(entries->flags & G_OPTION_FLAG_HIDDEN))
            g_ptr_array_add(names, (void *)entries->long_name);
    g_autofree char *name =
        g_str_has_prefix(word, "--") ? g_strndup(word + 2, strcspn(word + 2, "=")) : NULL;
    return name ? base_nearest(name, (const char *const *)names->pdata, names->len) : NULL;
}

/* In the words of the other messages; GOption names the option last. */
static void reworded(const GOptionEntry *entries, const char *command, GError *error)
{
    const char *word = strchr(error->message, '-');
    char *text = NULL;
    if (g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) && word) {
        const char *near = meant(entries, word);
        text = g_strdup_printf("unknown option %s%s%s%s (see %s --help)", word,
                               near ? "; did you mean --" : "", near ? near : "", near ? "?" : "",
                               command);
    } else {
        text = g_strdup_printf("%s (see %s --help)", error->message, command);
    }
    g_free(error->message);
    error->message = text;
}

bool cli_options_read(GOptionContext *context, const GOptionEntry *entries, const char *command,
                      int *argc, char ***argv, GError **error)
{
    GError *wrong = NULL;
    g_option_context_add_main_entries(context, entries, NULL);
    /* printed by the command: g_print would ask the locale */
    g_option_context_set_help_enabled(context, FALSE);
    g_set_prgname(command);
    /* of a line with a program, cli_line_read has parted the words */
    if (!g_option_context_get_strict_posix(context)) join_short(entries, *argv);
    if (g_option_context_parse(context, argc, argv, &wrong)) return true;
    reworded(entries, command, wrong);
    g_propagate_error(error, wrong);
    return false;
}

bool cli_line_read(struct cli_line *line, const struct cli_synopsis *synopsis, int *argc,
                   char ***argv, GError **error)
{
    g_autoptr(GOptionContext) context = g_option_context_new("PROGRAM [ARGUMENT...]");
    /* what follows PROGRAM is the program's */
    g_option_context_set_strict_posix(context, TRUE);
    g_option_context_set_summary(context, synopsis->summary);
    g_option_context_set_description(context, synopsis->description);
    line->words = apart(synopsis->entries, *argv);
    *argc = (int)g_strv_length(line->words);
    *argv = line->view = g_memdup2(line->words, sizeof *line->words * ((gsize)*argc + 1));
    if (!cli_options_read(context, synopsis->entries, synopsis->command, argc, argv, error))
        return false;
    if (*synopsis->help) cli_print_help(context);
    if (*argc > 1 && strcmp((*argv)[1], "--") == 0) (*argv)++, (*argc)--;
    return true;
}

void cli_line_clear(struct cli_line *line)
{
    g_strfreev(line->words);
    g_free(line->view);
}

bool cli_whole(const char *option, const char *text, int *value, GError **error)
{
    double number;
    if (!text) return true;
    if (!base_parse(text, BASE_COUNT, 0, &number, error)) {
        g_prefix_error(error, "%s: ", option);
        return false;
    }
    if (number < G_MININT || number > G_MAXINT) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "%s %s: out of range; accepted are whole numbers to %d", option, text,
                    G_MAXINT);
        return false;
    }
    *value = (int)number;
    return true;
}

/* What version.cmake wrote beside the command; "" where nothing is known. Free with g_free. */
static char *commit(void)
{
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = self ? g_path_get_dirname(self) : NULL;
    g_autofree char *file =
        folder ? g_canonicalize_filename("../share/sidewinder/commit", folder) : NULL;
    char *text = NULL;
    if (!file || !g_file_get_contents(file, &text, NULL, NULL)) return g_strdup("");
    return g_strchomp(text);
}

void cli_print_version(void)
{
    g_autofree char *of = commit();
    bool released = !*of || strcmp(of, "v" SIDEWINDER_VERSION) == 0;
    printf("sidewinder " SIDEWINDER_VERSION "%s%s%s\n", released ? "" : " (", released ? "" : of,
           released ? "" : ")");
}

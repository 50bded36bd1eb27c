/* Does the plugin fit the compiler? gcc asks too, but by then the user has an error without a way
 * out. The major version decides here, the plugin's own check the rest (instrument/plugin.cc). */
#include "cli/cc/parts.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The compiler's own answer, without its newline; NULL: it did not start, or did not say. */
static char *version_of(char **compiler)
{
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    for (char **word = compiler; *word; word++) g_ptr_array_add(argv, g_strdup(*word));
    g_ptr_array_add(argv, g_strdup("-dumpversion"));
    char *said = NULL;
    int status = cli_cc_child(argv, &said);
    if (status == 0 && said) return g_strstrip(said);
    g_free(said);
    return NULL;
}

/* Preprocessing, assembling and linking need no plugin. */
static bool compiles(const struct cli_cc_line *line)
{
    if (line->stage != CLI_CC_ASSEMBLE && line->stage != CLI_CC_LINK) return false;
    for (size_t i = 0; i < line->words; i++) {
        const struct cli_cc_word *word = &line->word[i];
        if (word->kind != CLI_CC_SOURCE) continue;
        const char *dot = strrchr(word->text, '.');
        bool assembler = word->language
                             ? g_str_has_prefix(word->language, "assembler")
                             : dot && (strcmp(dot, ".s") == 0 || strcmp(dot, ".S") == 0 ||
                                       strcmp(dot, ".sx") == 0);
        if (!assembler) return true;
    }
    return false;
}

/* What no rank can be: a program of other word length, or one whose library must be loaded before
 * all others. NULL: it can. */
static const char *why_not(const char *option)
{
    static const char sanitize[] = "-fsanitize=";
    if (strcmp(option, "-m32") == 0 || strcmp(option, "-mx32") == 0 || strcmp(option, "-m16") == 0)
        return "simulated programs have 64 bits";
    if (!g_str_has_prefix(option, sanitize)) return NULL;
    g_auto(GStrv) which = g_strsplit(option + strlen(sanitize), ",", 0);
    static const char *const first[] = {"address", "leak", "hwaddress", "memory"};
    for (size_t i = 0; i < G_N_ELEMENTS(first); i++)
        if (g_strv_contains((const char *const *)which, first[i]))
            return "its library cannot be loaded into a simulated rank. 'sidewinder run "
                   "--check-memory' finds overflows and uses after free";
    return NULL;
}

static bool possible(const struct cli_cc_line *line, const char *command)
{
    for (size_t i = 0; i < line->words; i++) {
        const char *why = line->word[i].kind == CLI_CC_OPTION ? why_not(line->word[i].text) : NULL;
        if (!why) continue;
        fprintf(stderr, "sidewinder %s: %s: %s\n", command, line->word[i].text, why);
        return false;
    }
    return true;
}

bool cli_cc_fits(const struct cli_cc_line *line, char **compiler, const char *command)
{
    if (line->stage == CLI_CC_LINK && !possible(line, command)) return false;
    if (!compiles(line)) return true;
    if (!possible(line, command)) return false;
    g_autofree char *path = g_find_program_in_path(compiler[0]);
    if (!path) return true; /* running it says what is wrong */
    g_autofree char *version = version_of(compiler);
    size_t major = version ? strcspn(version, ".") : 0;
    if (major == strlen(SIDEWINDER_GCC) && strncmp(version, SIDEWINDER_GCC, major) == 0)
        return true;
    g_autofree char *name = g_strjoinv(" ", compiler);
    fprintf(stderr,
            "sidewinder %s: %s is version %s, and the plugin that instruments loads and stores was "
            "built for gcc %s. Name that gcc (SIDEWINDER_CC, SIDEWINDER_CXX, SIDEWINDER_FC), or "
            "build Sidewinder again with the compiler you want\n",
            command, name, version ? version : "unknown", SIDEWINDER_GCC);
    return false;
}

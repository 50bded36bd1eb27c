/* Continuation lines of Fortran (Fortran 2018 6.3.2.4, 6.3.3.3). Which form a file has, gfortran's
 * options left aside, its suffix says.
 *
 * Left out: a character constant that goes on in the next line and has an exclamation mark. */
#include "report/source/statement.h"

#include "base/base.h"

#include <string.h>

static GHashTable *files; /* path -> char **, its lines */

void report_source_statements_clear(void) { g_clear_pointer(&files, g_hash_table_unref); }

static char **lines_of(const char *file)
{
    if (!files)
        files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_strfreev);
    char **lines = g_hash_table_lookup(files, file);
    if (lines) return lines;
    g_autofree char *text = NULL;
    if (!g_file_get_contents(file, &text, NULL, NULL)) text = g_strdup("");
    lines = g_strsplit(text, "\n", -1);
    g_hash_table_insert(files, g_strdup(file), lines);
    return lines;
}

static bool is_fixed(const char *file)
{
    const char *suffix = strrchr(file, '.');
    static const char *const fixed[] = {".f", ".for", ".ftn", ".fpp", ".f77"};
    for (size_t i = 0; suffix && i < G_N_ELEMENTS(fixed); i++)
        if (g_ascii_strcasecmp(suffix, fixed[i]) == 0) return true;
    return false;
}

/* Nothing of a statement is in it. */
static bool is_comment(const char *line, bool fixed)
{
    if (*line == '#' || (fixed && *line && strchr("cC*dD", *line))) return true;
    line += strspn(line, " \t\r");
    return *line == '\0' || *line == '!';
}

/* Free form: does the statement go on in the next line? */
static bool goes_on(const char *line)
{
    char quote = '\0', last = '\0';
    for (; *line && (quote || *line != '!'); line++) {
        if (quote ? *line == quote : *line == '\'' || *line == '"') quote = quote ? '\0' : *line;
        if (!g_ascii_isspace(*line)) last = *line;
    }
    return last == '&';
}

/* Fixed form: does it go on with the statement of the line before? */
static bool continues(const char *line)
{
    if (*line == '\t') return line[1] >= '1' && line[1] <= '9';
    return strspn(line, " ") == 5 && line[5] && line[5] != '0' && line[5] != '\t';
}

int report_source_statement(const char *file, int line)
{
    char **text = lines_of(file);
    const bool fixed = is_fixed(file);
    if (line < 1 || (guint)line > g_strv_length(text)) return line;
    int first = line;
    for (int before = line - 1; before > 0; before--) {
        if (fixed && !continues(text[first - 1])) break;
        if (is_comment(text[before - 1], fixed)) continue;
        if (!fixed && !goes_on(text[before - 1])) break;
        first = before;
    }
    return first;
}

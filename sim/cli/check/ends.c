/* What a table of errors does not show: code that was not checked, and a program that failed, so
 * that there was little to check.
 */
#include "cli/check/column.h"

#include "report/print/print.h"

#include <stdio.h>

enum { NAMED = 3, SHOWN = 500 };

static void print_unseen(JsonArray *objects)
{
    const guint n = json_array_get_length(objects);
    g_autoptr(GString) text = g_string_new("Not checked: accesses of ");
    if (n == 0) return;
    for (guint i = 0; i < MIN(n, NAMED); i++)
        g_string_append_printf(text, "%s%s", i ? ", " : "",
                               json_array_get_string_element(objects, i));
    if (n > NAMED) g_string_append_printf(text, " and %u more", n - NAMED);
    g_string_append(text, ", which sidewinder cc did not compile.");
    putchar('\n');
    report_wrap(stdout, 2, 0, text->str);
}

/* Status of the program itself; 0 where a deadlock ended it. */
static int status_of(const struct cli_check_column *c)
{
    JsonObject *run = cli_check_root(c);
    return g_strcmp0(cli_check_word(run, "end"), "deadlock") == 0
               ? 0
               : (int)json_object_get_int_member(run, "exit_code");
}

int cli_check_ends(const struct cli_check_column *column, int columns)
{
    int failed = 0, ran = 0;
    for (int i = 0; i < columns; i++) {
        const struct cli_check_column *c = &column[i];
        if (!c->parser) continue;
        if (ran++ == 0) print_unseen(cli_check_list(c, "uninstrumented"));
        const int status = status_of(c);
        if (status == 0) continue;
        failed++;
        printf("\n%s: the program ended with exit status %d%s%.*s\n", c->name, status,
               *c->why ? ". It printed:\n" : ".", SHOWN, c->why);
    }
    return failed;
}

/* What a change does, in words: the time, the loads of old values, the output, the end. */
#include "cli/compare/parts.h"

#include "cli/value/value.h"
#include "report/print/print.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum { AS_IT_IS, CHANGED };
enum { LINES_SHOWN = 5 };

static JsonNode *first(JsonNode *root, const char *path)
{
    g_autoptr(GPtrArray) found = cli_value_find(root, path, NULL);
    return found && found->len ? json_node_copy(found->pdata[0]) : NULL;
}

static double number(JsonNode *root, const char *path)
{
    g_autoptr(JsonNode) node = first(root, path);
    double value = 0;
    if (node) cli_value_number(node, &value);
    return value;
}

static char *text(JsonNode *root, const char *path)
{
    g_autoptr(JsonNode) node = first(root, path);
    return node ? cli_value_text(node) : g_strdup("?");
}

static void show_time(JsonNode *const *root)
{
    double before_s = number(root[AS_IT_IS], "time_s"), after_s = number(root[CHANGED], "time_s"),
           ratio = before_s > 0 ? after_s / before_s : 1;
    g_autofree char *before = report_time(before_s), *after = report_time(after_s);
    if (before_s == after_s)
        printf("It would take the same time: %s.\n", before);
    else if (ratio > 2)
        printf("It would take %.2f times as long: %s instead of %s.\n", ratio, after, before);
    else
        printf("It would take %.2g %% %s time: %s instead of %s.\n",
               100 * (ratio > 1 ? ratio - 1 : 1 - ratio), ratio > 1 ? "more" : "less", after,
               before);
}

static double stale_loads(JsonNode *root) { return cli_value_sum(root, "rank[*].stale_loads"); }

static void show_stale(JsonNode *const *root)
{
    double before = stale_loads(root[AS_IT_IS]), after = stale_loads(root[CHANGED]);
    if (before == after) {
        if (before == 0)
            printf("No load would be stale, as now.\n");
        else
            printf("As many loads would be stale: %.0f.\n", before);
        return;
    }
    g_autofree char *now = before == 0 ? g_strdup("none") : g_strdup_printf("%.0f", before);
    if (after == 0)
        printf("No load");
    else
        printf("%.0f load%s", after, after == 1 ? "" : "s");
    printf(" would be stale, instead of %s.\n", now);
    JsonNode *at = after > before ? root[CHANGED] : root[AS_IT_IS];
    g_autofree char *load = text(at, "stale[0].load_at"), *rank = text(at, "stale[0].rank"),
                    *call = text(at, "stale[0].writer.call");
    g_autofree char *call_at = text(at, "stale[0].writer.at"),
                    *writer = text(at, "stale[0].writer.rank");
    printf(
        "  The first %s: rank %s, at %s; memory already held what rank %s wrote with %s at %s.\n",
        after > before ? "one" : "one now", rank, load, writer, call, call_at);
}

static void show_rules(JsonNode *const *root)
{
    g_autoptr(GPtrArray) before = cli_value_find(root[AS_IT_IS], "violations[*].rule", NULL),
                         after = cli_value_find(root[CHANGED], "violations[*].rule", NULL);
    guint n = before ? before->len : 0, m = after ? after->len : 0;
    if (n != m)
        printf("%u violation%s would be reported, instead of %u.\n", m, m == 1 ? "" : "s", n);
}

static void show_printed(char *const *printed)
{
    if (strcmp(printed[AS_IT_IS], printed[CHANGED]) == 0) {
        printf("It would print the same output.\n");
        return;
    }
    g_auto(GStrv) before = g_strsplit(printed[AS_IT_IS], "\n", -1),
                  after = g_strsplit(printed[CHANGED], "\n", -1);
    guint n = g_strv_length(before), m = g_strv_length(after), different = 0;
    printf("Its output would differ:\n");
    for (guint i = 0; i < MAX(n, m); i++) {
        const char *was = i < n ? before[i] : "", *is = i < m ? after[i] : "";
        if (strcmp(was, is) == 0 || ++different > LINES_SHOWN) continue;
        printf("  line %u   now       %s\n", i + 1, was);
        printf("  %*s   changed   %s\n", (int)(5 + (i + 1 > 9 ? 2 : 1)), "", is);
    }
    if (different > LINES_SHOWN) printf("  ... and %u more lines\n", different - LINES_SHOWN);
}

static const char *end_in_words(const char *end)
{
    return strcmp(end, "deadlock") == 0      ? "in a deadlock"
           : strcmp(end, "aborted") == 0     ? "early"
           : strcmp(end, "interrupted") == 0 ? "by a signal"
                                             : "normally";
}

/* A deadlock is not part of the output. */
static void show_end(JsonNode *const *root)
{
    g_autofree char *before = text(root[AS_IT_IS], "end"), *after = text(root[CHANGED], "end");
    if (strcmp(before, "ended") == 0 && strcmp(after, "ended") == 0) return;
    printf("It would end %s; as it is: %s.\n", end_in_words(after), end_in_words(before));
}

static void show_exit(const int *status)
{
    int before = WEXITSTATUS(status[AS_IT_IS]), after = WEXITSTATUS(status[CHANGED]);
    if (before != after || before)
        printf("Its exit code would be %d; as it is: %d.\n", after, before);
}

void cli_compare_differences(JsonNode *const *root, char *const *printed, const int *status)
{
    show_time(root);
    show_stale(root);
    show_rules(root);
    show_printed(printed);
    show_end(root);
    show_exit(status);
}

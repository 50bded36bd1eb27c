/* One point of a sweep: `sidewinder run`, and what is measured of it. */
#include "cli/common/common.h"
#include "cli/common/child.h"
#include "cli/sweep/parts.h"

#include <stdio.h>
#include <string.h>

enum { TAIL_LINES = 12 }; /* of what a failed point printed */

/* ---- what came out --------------------------------------------------------------------------- */

static char *tail_of(const char *text)
{
    const char *from = text + strlen(text);
    while (from > text && from[-1] == '\n') from--;
    gsize end = (gsize)(from - text);
    for (int lines = 0; from > text; from--)
        if (from[-1] == '\n' && ++lines == TAIL_LINES) break;
    return g_strndup(from, end - (gsize)(from - text));
}

static bool wants_json(const struct cli_sweep *s)
{
    bool wants = false;
    for (int i = 0; s->measure[i]; i++) wants = wants || cli_measure_reads_json(s->measure[i]);
    return wants;
}

static void fail(struct cli_record *record, char *reason, const char *out, const char *err)
{
    record->failed = true;
    record->reason = reason;
    g_strfreev(record->value);
    record->value = NULL;
    g_autofree char *printed = g_strconcat(out, err, NULL);
    record->detail = tail_of(*err ? err : printed);
}

static void measure(const struct cli_sweep *s, const char *json, const char *out, const char *err,
                    struct cli_record *record)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(GError) why = NULL;
    g_autofree char *printed = g_strconcat(out, err, NULL);
    record->value = g_new0(char *, g_strv_length(s->e->column) + 1);
    if (wants_json(s) && !json_parser_load_from_file(parser, json, &why)) {
        fail(record, g_strdup("the run's JSON cannot be read"), out, why->message);
        return;
    }
    for (int i = 0; s->measure[i]; i++) {
        record->value[i] =
            cli_measure_take(s->measure[i], json_parser_get_root(parser), printed, &why);
        if (record->value[i]) continue;
        fail(record, g_strdup_printf("%s: %s", s->e->column[i], why->message), printed, "");
        return;
    }
}

static void judge(const struct cli_sweep *s, int status, const char *folder,
                  struct cli_record *record)
{
    g_autofree char *out_file = g_build_filename(folder, "out", NULL),
                    *err_file = g_build_filename(folder, "err", NULL);
    g_autofree char *json = g_build_filename(folder, "json", NULL);
    g_autofree char *out = cli_child_printed(out_file), *err = cli_child_printed(err_file);
    if (status != 0)
        fail(record, cli_child_failed(status), out, err);
    else
        measure(s, json, out, err, record);
}

/* ---- the point ------------------------------------------------------------------------------- */

static int run_in(const struct cli_sweep *s, const struct cli_point *p, const char *folder)
{
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    g_autofree char *json = g_build_filename(folder, "json", NULL);
    g_autofree char *out = g_build_filename(folder, "out", NULL),
                    *err = g_build_filename(folder, "err", NULL);
    g_ptr_array_add(argv, s->self);
    g_ptr_array_add(argv, p->command[1]);
    if (wants_json(s)) {
        g_ptr_array_add(argv, (char *)"--json");
        g_ptr_array_add(argv, json);
    }
    for (char **word = p->command + 2; *word; word++) g_ptr_array_add(argv, *word);
    g_ptr_array_add(argv, NULL);
    return cli_child_run_quietly((char **)argv->pdata, folder, out, err);
}

int cli_sweep_point(struct cli_sweep *s, struct cli_point *p)
{
    g_autoptr(GError) error = NULL;
    struct cli_record *before = cli_record_read(s, p);
    bool done = before && !before->failed;
    cli_record_free(before);
    if (done) return CLI_DONE;
    g_autofree char *folder = cli_journal_begin(s, &error);
    if (!folder) {
        fprintf(stderr, "sidewinder sweep: %s\n", error->message);
        return CLI_FAILED;
    }
    int status = run_in(s, p, folder);
    struct cli_record record = {0};
    int stopped = cli_child_stopped(status);
    if (!stopped) judge(s, status, folder, &record);
    if (!stopped && !cli_record_write(s, p, &record, &error))
        fprintf(stderr, "sidewinder sweep: %s\n", error->message);
    cli_child_remove(folder);
    g_free(record.reason);
    g_free(record.detail);
    g_strfreev(record.value);
    /* as a wait status it means: killed by that signal */
    if (stopped) return cli_child_end(stopped);
    return record.failed || error ? CLI_FAILED : CLI_DONE;
}

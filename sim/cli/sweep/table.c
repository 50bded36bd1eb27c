/* data.csv, and the report of failed points. */
#include "cli/common/common.h"
#include "cli/sweep/parts.h"

#include "mach/mach.h"

#include <stdio.h>
#include <string.h>

enum { PRINTED_MAX = 10 }; /* failed points whose output is shown */

/* ---- rows ------------------------------------------------------------------------------------ */

/* RFC 4180: quotes around what has commas, quotes or line ends. */
static void add_cell(GString *out, const char *text, bool first)
{
    if (!first) g_string_append_c(out, ',');
    if (!strpbrk(text, ",\"\r\n")) {
        g_string_append(out, text);
        return;
    }
    g_string_append_c(out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"') g_string_append_c(out, '"');
        g_string_append_c(out, *c);
    }
    g_string_append_c(out, '"');
}

static const char no_record[] = "ended without a record";

static void add_row(const struct cli_sweep *s, const struct cli_point *p,
                    const struct cli_record *record, bool any_failed, GString *out)
{
    for (int i = 0; i < s->e->axes; i++) add_cell(out, cli_point_value(s->e, p->at, i), i == 0);
    bool failed = !record || record->failed;
    for (int i = 0; s->e->column[i]; i++) add_cell(out, failed ? "" : record->value[i], false);
    if (any_failed) add_cell(out, !record ? no_record : failed ? record->reason : "", false);
    g_string_append_c(out, '\n');
}

static void add_names(const struct cli_sweep *s, bool any_failed, GString *out)
{
    for (int i = 0; i < s->e->axes; i++) add_cell(out, s->e->axis[i].name, i == 0);
    for (int i = 0; s->e->column[i]; i++) add_cell(out, s->e->column[i], false);
    g_string_append(out, any_failed ? ",failed\n" : "\n");
}

/* ---- the head -------------------------------------------------------------------------------- */

/* A line of the head, whatever names it holds. */
static void add_remark(GString *out, const char *text)
{
    g_autofree char *line = g_utf8_make_valid(text, -1);
    g_string_append_printf(out, "# %s\n", g_strdelimit(line, "\r\n", ' '));
}

static void add_head(const struct cli_sweep *s, char **words, GString *out)
{
    const struct cli_axis *machine = &s->e->axis[CLI_AXIS_MACHINE];
    g_autofree char *command = cli_words("", words),
                    *there = g_strconcat(command, "    (in this folder)", NULL);
    add_remark(out, s->e->title);
    add_remark(out, "sidewinder " SIDEWINDER_VERSION);
    add_remark(out, there);
    for (int i = 0; i < machine->values; i++) {
        struct mach *m;
        /* it was read when the points were planned */
        if (!mach_load(s->e->machine[i], NULL, 0, &m, NULL)) continue;
        g_autofree char *digest = mach_digest(m);
        g_autofree char *of = g_strdup_printf("machine %s: sha256 %s", machine->value[i], digest);
        add_remark(out, of);
        mach_free(m);
    }
}

char *cli_sweep_table(const struct cli_sweep *s, char **command, int *failed)
{
    GString *out = g_string_new(NULL);
    g_autoptr(GPtrArray) record = g_ptr_array_new_with_free_func((GDestroyNotify)cli_record_free);
    *failed = 0;
    for (guint i = 0; i < s->chosen->len; i++) {
        struct cli_record *r = cli_record_read(s, s->chosen->pdata[i]);
        g_ptr_array_add(record, r);
        *failed += !r || r->failed;
    }
    add_head(s, command, out);
    add_names(s, *failed > 0, out);
    for (guint i = 0; i < s->chosen->len; i++)
        add_row(s, s->chosen->pdata[i], record->pdata[i], *failed > 0, out);
    return g_string_free(out, FALSE);
}

/* ---- failures -------------------------------------------------------------------------------- */

static void show(const struct cli_sweep *s, const struct cli_point *p, const struct cli_record *r,
                 bool printed)
{
    g_autofree char *name = cli_point_name(s->e, p->at), *command = cli_words("", p->command);
    g_autofree char *cd = cli_words("cd", (char *[]){s->e->folder, NULL});
    fprintf(stderr, "sidewinder sweep: point %d failed (%s): %s\n  %s && %s\n", p->number, name,
            r ? r->reason : no_record, cd, command);
    g_auto(GStrv) lines = g_strsplit(r && r->detail && printed ? r->detail : "", "\n", -1);
    for (char **line = lines; *line; line++) fprintf(stderr, "  | %s\n", *line);
}

void cli_sweep_show_failed(const struct cli_sweep *s)
{
    int shown = 0;
    for (guint i = 0; i < s->chosen->len; i++) {
        struct cli_record *r = cli_record_read(s, s->chosen->pdata[i]);
        if (!r || r->failed) show(s, s->chosen->pdata[i], r, shown++ < PRINTED_MAX);
        cli_record_free(r);
    }
}

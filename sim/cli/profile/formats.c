/* The profile for other viewers: callgrind's format (Valgrind's manual, "Callgrind Format
 * Specification") and speedscope's (its file-format-schema.json). Times are whole nanoseconds,
 * rounded so that their sum is the rounded sum. */
#include "cli/profile/parts.h"

#include <math.h>
#include <string.h>

/* The part of a running sum that one more value is; a rest below nothing is nothing. */
static int64_t step(double *sum_s, double s)
{
    int64_t before = llround(*sum_s * 1e9);
    *sum_s += fmax(s, 0);
    return llround(*sum_s * 1e9) - before;
}

/* What a line's times are, in order. */
enum { KINDS = 4 };
static const char *const kind_name[KINDS] = {"compute", "stall", "wait", "service"};
static double kind_of(const struct cli_profile_cost *c, int kind)
{
    const double parts[KINDS] = {c->compute_s, cli_profile_stall(c), c->wait_s, c->service_s};
    return parts[kind];
}

void cli_profile_callgrind(const struct cli_profile *p, FILE *out)
{
    fprintf(out,
            "# callgrind format\nversion: 1\ncreator: sidewinder %s\ncmd: %s (%d ranks on %s)\n"
            "positions: line\n"
            "events: ns compute stall wait service loads stores",
            p->version, p->program, p->ranks, p->machine);
    for (int level = 0; level < p->levels; level++) fprintf(out, " l%dmiss", level + 1);
    fputs(" stale\n", out);
    double sum_s[KINDS] = {0};
    for (guint i = 0; i < p->line->len; i++) {
        const struct cli_profile_row *row = &g_array_index(p->line, struct cli_profile_row, i);
        const struct cli_profile_cost *c = &row->cost;
        fprintf(out, "\nfl=%s\nfn=%s\n%d", *row->path ? row->path : "???", row->function,
                row->line);
        int64_t ns[KINDS], all = 0;
        for (int kind = 0; kind < KINDS; kind++)
            all += ns[kind] = step(&sum_s[kind], kind_of(c, kind));
        fprintf(out, " %" G_GINT64_FORMAT, all);
        for (int kind = 0; kind < KINDS; kind++) fprintf(out, " %" G_GINT64_FORMAT, ns[kind]);
        fprintf(out, " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, c->loads, c->stores);
        for (int level = 0; level < p->levels; level++)
            fprintf(out, " %" G_GUINT64_FORMAT, c->missed[level]);
        fprintf(out, " %" G_GUINT64_FORMAT "\n", c->stale);
    }
}

/* ---- speedscope ------------------------------------------------------------------------------ */

static void json_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') putc('\\', out);
        if ((unsigned char)*text < ' ')
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            putc(*text, out);
    }
    putc('"', out);
}

/* Frames: the kinds, then each line's function and place. */
static void frames(const struct cli_profile *p, FILE *out)
{
    for (int kind = 0; kind < KINDS; kind++)
        fprintf(out, "%s{\"name\":\"%s\"}", kind ? "," : "", kind_name[kind]);
    for (guint i = 0; i < p->line->len; i++) {
        const struct cli_profile_row *row = &g_array_index(p->line, struct cli_profile_row, i);
        g_autofree char *at = g_strdup_printf("%s:%d", row->file, row->line);
        fputs(",\n{\"name\":", out);
        json_text(out, row->function);
        fputs(",\"file\":", out);
        json_text(out, row->path);
        fputs("},{\"name\":", out);
        json_text(out, at);
        fputs(",\"file\":", out);
        json_text(out, row->path);
        fprintf(out, ",\"line\":%d}", row->line);
    }
}

void cli_profile_speedscope(const struct cli_profile *p, FILE *out)
{
    g_autoptr(GString) samples = g_string_new(NULL), weights = g_string_new(NULL);
    GHashTable *frame_of = g_hash_table_new(g_str_hash, g_str_equal);
    double sum_s = 0;
    for (guint i = 0; i < p->line->len; i++) {
        const struct cli_profile_row *row = &g_array_index(p->line, struct cli_profile_row, i);
        if (!g_hash_table_contains(frame_of, row->function))
            g_hash_table_insert(frame_of, (void *)row->function, GUINT_TO_POINTER(KINDS + 2 * i));
        guint function = GPOINTER_TO_UINT(g_hash_table_lookup(frame_of, row->function));
        for (int kind = 0; kind < KINDS; kind++) {
            int64_t ns = step(&sum_s, kind_of(&row->cost, kind));
            const char *comma = samples->len ? "," : "";
            if (ns == 0) continue;
            g_string_append_printf(samples, "%s[%u,%u,%d]", comma, function, KINDS + 2 * i + 1,
                                   kind);
            g_string_append_printf(weights, "%s%" G_GINT64_FORMAT, comma, ns);
        }
    }
    g_hash_table_unref(frame_of);
    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"exporter\":"
          "\"sidewinder\",\"shared\":{\"frames\":[",
          out);
    frames(p, out);
    fputs("]},\n\"profiles\":[{\"type\":\"sampled\",\"name\":", out);
    json_text(out, p->program);
    fprintf(out,
            ",\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":%lld,\n\"samples\":[%s],\n"
            "\"weights\":[%s]}]}\n",
            llround(sum_s * 1e9), samples->str, weights->str);
}

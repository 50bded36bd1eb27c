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

/* What all events sum to: lines only, and what they call is in others'. */
static void write_totals(const struct cli_profile *p, const double *sum_s, FILE *out)
{
    struct cli_profile_cost all = {0};
    int64_t ns = 0;
    for (guint i = 0; i < p->line->len; i++) {
        const struct cli_profile_cost *c = &g_array_index(p->line, struct cli_profile_row, i).cost;
        all.loads += c->loads;
        all.stores += c->stores;
        all.stale += c->stale;
        for (int level = 0; level < p->levels; level++) all.missed[level] += c->missed[level];
    }
    for (int kind = 0; kind < KINDS; kind++) ns += llround(sum_s[kind] * 1e9);
    fprintf(out, "\ntotals: %" G_GINT64_FORMAT, ns);
    for (int kind = 0; kind < KINDS; kind++) fprintf(out, " %lld", llround(sum_s[kind] * 1e9));
    fprintf(out, " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, all.loads, all.stores);
    for (int level = 0; level < p->levels; level++)
        fprintf(out, " %" G_GUINT64_FORMAT, all.missed[level]);
    fprintf(out, " %" G_GUINT64_FORMAT "\n", all.stale);
}

/* How often each was called; one that was put in line nobody called, but it called others. */
static uint64_t *call_counts(const struct cli_profile *p)
{
    uint64_t *count = g_new0(uint64_t, p->chain->len + 1);
    for (guint i = p->chain->len; i-- > 1;) {
        const struct cli_profile_chain *c = &g_array_index(p->chain, struct cli_profile_chain, i);
        const bool into = g_array_index(p->chain, struct cli_profile_chain, c->parent).in_line;
        count[i] += c->count;
        if (into) count[c->parent] += count[i];
    }
    return count;
}

/* The calls of functions by functions: what each cost with what it called. Costs by line are with
 * the functions; a chain knows none of its loads, stores and stale loads. */
static void write_calls(const struct cli_profile *p, FILE *out)
{
    g_autoptr(GArray) cost = cli_profile_inclusive(p);
    g_autofree uint64_t *count = call_counts(p);
    for (guint i = 1; i < p->chain->len; i++) {
        const struct cli_profile_chain *to = &g_array_index(p->chain, struct cli_profile_chain, i),
                                       *from = &g_array_index(p->chain, struct cli_profile_chain,
                                                              to->parent);
        const struct cli_profile_cost *c = &g_array_index(cost, struct cli_profile_cost, i);
        if (to->call || from->call) continue;
        fprintf(out, "\nfl=%s\nfn=%s\ncfi=%s\ncfn=%s\ncalls=%" G_GUINT64_FORMAT " %d\n%d",
                *from->path ? from->path : "???", from->function, *to->path ? to->path : "???",
                to->function, count[i], to->line, to->at ? to->at : from->line);
        int64_t ns[KINDS], all = 0;
        for (int kind = 0; kind < KINDS; kind++) all += ns[kind] = llround(kind_of(c, kind) * 1e9);
        fprintf(out, " %" G_GINT64_FORMAT, all);
        for (int kind = 0; kind < KINDS; kind++) fprintf(out, " %" G_GINT64_FORMAT, ns[kind]);
        fputs(" 0 0", out);
        for (int level = 0; level < p->levels; level++)
            fprintf(out, " %" G_GUINT64_FORMAT, c->missed[level]);
        fputs(" 0\n", out);
    }
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
    write_calls(p, out);
    write_totals(p, sum_s, out);
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

/* Frames: the kinds, then each line's function and place, then each chain's function. */
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
    for (guint i = 0; i < p->chain->len; i++) {
        const struct cli_profile_chain *row = &g_array_index(p->chain, struct cli_profile_chain, i);
        fputs(",\n{\"name\":", out);
        json_text(out, row->function);
        fputs(",\"file\":", out);
        json_text(out, row->path);
        fprintf(out, ",\"line\":%d}", row->line);
    }
}

struct samples {
    GString *stack, *weight;
    double sum_s;
};

/* A sample of each kind of time that there is, in that stack of frames. */
static void sample(struct samples *s, const char *stack, const struct cli_profile_cost *cost)
{
    for (int kind = 0; kind < KINDS; kind++) {
        int64_t ns = step(&s->sum_s, kind_of(cost, kind));
        const char *comma = s->stack->len ? "," : "";
        if (ns == 0) continue;
        g_string_append_printf(s->stack, "%s[%s,%d]", comma, stack, kind);
        g_string_append_printf(s->weight, "%s%" G_GINT64_FORMAT, comma, ns);
    }
}

static void sample_lines(const struct cli_profile *p, struct samples *s)
{
    GHashTable *frame_of = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < p->line->len; i++) {
        const struct cli_profile_row *row = &g_array_index(p->line, struct cli_profile_row, i);
        if (!g_hash_table_contains(frame_of, row->function))
            g_hash_table_insert(frame_of, (void *)row->function, GUINT_TO_POINTER(KINDS + 2 * i));
        guint function = GPOINTER_TO_UINT(g_hash_table_lookup(frame_of, row->function));
        g_autofree char *stack = g_strdup_printf("%u,%u", function, KINDS + 2 * i + 1);
        sample(s, stack, &row->cost);
    }
    g_hash_table_unref(frame_of);
}

/* The stack of a chain is that of its caller and its function, whose frame is that of the first
 * chain with it. */
static void sample_chains(const struct cli_profile *p, struct samples *s)
{
    GHashTable *frame_of = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GPtrArray) stack = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < p->chain->len; i++) {
        const struct cli_profile_chain *row = &g_array_index(p->chain, struct cli_profile_chain, i);
        g_autofree char *name = g_strdup_printf("%s %s", row->function, row->path);
        const char *key = g_intern_string(name);
        if (!g_hash_table_contains(frame_of, key))
            g_hash_table_insert(frame_of, (void *)key,
                                GUINT_TO_POINTER(KINDS + 2 * p->line->len + i));
        guint frame = GPOINTER_TO_UINT(g_hash_table_lookup(frame_of, key));
        g_ptr_array_add(
            stack, i == 0 ? g_strdup_printf("%u", frame)
                          : g_strdup_printf("%s,%u", (char *)stack->pdata[row->parent], frame));
        sample(s, stack->pdata[i], &row->cost);
    }
    g_hash_table_unref(frame_of);
}

static void write_samples(const struct cli_profile *p, const char *what, struct samples *s,
                          FILE *out)
{
    g_autofree char *name = g_strdup_printf("%s, %s", p->program, what);
    fputs("{\"type\":\"sampled\",\"name\":", out);
    json_text(out, name);
    fprintf(out,
            ",\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":%lld,\n\"samples\":[%s],\n"
            "\"weights\":[%s]}",
            llround(s->sum_s * 1e9), s->stack->str, s->weight->str);
    g_string_free(s->stack, TRUE);
    g_string_free(s->weight, TRUE);
}

void cli_profile_speedscope(const struct cli_profile *p, FILE *out)
{
    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"exporter\":"
          "\"sidewinder\",\"shared\":{\"frames\":[",
          out);
    frames(p, out);
    fputs("]},\n\"profiles\":[", out);
    struct samples chains = {g_string_new(NULL), g_string_new(NULL), 0},
                   lines = {g_string_new(NULL), g_string_new(NULL), 0};
    sample_chains(p, &chains);
    sample_lines(p, &lines);
    write_samples(p, "by call", &chains, out);
    fputs(",\n", out);
    write_samples(p, "by line", &lines, out);
    fputs("]}\n", out);
}

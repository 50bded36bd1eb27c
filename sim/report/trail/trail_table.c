/* The trails of all operations of a trace, one a line, and the means of each kind: when it was
 * called, then how long each step took after the one before it. Lines are read one by one, so a
 * trace may be larger than memory. */
#include "report/print/print.h"
#include "report/trail/trail.h"
#include "trace/trace.h"

enum {
    NUMBER_WIDTH = 7,
    KIND_WIDTH = 14,
    CALL_WIDTH = 18,
    PLACE_WIDTH = 18,
    CARRIER_WIDTH = 10,
    TIME_WIDTH = 10
};

struct sum {
    uint64_t count, bytes, reached[OP_STEPS];
    double step_s[OP_STEPS], whole_s;
};

/* Widths are in characters: "µ" is two bytes. */
static void right(FILE *out, int width, const char *text)
{
    int blanks = width - (int)g_utf8_strlen(text, -1);
    fprintf(out, " %*s%s", MAX(blanks, 0), "", text);
}

static void left(FILE *out, int width, const char *text)
{
    int blanks = width - (int)g_utf8_strlen(text, -1);
    fprintf(out, "  %s%*s", text, MAX(blanks, 0), "");
}

static void right_number(FILE *out, int width, uint64_t value)
{
    g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, (guint64)value);
    right(out, width, text);
}

static void print_head(FILE *out)
{
    right(out, NUMBER_WIDTH, "number"), left(out, KIND_WIDTH, "operation"), right(out, 6, "origin"),
        right(out, 6, "target");
    right(out, 9, "bytes"), left(out, CALL_WIDTH, "call"), left(out, PLACE_WIDTH, "at"),
        left(out, CARRIER_WIDTH, "carrier");
    for (int step = 0; step < OP_STEPS; step++)
        right(out, TIME_WIDTH, op_step_name((enum op_step)step));
    right(out, TIME_WIDTH, "total");
    putc('\n', out);
}

static void print_delta(FILE *out, bool reached, double delta_s)
{
    g_autofree char *time = reached ? report_time(delta_s) : NULL;
    g_autofree char *text = reached ? g_strconcat("+", time, NULL) : g_strdup("-");
    right(out, TIME_WIDTH, text);
}

static void print_trail(FILE *out, const struct trace_record *record)
{
    const struct op_trail *trail = &record->trail;
    g_autofree char *called = report_time(trail->at_s[OP_CALLED]);
    right_number(out, NUMBER_WIDTH, record->number),
        left(out, KIND_WIDTH, op_kind_name(trail->kind));
    right_number(out, 6, trail->origin), right_number(out, 6, trail->target),
        right_number(out, 9, trail->bytes);
    left(out, CALL_WIDTH, trail->call), left(out, PLACE_WIDTH, record->at ? record->at : "?"),
        left(out, CARRIER_WIDTH, trail->carrier);
    right(out, TIME_WIDTH, called);
    double last_s = trail->at_s[OP_CALLED];
    for (int step = OP_CALLED + 1; step < OP_STEPS; step++) {
        bool reached = trail->at_s[step] >= 0;
        print_delta(out, reached, trail->at_s[step] - last_s);
        if (reached) last_s = trail->at_s[step];
    }
    g_autofree char *whole = report_time(last_s - trail->at_s[OP_CALLED]);
    right(out, TIME_WIDTH, whole);
    putc('\n', out);
}

static void add(struct sum *sum, const struct op_trail *trail)
{
    double last_s = trail->at_s[OP_CALLED];
    sum->count++;
    sum->bytes += trail->bytes;
    for (int step = OP_CALLED + 1; step < OP_STEPS; step++) {
        if (trail->at_s[step] < 0) continue;
        sum->reached[step]++;
        sum->step_s[step] += trail->at_s[step] - last_s;
        last_s = trail->at_s[step];
    }
    sum->whole_s += last_s - trail->at_s[OP_CALLED];
}

static void print_means(FILE *out, const struct sum *sum)
{
    for (int kind = 0; kind < OP_KINDS; kind++) {
        const struct sum *s = &sum[kind];
        if (s->count == 0) continue;
        g_autofree char *count = g_strdup_printf("mean of %" G_GUINT64_FORMAT, (guint64)s->count);
        g_autofree char *bytes = g_strdup_printf("%.0f", (double)s->bytes / (double)s->count);
        g_autofree char *whole = report_time(s->whole_s / (double)s->count);
        right(out, NUMBER_WIDTH, ""), left(out, KIND_WIDTH, op_kind_name((enum op_kind)kind)),
            right(out, 6, ""), right(out, 6, "");
        right(out, 9, bytes), left(out, CALL_WIDTH, count), left(out, PLACE_WIDTH, ""),
            left(out, CARRIER_WIDTH, "");
        right(out, TIME_WIDTH, "");
        for (int step = OP_CALLED + 1; step < OP_STEPS; step++)
            print_delta(out, s->reached[step] > 0,
                        s->step_s[step] / (double)MAX(s->reached[step], 1));
        right(out, TIME_WIDTH, whole);
        putc('\n', out);
    }
}

bool report_trail_table(FILE *in, const char *name, long first, FILE *out, GError **error)
{
    struct trace_reader *reader = trace_reader_new(in, name, error);
    if (!reader) return false;
    struct sum sum[OP_KINDS] = {{0}};
    struct trace_record record;
    uint64_t operations = 0;
    bool good;
    print_head(out);
    while ((good = trace_reader_next(reader, &record, error)) && record.kind != TRACE_RECORD_END) {
        if (record.kind != TRACE_RECORD_OPERATION) continue;
        operations = record.number;
        if (first < 0 || operations <= (uint64_t)first) print_trail(out, &record);
        add(&sum[record.trail.kind], &record.trail);
    }
    trace_reader_free(reader);
    if (!good) return false;
    if (first >= 0 && operations > (uint64_t)first)
        fprintf(out, " ... and %" G_GUINT64_FORMAT " more\n",
                (guint64)(operations - (uint64_t)first));
    if (operations > 1)
        putc('\n', out), print_means(out, sum);
    else if (operations == 0)
        fputs(" no operations\n", out);
    return true;
}

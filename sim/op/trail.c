/* Operations: layouts, trails, totals, and the trace file. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "op/op.h"
#include "op/record.h"

void op_pack(const struct op_layout *layout, const void *base, void *packed)
{
    char *out = packed;
    for (uint32_t i = 0; i < layout->pieces; i++) {
        memcpy(out, (const char *)base + layout->piece[i].offset, layout->piece[i].bytes);
        out += layout->piece[i].bytes;
    }
}

void op_unpack(const struct op_layout *layout, void *base, const void *packed)
{
    const char *in = packed;
    for (uint32_t i = 0; i < layout->pieces; i++) {
        memcpy((char *)base + layout->piece[i].offset, in, layout->piece[i].bytes);
        in += layout->piece[i].bytes;
    }
}

const char *op_kind_name(enum op_kind kind)
{
    static const char *const names[] = {"put", "get", "accumulate", "get_accumulate", "control"};
    return names[kind];
}

const char *op_step_name(enum op_step step)
{
    static const char *const names[] = {"called", "departed", "arrived", "serviced", "performed", "completed"};
    return names[step];
}

static struct op_total totals[OP_KINDS];
static FILE *trace;

const struct op_total *op_total(enum op_kind kind) { return &totals[kind]; }

bool op_trace_open(const char *path)
{
    if (trace) fclose(trace);
    trace = fopen(path, "w");
    if (!trace) return false;
    fputs("kind,origin,target,bytes,call,carrier,site", trace);
    for (int step = 0; step < OP_STEPS; step++) fprintf(trace, ",%s_s", op_step_name(step));
    fputc('\n', trace);
    return true;
}

void op_trace_close(void)
{
    if (trace) fclose(trace);
    trace = NULL;
    memset(totals, 0, sizeof totals);
}

void op_record(const struct op_trail *trail)
{
    struct op_total *total = &totals[trail->kind];
    double latency_s = trail->at_s[OP_COMPLETED] - trail->at_s[OP_CALLED];
    total->count++;
    total->bytes += trail->bytes;
    total->description += trail->description;
    total->latency_sum_s += latency_s;
    if (latency_s > total->latency_max_s) total->latency_max_s = latency_s;
    if (trail->at_s[OP_SERVICED] >= 0 && trail->at_s[OP_ARRIVED] >= 0)
        total->service_delay_sum_s += trail->at_s[OP_SERVICED] - trail->at_s[OP_ARRIVED];
    if (!trace) return;
    fprintf(trace, "%s,%d,%d,%llu,%s,%s,0x%llx", op_kind_name(trail->kind), trail->origin, trail->target,
            (unsigned long long)trail->bytes, trail->call, trail->carrier, (unsigned long long)trail->site);
    for (int step = 0; step < OP_STEPS; step++) {
        /* Never the locale's decimal comma; 15 digits keep picoseconds for a quarter of an hour. */
        char number[G_ASCII_DTOSTR_BUF_SIZE] = "";
        if (trail->at_s[step] >= 0) g_ascii_formatd(number, sizeof number, "%.15g", trail->at_s[step]);
        fprintf(trace, ",%s", number);
    }
    fputc('\n', trace);
}

/* Operations: layouts, trails and totals. */
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
    static const char *const names[] = {"called",   "departed",  "arrived",
                                        "serviced", "performed", "completed"};
    return names[step];
}

static struct op_total totals[OP_KINDS];

const struct op_total *op_total(enum op_kind kind) { return &totals[kind]; }

void op_totals_clear(void) { memset(totals, 0, sizeof totals); }

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
    if (op_tracing) op_trace_operation(trail);
}

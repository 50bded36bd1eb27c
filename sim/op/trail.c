/* Operations: layouts, and the names of kinds and steps. */
#include <string.h>

#include "base/base.h"
#include "op/op.h"

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

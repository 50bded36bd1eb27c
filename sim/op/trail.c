/* Operations: layouts, and the names of kinds and steps. */
#include <stdlib.h>
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

static int by_offset(const void *x, const void *y)
{
    const struct op_piece *a = x, *b = y;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

bool op_overlaps(const struct op_layout *layout)
{
    uint32_t in_order = 1;
    const struct op_piece *piece = layout->piece;
    while (in_order < layout->pieces &&
           piece[in_order - 1].offset + (int64_t)piece[in_order - 1].bytes <=
               piece[in_order].offset)
        in_order++;
    if (in_order >= layout->pieces) return false;
    g_autofree struct op_piece *sorted = g_memdup2(piece, layout->pieces * sizeof *piece);
    qsort(sorted, layout->pieces, sizeof *sorted, by_offset);
    for (uint32_t i = 1; i < layout->pieces; i++)
        if (sorted[i - 1].offset + (int64_t)sorted[i - 1].bytes > sorted[i].offset) return true;
    return false;
}

/* A reduction in the order of ranks, of parts that have come: its end. */
#include "dialect/mpi/message/fold.h"

void dialect_fold_free(struct dialect_fold *fold)
{
    if (!fold) return;
    if (fold->op) dialect_reduce_op_unref(fold->op);
    dialect_type_unref(fold->type);
    g_free(fold->sent);
    g_free(fold->part);
    g_free(fold);
}

void dialect_fold_store(const struct dialect_fold *fold)
{
    char *at = fold->part;
    if (fold->parts == 0 || fold->bytes == 0) return;
    for (int i = 1; i < fold->parts; i++, at += fold->bytes) {
        const uint64_t bytes = (uint64_t)fold->bytes;
        if (fold->op)
            dialect_reduce_packed(fold->op, fold->type, at, at + bytes, bytes);
        else
            fold->combine(at, at + bytes, bytes, fold->arg);
    }
    struct dialect_layout map;
    dialect_layout_init(&map, fold->type, fold->count);
    op_unpack(&map.layout, fold->to, at + fold->skip);
    dialect_layout_clear(&map);
}

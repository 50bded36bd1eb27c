/* Layouts: so many elements of a datatype as pieces of memory. */
#include "dialect/mpi/type/compose.h"

static void append(GArray *pieces, int64_t offset, uint64_t bytes)
{
    if (bytes == 0) return;
    if (pieces->len > 0) {
        struct op_piece *last = &g_array_index(pieces, struct op_piece, pieces->len - 1);
        if (last->offset + (int64_t)last->bytes == offset) {
            last->bytes += bytes;
            return;
        }
    }
    struct op_piece piece = {offset, bytes};
    g_array_append_val(pieces, piece);
}

bool dialect_type_dense(const struct dialect_type *type)
{
    return type->one.pieces == 1 && (int64_t)type->one.piece->bytes == type->extent;
}

void dialect_pieces_append(GArray *pieces, const struct dialect_type *type, int64_t count,
                           int64_t displacement)
{
    if (dialect_type_dense(type)) {
        append(pieces, displacement + type->one.piece->offset, (uint64_t)count * type->one.bytes);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < type->one.pieces; p++)
            append(pieces, displacement + i * type->extent + type->one.piece[p].offset,
                   type->one.piece[p].bytes);
}

void dialect_layout_measure(struct op_layout *layout)
{
    layout->bytes = 0;
    layout->low = layout->high = 0;
    for (uint32_t p = 0; p < layout->pieces; p++) {
        const struct op_piece *piece = &layout->piece[p];
        int64_t end = piece->offset + (int64_t)piece->bytes;
        layout->bytes += piece->bytes;
        if (p == 0 || piece->offset < layout->low) layout->low = piece->offset;
        if (p == 0 || end > layout->high) layout->high = end;
    }
}

void dialect_layout_init(struct dialect_layout *layout, const struct dialect_type *type,
                         int64_t count)
{
    layout->several = NULL;
    if (count == 1 || type->one.pieces == 0) {
        layout->layout = count == 0 ? (struct op_layout){0} : type->one;
        return;
    }
    if (count == 0) {
        layout->layout = (struct op_layout){0};
    } else if (dialect_type_dense(type)) {
        layout->single =
            (struct op_piece){type->one.piece->offset, (uint64_t)count * type->one.bytes};
        layout->layout = (struct op_layout){&layout->single, 1, 0, 0, 0};
        dialect_layout_measure(&layout->layout);
    } else {
        GArray *pieces = g_array_sized_new(FALSE, FALSE, sizeof(struct op_piece),
                                           (guint)count * type->one.pieces);
        dialect_pieces_append(pieces, type, count, 0);
        layout->layout = (struct op_layout){NULL, pieces->len, 0, 0, 0};
        layout->several = (struct op_piece *)(void *)g_array_free(pieces, FALSE);
        layout->layout.piece = layout->several;
        dialect_layout_measure(&layout->layout);
    }
}

void dialect_layout_limit(struct dialect_layout *layout, uint64_t bytes)
{
    struct op_layout *whole = &layout->layout;
    if (bytes >= whole->bytes) return;
    struct op_piece *piece =
        whole->pieces ? g_memdup2(whole->piece, whole->pieces * sizeof *piece) : NULL;
    uint32_t n = 0;
    for (; n < whole->pieces && bytes > 0; n++) {
        if (piece[n].bytes > bytes) piece[n].bytes = bytes;
        bytes -= piece[n].bytes;
    }
    g_free(layout->several);
    layout->several = piece;
    *whole = (struct op_layout){piece, n, 0, 0, 0};
    dialect_layout_measure(whole);
}

void dialect_layout_clear(struct dialect_layout *layout)
{
    g_free(layout->several);
    layout->several = NULL;
}

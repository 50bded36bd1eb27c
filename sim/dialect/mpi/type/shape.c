/* Shapes: a datatype being composed, and the SMPI type that stands for it. */
#include "dialect/mpi/type/compose.h"

#include <limits.h>
#include <string.h>

void dialect_shape_init(struct dialect_shape *shape)
{
    memset(shape, 0, sizeof *shape);
    shape->pieces = g_array_new(FALSE, FALSE, sizeof(struct op_piece));
    shape->type.alignment = 1;
    shape->type.basic = MPI_DATATYPE_NULL;
    shape->copy = MPI_DATATYPE_NULL;
}

/* A bound that was set explicitly beats every computed one; among equals the extreme wins
 * (MPI-2 4.1.6). */
static void bound(int64_t *bound, bool *any, bool *fixed, int64_t value, bool value_fixed, int sign)
{
    if (*any && *fixed && !value_fixed) return;
    if (!*any || (value_fixed && !*fixed) || sign * value > sign * *bound) *bound = value;
    *any = true;
    *fixed |= value_fixed;
}

/* A second predefined type comes in: from now on the type map is more than the pieces. */
static void begin_runs(struct dialect_shape *shape)
{
    shape->runs = g_array_new(FALSE, FALSE, sizeof(struct dialect_run));
    const struct dialect_type *basic = dialect_type_find(shape->type.basic);
    for (guint i = 0; basic && i < shape->pieces->len; i++) {
        const struct op_piece *piece = &g_array_index(shape->pieces, struct op_piece, i);
        dialect_runs_append(shape->runs, shape->type.basic, piece->offset,
                            piece->bytes / basic->one.bytes);
    }
}

static void append_runs(GArray *runs, const struct dialect_type *type, int64_t count,
                        int64_t displacement)
{
    for (int64_t i = 0; i < count; i++)
        for (uint32_t r = 0; r < dialect_runs_of(type); r++) {
            struct dialect_run run = dialect_run_of(type, r);
            dialect_runs_append(runs, run.basic, displacement + i * type->extent + run.offset,
                                run.count);
        }
}

void dialect_shape_add(struct dialect_shape *shape, const struct dialect_type *type, int64_t count,
                       int64_t displacement)
{
    struct dialect_type *made = &shape->type;
    if (count == 0) return;
    int64_t last = (count - 1) * type->extent;
    int64_t first_lb = displacement + type->lb, last_lb = first_lb + last;
    int64_t ub = displacement + type->lb + type->extent, last_ub = ub + last;
    bool mixes = type->mixed || (type->basic != MPI_DATATYPE_NULL &&
                                 made->basic != MPI_DATATYPE_NULL && type->basic != made->basic);
    if (type->handle == MPI_LB || type->handle == MPI_UB) { /* markers of MPI-1 */
        if (type->handle == MPI_LB)
            bound(&made->lb, &shape->any_lb, &made->lb_fixed, displacement, true, -1);
        if (type->handle == MPI_UB)
            bound(&made->extent, &shape->any_ub, &made->ub_fixed, displacement, true, 1);
        return;
    }
    if (mixes && !shape->runs) begin_runs(shape);
    dialect_pieces_append(shape->pieces, type, count, displacement);
    if (shape->runs) append_runs(shape->runs, type, count, displacement);
    if (type->one.bytes > 0 || type->lb_fixed || type->ub_fixed) {
        bound(&made->lb, &shape->any_lb, &made->lb_fixed, MIN(first_lb, last_lb), type->lb_fixed,
              -1);
        bound(&made->extent, &shape->any_ub, &made->ub_fixed, MAX(ub, last_ub), type->ub_fixed, 1);
    }
    made->alignment = MAX(made->alignment, type->alignment);
    if (mixes) {
        made->mixed = true;
        made->basic = MPI_DATATYPE_NULL;
    } else if (!made->mixed && type->basic != MPI_DATATYPE_NULL) {
        made->basic = type->basic;
    }
}

/* SMPI's type with the same bytes: what sends, receives and collectives use. */
static MPI_Datatype smpi_type(const struct dialect_type *type)
{
    DIALECT_AWAY;
    MPI_Datatype raw, sized;
    if (type->one.bytes == 0) { /* copying elements of a derived type, SMPI divides by their size */
        PMPI_Type_dup(MPI_UB, &raw);
        return raw;
    }
    if (dialect_type_dense(type) && type->lb == 0 && type->one.low == 0 &&
        type->one.bytes <= INT_MAX) {
        PMPI_Type_contiguous((int)type->one.bytes, MPI_BYTE, &raw);
        return raw;
    }
    GArray *length = g_array_new(FALSE, FALSE, sizeof(int)),
           *offset = g_array_new(FALSE, FALSE, sizeof(MPI_Aint));
    for (uint32_t p = 0; p < type->one.pieces; p++) {
        uint64_t left = type->one.piece[p].bytes;
        for (MPI_Aint at = type->one.piece[p].offset; left > 0;) {
            int part = left > INT_MAX ? INT_MAX : (int)left;
            g_array_append_val(length, part);
            g_array_append_val(offset, at);
            left -= (uint64_t)part;
            at += part;
        }
    }
    PMPI_Type_create_hindexed((int)length->len, (int *)(void *)length->data,
                              (MPI_Aint *)(void *)offset->data, MPI_BYTE, &raw);
    /* SMPI steps from element to element by lb + extent */
    PMPI_Type_create_resized(raw, 0, type->extent, &sized);
    PMPI_Type_free(&raw);
    g_array_free(length, TRUE);
    g_array_free(offset, TRUE);
    return sized;
}

struct dialect_type *dialect_shape_end(struct dialect_shape *shape, struct dialect_made *made)
{
    struct dialect_type *type = g_memdup2(&shape->type, sizeof *type);
    type->extent = shape->any_ub ? type->extent - type->lb : 0; /* was the upper bound */
    if (!shape->any_lb) type->lb = 0;
    if (made->combiner == MPI_COMBINER_STRUCT && !type->ub_fixed) { /* epsilon of MPI-2 4.1.6 */
        int64_t step = (int64_t)type->alignment, over = type->extent % step;
        if (over != 0) type->extent += step - over;
    }
    type->one = (struct op_layout){NULL, shape->pieces->len, 0, 0, 0};
    type->one.piece = (struct op_piece *)(void *)g_array_free(shape->pieces, FALSE);
    dialect_layout_measure(&type->one);
    if (shape->runs) {
        type->runs = shape->runs->len;
        type->run = (struct dialect_run *)(void *)g_array_free(shape->runs, FALSE);
    }
    static uint64_t numbers;
    const struct world_rank *r = world_here();
    type->rank = r ? r->rank : -1;
    type->number = ++numbers;
    type->encoded = dialect_type_encoded(made);
    type->refs = 1;
    type->made = made;
    for (int i = 0; i < made->types; i++) dialect_type_ref(dialect_type_find(made->type[i]));
    type->handle = shape->copy != MPI_DATATYPE_NULL ? shape->copy : smpi_type(type);
    dialect_type_add(type);
    return type;
}

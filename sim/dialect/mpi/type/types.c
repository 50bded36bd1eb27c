/* Datatypes: their maps, kept beside SMPI's handles.
 *
 * SMPI 3.32 forgets what a type was made of (MPI_Type_get_contents names wrong combiners), gives a
 * subarray the extent of four bytes, a vector with negative stride a negative extent, and a struct
 * no padding. So maps are computed here, by the rules of MPI-2 chapter 4, and SMPI is handed a type
 * of plain bytes with the same map.
 */
#include "dialect/mpi/inside.h"

#include <limits.h>
#include <stdalign.h>
#include <string.h>
#include <wchar.h>

static GHashTable *known; /* MPI_Datatype -> struct dialect_type; all ranks */

static void add_basic(MPI_Datatype handle, uint64_t bytes, uint64_t alignment)
{
    struct dialect_type *type = g_new0(struct dialect_type, 1);
    struct op_piece *piece = g_new(struct op_piece, 1);
    *piece = (struct op_piece){0, bytes};
    type->handle = handle;
    type->one = (struct op_layout){piece, bytes ? 1 : 0, bytes, 0, (int64_t)bytes};
    type->extent = (int64_t)bytes;
    type->alignment = alignment;
    type->basic = bytes ? handle : MPI_DATATYPE_NULL;
    type->committed = true;
    type->refs = 1;
    g_hash_table_insert(known, handle, type);
}

static void add_all_basic(void)
{
    known = g_hash_table_new(NULL, NULL);
#define BASIC(handle, ctype, kind) add_basic(handle, sizeof(ctype), alignof(ctype));
#define PAIR(handle, value_type, index_type)                                                       \
    {                                                                                              \
        struct pair {                                                                              \
            value_type value;                                                                      \
            index_type index;                                                                      \
        };                                                                                         \
        add_basic(handle, sizeof(struct pair), alignof(struct pair));                              \
    }
#include "dialect/mpi/type/basic.def"
#undef BASIC
#undef PAIR
    add_basic(MPI_LB, 0, 1);
    add_basic(MPI_UB, 0, 1);
}

struct dialect_type *dialect_type_find(MPI_Datatype handle)
{
    if (!known) add_all_basic();
    return g_hash_table_lookup(known, handle);
}

struct dialect_type *dialect_type_ref(struct dialect_type *type)
{
    if (type->made) type->refs++;
    return type;
}

static void made_free(struct dialect_made *made)
{
    for (int i = 0; i < made->types; i++) {
        struct dialect_type *type = dialect_type_find(made->type[i]);
        if (type) dialect_type_unref(type);
    }
    g_free(made->integer);
    g_free(made->address);
    g_free(made->type);
    g_free(made);
}

void dialect_type_unref(struct dialect_type *type)
{
    if (!type->made || --type->refs > 0) return;
    DIALECT_AWAY;
    g_hash_table_remove(known, type->handle);
    PMPI_Type_free(&type->handle);
    made_free(type->made);
    g_free((struct op_piece *)type->one.piece);
    g_free(type->run);
    g_free(type);
}

/* ---- layouts: count elements as pieces ------------------------------------------------------- */

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

static bool dense(const struct dialect_type *type)
{
    return type->one.pieces == 1 && (int64_t)type->one.piece->bytes == type->extent;
}

static void append_elements(GArray *pieces, const struct dialect_type *type, int64_t count,
                            int64_t displacement)
{
    if (dense(type)) {
        append(pieces, displacement + type->one.piece->offset, (uint64_t)count * type->one.bytes);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < type->one.pieces; p++)
            append(pieces, displacement + i * type->extent + type->one.piece[p].offset,
                   type->one.piece[p].bytes);
}

static void measure(struct op_layout *layout)
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
    } else if (dense(type)) {
        layout->single =
            (struct op_piece){type->one.piece->offset, (uint64_t)count * type->one.bytes};
        layout->layout = (struct op_layout){&layout->single, 1, 0, 0, 0};
        measure(&layout->layout);
    } else {
        GArray *pieces = g_array_sized_new(FALSE, FALSE, sizeof(struct op_piece),
                                           (guint)count * type->one.pieces);
        append_elements(pieces, type, count, 0);
        layout->layout = (struct op_layout){NULL, pieces->len, 0, 0, 0};
        layout->several = (struct op_piece *)(void *)g_array_free(pieces, FALSE);
        layout->layout.piece = layout->several;
        measure(&layout->layout);
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
    measure(whole);
}

void dialect_layout_clear(struct dialect_layout *layout)
{
    g_free(layout->several);
    layout->several = NULL;
}

/* ---- shapes: a datatype being composed ------------------------------------------------------- */

void dialect_shape_init(struct dialect_shape *shape)
{
    memset(shape, 0, sizeof *shape);
    shape->pieces = g_array_new(FALSE, FALSE, sizeof(struct op_piece));
    shape->type.alignment = 1;
    shape->type.basic = MPI_DATATYPE_NULL;
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
    append_elements(shape->pieces, type, count, displacement);
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
    /* keeps attributes, and reductions on copies of predefined types */
    if (type->made->combiner == MPI_COMBINER_DUP) {
        PMPI_Type_dup(type->made->type[0], &raw);
        return raw;
    }
    if (dense(type) && type->lb == 0 && type->one.low == 0 && type->one.bytes <= INT_MAX) {
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
    measure(&type->one);
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
    type->handle = smpi_type(type);
    g_hash_table_insert(known, type->handle, type);
    return type;
}

/* ---- the constructor's arguments ------------------------------------------------------------- */

struct dialect_made *dialect_made_new(int combiner, int integers, int addresses, int types)
{
    struct dialect_made *made = g_new0(struct dialect_made, 1);
    *made = (struct dialect_made){combiner,
                                  integers,
                                  addresses,
                                  types,
                                  g_new0(int, (gsize)integers + 1),
                                  g_new0(MPI_Aint, (gsize)addresses + 1),
                                  g_new0(MPI_Datatype, (gsize)types + 1)};
    return made;
}

int *dialect_made_integers(struct dialect_made *made) { return made->integer; }
MPI_Aint *dialect_made_addresses(struct dialect_made *made) { return made->address; }
MPI_Datatype *dialect_made_types(struct dialect_made *made) { return made->type; }

int MPI_Type_get_envelope(MPI_Datatype datatype, int *num_integers, int *num_addresses,
                          int *num_datatypes, int *combiner)
{
    struct dialect_type *type = dialect_type_find(datatype);
    if (!type)
        return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_TYPE, "not a datatype");
    *num_integers = type->made ? type->made->integers : 0;
    *num_addresses = type->made ? type->made->addresses : 0;
    *num_datatypes = type->made ? type->made->types : 0;
    *combiner = type->made ? type->made->combiner : MPI_COMBINER_NAMED;
    return MPI_SUCCESS;
}

int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses,
                          int max_datatypes, int *array_of_integers, MPI_Aint *array_of_addresses,
                          MPI_Datatype *array_of_datatypes)
{
    struct dialect_type *type = dialect_type_find(datatype);
    if (!type || !type->made)
        return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_TYPE,
                             "not a derived datatype");
    struct dialect_made *made = type->made;
    if (max_integers < made->integers || max_addresses < made->addresses ||
        max_datatypes < made->types)
        return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_COUNT,
                             "the arrays are too short");
    memcpy(array_of_integers, made->integer, (size_t)made->integers * sizeof(int));
    memcpy(array_of_addresses, made->address, (size_t)made->addresses * sizeof(MPI_Aint));
    for (int i = 0; i < made->types; i++)
        array_of_datatypes[i] = dialect_type_ref(dialect_type_find(made->type[i]))->handle;
    return MPI_SUCCESS;
}

/* Type maps, entry by entry: what a datatype holds, and in which order (MPI-2 4.1.1). */
#include "move/transfer/transfer.h"
#include "dialect/mpi/comm/comm.h"
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/mpi/type/compose.h"

/* ---- runs ------------------------------------------------------------------------------------ */

uint32_t dialect_runs_of(const struct dialect_type *type)
{
    return type->run ? type->runs : type->one.pieces;
}

static uint64_t basic_bytes(MPI_Datatype basic) { return dialect_type_find(basic)->one.bytes; }

struct dialect_run dialect_run_of(const struct dialect_type *type, uint32_t i)
{
    if (type->run) return type->run[i];
    const struct op_piece *piece = &type->one.piece[i];
    return (struct dialect_run){type->basic, piece->offset,
                                piece->bytes / basic_bytes(type->basic)};
}

void dialect_runs_append(GArray *runs, MPI_Datatype basic, int64_t offset, uint64_t count)
{
    struct dialect_run *last =
        runs->len > 0 ? &g_array_index(runs, struct dialect_run, runs->len - 1) : NULL;
    if (last && last->basic == basic &&
        last->offset + (int64_t)(last->count * basic_bytes(basic)) == offset) {
        last->count += count;
        return;
    }
    const struct dialect_run run = {basic, offset, count};
    g_array_append_val(runs, run);
}

/* ---- two maps -------------------------------------------------------------------------------- */

/* A place in the map of a type's elements, one behind the other. */
struct cursor {
    const struct dialect_type *type;
    uint32_t run;
    uint64_t done; /* entries of the run before it */
    bool ended;    /* behind the last run of an element */
};

static struct dialect_run here(const struct cursor *c)
{
    struct dialect_run run = dialect_run_of(c->type, c->run);
    run.offset += (int64_t)(c->done * basic_bytes(run.basic));
    run.count -= c->done;
    return run;
}

static void step(struct cursor *c, uint64_t entries)
{
    c->done += entries;
    if (c->done < dialect_run_of(c->type, c->run).count) return;
    c->done = 0;
    c->ended = ++c->run == dialect_runs_of(c->type);
}

static const char *basic_name(MPI_Datatype basic)
{
#define BASIC(handle, ctype, kind)                                                                 \
    if (basic == (handle)) return #handle;
#define PAIR(handle, value_type, index_type)                                                       \
    if (basic == (handle)) return #handle;
#include "dialect/mpi/type/basic.def"
#undef BASIC
#undef PAIR
    return "nothing";
}

static char *entry_text(const struct cursor *c, int rank)
{
    if (c->ended) return g_strdup_printf("missing on rank %d", rank);
    struct dialect_run run = here(c);
    return g_strdup_printf("%s at byte %" G_GINT64_FORMAT " on rank %d", basic_name(run.basic),
                           run.offset, rank);
}

static char *bound_difference(const char *what, int64_t a, int a_rank, int64_t b, int b_rank)
{
    return g_strdup_printf("the %s is %" G_GINT64_FORMAT " on rank %d, %" G_GINT64_FORMAT
                           " on rank %d",
                           what, a, a_rank, b, b_rank);
}

char *dialect_map_difference(const struct dialect_type *a, int a_rank, const struct dialect_type *b,
                             int b_rank)
{
    struct cursor x = {a, 0, 0, dialect_runs_of(a) == 0}, y = {b, 0, 0, dialect_runs_of(b) == 0};
    uint64_t entry = 0;
    while (!x.ended && !y.ended) {
        struct dialect_run one = here(&x), other = here(&y);
        if (one.basic != other.basic || one.offset != other.offset) break;
        uint64_t same = MIN(one.count, other.count);
        entry += same;
        step(&x, same);
        step(&y, same);
    }
    if (!x.ended || !y.ended) {
        g_autofree char *one = entry_text(&x, a_rank), *other = entry_text(&y, b_rank);
        return g_strdup_printf("entry %" G_GUINT64_FORMAT " is %s, %s", entry, one, other);
    }
    if (a->lb != b->lb) return bound_difference("lower bound", a->lb, a_rank, b->lb, b_rank);
    if (a->extent != b->extent)
        return bound_difference("extent", a->extent, a_rank, b->extent, b_rank);
    return NULL;
}

enum kind { PLAIN, INTEGER, FLOATING, LOGICAL, COMPLEX, BYTE };

static enum kind kind_of(MPI_Datatype basic)
{
#define BASIC(handle, ctype, kind)                                                                 \
    if (basic == (handle)) return kind;
#define PAIR(handle, value_type, index_type)
#include "dialect/mpi/type/basic.def"
#undef BASIC
#undef PAIR
    return PLAIN;
}

/* Numbers of one kind and size, under whatever names. */
static bool alike(MPI_Datatype a, MPI_Datatype b)
{
    enum kind kind = kind_of(a);
    return a == b || (kind != PLAIN && kind == kind_of(b) && basic_bytes(a) == basic_bytes(b));
}

/* The first entries that are not the same, or not alike, within so many bytes; a run of no entries:
 * there are none. */
struct pair {
    struct dialect_run a, b;
};
static struct pair difference(const struct dialect_type *a, const struct dialect_type *b,
                              uint64_t bytes, bool names)
{
    struct cursor x = {.type = a}, y = {.type = b};
    while (bytes > 0) {
        struct dialect_run one = here(&x), other = here(&y);
        if (names ? one.basic != other.basic : !alike(one.basic, other.basic))
            return (struct pair){one, other};
        uint64_t same = MIN(one.count, other.count);
        bytes -= MIN(bytes, same * basic_bytes(one.basic));
        step(&x, same);
        step(&y, same);
        if (x.ended) x = (struct cursor){.type = a};
        if (y.ended) y = (struct cursor){.type = b};
    }
    return (struct pair){{0}, {0}};
}

bool dialect_signature_agrees(const struct dialect_type *a, const struct dialect_type *b,
                              uint64_t bytes)
{
    if (!a->run && !b->run) return bytes == 0 || a->basic == b->basic;
    return difference(a, b, bytes, true).a.count == 0;
}

static bool untyped(MPI_Datatype basic) { return basic == MPI_BYTE || basic == MPI_PACKED; }

char *dialect_signature_difference(const struct dialect_type *from, const struct dialect_type *to,
                                   uint64_t bytes)
{
    if (from->basic == to->basic && from->basic != MPI_DATATYPE_NULL) return NULL;
    struct pair at = difference(from, to, bytes, false);
    if (at.a.count == 0 || untyped(at.a.basic) || untyped(at.b.basic)) return NULL;
    return g_strdup_printf("%s is sent, %s received", basic_name(at.a.basic),
                           basic_name(at.b.basic));
}

/* ---- what a type is made of ------------------------------------------------------------------ */

struct dialect_type *dialect_type_element(struct dialect_type *type)
{
    if (!type->made || type->made->combiner == MPI_COMBINER_CONTIGUOUS ||
        type->made->combiner == MPI_COMBINER_STRUCT)
        return type;
    struct dialect_type *inside = dialect_type_find(type->made->type[0]);
    struct dialect_type *element = dialect_type_element(inside);
    /* Other bounds around an element are the element's: it is resized to lie in an array. */
    bool resizes =
        type->made->combiner == MPI_COMBINER_RESIZED && element == inside && inside->made;
    return resizes ? type : element;
}

enum { COMBINER_BYTES = 4, INTEGER_BYTES = 4, ADDRESS_BYTES = 8, PREDEFINED_BYTES = 4 };

uint64_t dialect_type_encoded(const struct dialect_made *made)
{
    uint64_t bytes = COMBINER_BYTES + (uint64_t)made->integers * INTEGER_BYTES +
                     (uint64_t)made->addresses * ADDRESS_BYTES;
    for (int i = 0; i < made->types; i++) {
        const struct dialect_type *part = dialect_type_find(made->type[i]);
        bytes += part->made ? part->encoded : PREDEFINED_BYTES;
    }
    return bytes;
}

struct move_described dialect_describe(struct world_rank *r, const struct dialect_type *type,
                                       int target, const struct dialect_rank_group *ranks)
{
    if (!type->made) return (struct move_described){0};
    if (dialect_known_there(r, type, target, ranks)) return (struct move_described){.handles = 1};
    return (struct move_described){
        .number = type->number, .bytes = type->encoded, .blocks = type->one.pieces};
}

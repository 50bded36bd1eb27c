/* Put, get and accumulate: arguments checked and translated, the rest is sync's (MPI-2 11.3; the
 * atomic and the request-based calls are MPI-3's).
 *
 * A target buffer that leaves the window is MPI_ERR_RMA_RANGE: "target memory is not part of the
 * window" (MPI-3); MPI-2 had no class of its own for it. Data that would be truncated is
 * MPI_ERR_TRUNCATE; shorter data than the receiving buffer is allowed, as for a message. Types that
 * do not match are a rule broken, and the bytes go. */
#include "world/clock/clock.h"
#include "world/access/access.h"
#include "world/object/object.h"
#include "world/pair/pair.h"
#include "world/place/place.h"
#include "move/transfer/transfer.h"
#include "sync/machine/machine.h"
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/mpi/message/message.h"
#include "dialect/mpi/reduce/reduce.h"
#include "dialect/mpi/window/window.h"

/* The arguments of any of the calls; those it lacks are zero. */
struct call {
    struct move_op what; /* kind, call and target; the rest when all is checked */
    uintptr_t pc, frame;
    const void *origin;
    int origin_count;
    MPI_Datatype origin_type;
    void *result;
    int result_count;
    MPI_Datatype result_type;
    MPI_Aint disp;
    int target_count;
    MPI_Datatype target_type;
    MPI_Op op;
    MPI_Win win;
    const void *compare, *combining; /* MPI_Compare_and_swap; a user's operation at the target */
    MPI_Request *request;            /* request-based calls */
    bool has_origin;
    bool one; /* of a predefined datatype: MPI_Fetch_and_op */
};

struct side {
    struct dialect_type *type;
    struct dialect_layout map;
};

static int check_type(struct dialect_win *w, const struct call *c, const char *side, int count,
                      MPI_Datatype handle, struct side *to)
{
    if (count < 0)
        return dialect_win_error(w, c->what.call, MPI_ERR_COUNT, "the %s count is %d", side, count);
    to->type = dialect_type_find(handle);
    if (!to->type)
        return dialect_win_error(w, c->what.call, MPI_ERR_TYPE, "invalid %s datatype handle", side);
    if (!to->type->committed)
        return dialect_win_error(w, c->what.call, MPI_ERR_TYPE, "the %s datatype is not committed",
                                 side);
    dialect_layout_init(&to->map, to->type, count);
    return MPI_SUCCESS;
}

/* Addresses differ from host to host: none is named. */
static int check_attached(struct dialect_win *w, const struct call *c, const struct op_layout *map,
                          int64_t *offset)
{
    *offset = c->disp == (MPI_Aint)MPI_BOTTOM ? 0 : (int64_t)c->disp;
    if (map->bytes == 0 || sync_win_holds(w->sync, c->what.target, *offset, map))
        return MPI_SUCCESS;
    return dialect_not_attached(w, c->what.call, c->what.target, *offset + map->low, map->bytes);
}

static int check_range(struct dialect_win *w, const struct call *c, const struct op_layout *map,
                       int64_t *offset)
{
    if (w->flavor == MPI_WIN_FLAVOR_DYNAMIC) return check_attached(w, c, map, offset);
    uint64_t bytes = sync_win_bytes(w->sync, c->what.target);
    int unit = sync_win_disp_unit(w->sync, c->what.target);
    if (c->disp < 0)
        return dialect_win_error(w, c->what.call, MPI_ERR_DISP, "the displacement is %td", c->disp);
    if (map->bytes == 0) return MPI_SUCCESS;
    int64_t low, high;
    if (__builtin_mul_overflow((int64_t)c->disp, unit, offset) ||
        __builtin_add_overflow(*offset, map->low, &low) ||
        __builtin_add_overflow(*offset, map->high, &high) || low < 0 || (uint64_t)high > bytes)
        return dialect_outside(w, c->what.call, c->what.target, c->disp, map, bytes, unit);
    return MPI_SUCCESS;
}

/* ---- accumulates ----------------------------------------------------------------------------- */

/* An operation of the program's: registered with the target, and whole elements of the types it is
 * made for. */
static int check_user(struct dialect_win *w, struct call *c, const struct side *origin,
                      const struct side *target)
{
    struct dialect_reduce_op *op = dialect_reduce_op_find(c->op);
    if (!op) return dialect_win_error(w, c->what.call, MPI_ERR_OP, "invalid MPI_Op handle");
    int rank = sync_win_world_rank(w->sync, c->what.target);
    struct dialect_reduce_op *there = dialect_known_there(w->rank, op, rank, w->shared->ranks);
    if (!there)
        return dialect_win_error(
            w, c->what.call, MPI_ERR_OP,
            "the user-defined operation is not registered with target %d for this "
            "window: call MPI_Op_register first",
            c->what.target);
    struct dialect_type *known = dialect_known_there(w->rank, target->type, rank, w->shared->ranks);
    struct dialect_type *element = dialect_type_element(known ? known : target->type);
    uint64_t bytes = target->map.layout.bytes;
    if (origin->type) bytes = MIN(bytes, origin->map.layout.bytes);
    if (origin->type && !dialect_signature_agrees(origin->type, target->type, bytes))
        return dialect_win_error(
            w, c->what.call, MPI_ERR_TYPE,
            "origin and target do not consist of the same predefined datatypes");
    if (bytes % element->one.bytes != 0)
        return dialect_win_error(
            w, c->what.call, MPI_ERR_COUNT,
            "%" G_GUINT64_FORMAT
            " bytes is not a multiple of the element size of %" G_GUINT64_FORMAT,
            bytes, element->one.bytes);
    struct dialect_argument *argument = g_new0(struct dialect_argument, 1);
    *argument = (struct dialect_argument){.target = c->what.target,
                                          .rank = rank,
                                          .function = there->function,
                                          .fortran = there->fortran,
                                          .element = dialect_type_ref(element)};
    g_ptr_array_add(w->arguments, argument);
    c->combining = there;
    c->what.combine = dialect_combine_user;
    c->what.combine_arg = argument;
    c->what.combine_is_code = true;
    return MPI_SUCCESS;
}

/* One predefined type everywhere, and an operation made for it (MPI-2 11.3.4); or an operation of
 * the program's. */
static int check_combine(struct dialect_win *w, struct call *c, const struct side *origin,
                         const struct side *target)
{
    MPI_Datatype basic = target->type->basic;
    if (c->one && target->type->made)
        return dialect_win_error(w, c->what.call, MPI_ERR_TYPE, "the datatype is not predefined");
    if (target->map.layout.bytes == 0) return MPI_SUCCESS;
    if (c->op != MPI_OP_NULL && !dialect_reduce_op_predefined(c->op))
        return check_user(w, c, origin, target);
    if (basic == MPI_DATATYPE_NULL ||
        (origin->type && origin->map.layout.bytes > 0 && origin->type->basic != basic))
        return dialect_win_error(
            w, c->what.call, MPI_ERR_TYPE,
            "origin and target must consist of the same single predefined datatype");
    if (!dialect_combine(c->op, basic, &c->what.combine, &c->what.combine_arg))
        return dialect_win_error(w, c->what.call, MPI_ERR_OP,
                                 "the operation is not defined for this datatype");
    return MPI_SUCCESS;
}

static int compare_argument(struct dialect_win *w, struct call *c, const struct side *target)
{
    uint64_t bytes = target->map.layout.bytes;
    move_combine combine;
    const void *arg;
    struct dialect_argument *expected;
    bool allowed = dialect_combine(MPI_BAND, c->target_type, &combine, &arg) ||
                   dialect_combine(MPI_LAND, c->target_type, &combine, &arg);
    if (!allowed || bytes > sizeof expected->value)
        return dialect_win_error(w, c->what.call, MPI_ERR_TYPE,
                                 "only integers, logicals and bytes can be compared and swapped");
    expected = g_new0(struct dialect_argument, 1);
    expected->target = c->what.target;
    expected->bytes = (uint32_t)bytes;
    dialect_load_pieces(w->rank, c->compare, &target->map.layout);
    memcpy(expected->value, c->compare, bytes);
    g_ptr_array_add(w->arguments, expected);
    c->what.combine = dialect_combine_swap;
    c->what.combine_arg = expected;
    return MPI_SUCCESS;
}

/* How the target learns its datatype; the machine may refuse to describe any. */
static int describe(struct dialect_win *w, struct call *c, const struct side *target)
{
    int rank = sync_win_world_rank(w->sync, c->what.target);
    c->what.described = dialect_describe(w->rank, target->type, rank, w->shared->ranks);
    if (c->what.described.number != 0 && sync_registered_only())
        return dialect_win_error(
            w, c->what.call, MPI_ERR_TYPE,
            "the target datatype is not registered with target %d for this window, and this "
            "machine accepts only registered ones (register.required)",
            c->what.target);
    if (c->what.combine_is_code) c->what.described.handles++;
    return MPI_SUCCESS;
}

/* The buffer that receives may be longer than the data; it must not be shorter. */
static int fit(struct dialect_win *w, const struct call *c, const char *what,
               const struct side *from, struct side *to)
{
    if (from->map.layout.bytes > to->map.layout.bytes)
        return dialect_win_error(w, c->what.call, MPI_ERR_TRUNCATE,
                                 "%" G_GUINT64_FORMAT
                                 " bytes do not fit the %s of %" G_GUINT64_FORMAT,
                                 from->map.layout.bytes, what, to->map.layout.bytes);
    dialect_layout_limit(&to->map, from->map.layout.bytes);
    dialect_types_match(w, c->what.call, from->type, to->type, from->map.layout.bytes);
    return MPI_SUCCESS;
}

static void record_for_check(const struct dialect_win *w, struct call *c, const struct side *target)
{
    static const enum check_kind kind[OP_KINDS] = {[OP_PUT] = CHECK_PUT,
                                                   [OP_GET] = CHECK_GET,
                                                   [OP_ACCUMULATE] = CHECK_ACCUMULATE,
                                                   [OP_GET_ACCUMULATE] = CHECK_FETCH};
    const struct move_op *what = &c->what;
    c->what.number = check_operation(&(struct check_operation){
        .kind = kind[what->kind],
        .win = w->sync,
        .win_rank = w->win_rank,
        .target = what->target,
        .call = what->call,
        .site = what->site,
        .time_s = world_now(),
        .there = {(uintptr_t)sync_win_base(w->sync, what->target) + what->to.addr,
                  &what->to.layout},
        .origin = {what->from.addr, &what->from.layout},
        .result = {what->result.addr, &what->result.layout},
        .compare = {(uintptr_t)c->compare, c->compare ? &what->to.layout : NULL},
        .op = c->combining ? c->combining : c->op,
        .type = target->type->basic,
        .no_op = c->op == MPI_NO_OP,
        .swap = c->compare != NULL,
        .replace = c->op == MPI_REPLACE,
        .request = c->request != NULL,
        .stack = world_stack(w->rank, c->frame, c->pc)});
}

static int start(struct world_rank *r, struct dialect_win *w, struct call *c, struct side *origin,
                 struct side *result, struct side *target)
{
    int64_t offset = 0;
    c->what.site = world_site(r);
    c->what.passive = c->request != NULL;
    int code = check_type(w, c, "target", c->target_count, c->target_type, target);
    if (!code && c->has_origin)
        code = check_type(w, c, "origin", c->origin_count, c->origin_type, origin);
    if (!code && c->what.kind == OP_GET_ACCUMULATE)
        code = check_type(w, c, "result", c->result_count, c->result_type, result);
    if (!code) code = check_range(w, c, &target->map.layout, &offset);
    if (!code)
        code = dialect_counter_allows(w, c->what.call, c->what.target, c->op, target->type->basic,
                                      c->origin, target->map.layout.bytes);
    c->what.counter = w->counter;
    if (!code && c->compare)
        code = compare_argument(w, c, target);
    else if (!code && (c->what.kind == OP_ACCUMULATE || c->what.kind == OP_GET_ACCUMULATE))
        code = check_combine(w, c, origin, target);
    if (!code && c->what.kind == OP_GET)
        code = fit(w, c, "origin buffer", target, origin);
    else if (!code && c->has_origin)
        code = fit(w, c, "target buffer", origin, target);
    if (!code && c->what.kind == OP_GET_ACCUMULATE)
        code = fit(w, c, "result buffer", target, result);
    if (!code) code = describe(w, c, target);
    if (code || target->map.layout.bytes == 0) return code;
    c->what.from = (struct move_side){(uintptr_t)dialect_address(c->origin), origin->map.layout};
    c->what.to = (struct move_side){(uintptr_t)offset, target->map.layout};
    c->what.result = (struct move_side){(uintptr_t)dialect_address(c->result), result->map.layout};
    if ((code = dialect_read_only(w, &c->what))) return code;
    world_operates(r, origin->map.layout.bytes ? c->what.from.addr : c->what.result.addr);
    if (check_on) record_for_check(w, c, target);
    if (c->what.kind == OP_GET) world_stored_for(r, c->what.from.addr, origin->map.layout.bytes);
    if (c->result) world_stored_for(r, c->what.result.addr, result->map.layout.bytes);
    c->what.awaited = check_on && check_pairing && world_pair_comes(r, true);
    if (c->what.kind != OP_GET && c->op != MPI_NO_OP &&
        sync_put_lies(w->sync, w->win_rank, c->what.target))
        dialect_assert_lies(w, c->what.call, "MPI-2 11.4.4, MPI_MODE_NOPUT",
                            "an update, but the target asserted MPI_MODE_NOPUT for this epoch");
    enum sync_status status = sync_operate(w->sync, w->win_rank, r->proc, &c->what);
    if (c->what.awaited) world_pair_over(r);
    return dialect_operation_error(w, &c->what, status);
}

static int operate(struct call *c)
{
    struct world_rank *r = world_enter_ahead(c->what.call, c->pc);
    struct dialect_win *w = dialect_win_find(c->win);
    int code = MPI_SUCCESS;
    if (!w || !r)
        code = dialect_bad_window(c->what.call);
    else if (c->what.target != MPI_PROC_NULL &&
             (c->what.target < 0 || c->what.target >= sync_win_members(w->sync)))
        code = dialect_win_error(w, c->what.call, MPI_ERR_RANK,
                                 "target %d is not in the window's group of %d ranks",
                                 c->what.target, sync_win_members(w->sync));
    else {
        struct side origin = {0}, result = {0}, target = {0};
        if (c->what.target != MPI_PROC_NULL) code = start(r, w, c, &origin, &result, &target);
        if (code == MPI_SUCCESS && c->request)
            code = dialect_operation_request(w, c->what.target, c->what.number, c->request);
        dialect_layout_clear(&origin.map);
        dialect_layout_clear(&result.map);
        dialect_layout_clear(&target.map);
    }
    if (r) world_leave(r);
    return code;
}

#define ORIGIN_BUFFER                                                                              \
    .origin = origin_addr, .origin_count = origin_count, .origin_type = origin_datatype
#define ORIGIN              .has_origin = true, ORIGIN_BUFFER
#define ORIGIN_UNLESS_NO_OP /* its arguments are then ignored */                                   \
    .has_origin = op != MPI_NO_OP, .what.asks = op == MPI_NO_OP || op == MPI_REPLACE, ORIGIN_BUFFER
#define ONE_RESULT .result = result_addr, .result_count = 1, .result_type = datatype
#define ONE_TARGET                                                                                 \
    .what.target = target_rank, .disp = target_disp, .target_count = 1, .target_type = datatype,   \
    .win = win
#define RESULT .result = result_addr, .result_count = result_count, .result_type = result_datatype
#define TARGET                                                                                     \
    .what.target = target_rank, .disp = target_disp, .target_count = target_count,                 \
    .target_type = target_datatype, .win = win
#define OPERATE(...)                                                                               \
    struct call call = {                                                                           \
        .what.call = __func__, .pc = DIALECT_PC, .frame = DIALECT_FRAME, __VA_ARGS__};             \
    return operate(&call)

int MPI_Put(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
            int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
            MPI_Win win)
{
    OPERATE(.what.kind = OP_PUT, ORIGIN, TARGET);
}

int MPI_Get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
            MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    OPERATE(.what.kind = OP_GET, ORIGIN, TARGET);
}

int MPI_Accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                   int target_rank, MPI_Aint target_disp, int target_count,
                   MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    if (op == MPI_NO_OP) op = MPI_OP_NULL; /* for MPI_Get_accumulate only */
    OPERATE(.what.kind = OP_ACCUMULATE, ORIGIN, TARGET, .op = op);
}

int MPI_Rput(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
             int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
             MPI_Win win, MPI_Request *request)
{
    OPERATE(.what.kind = OP_PUT, ORIGIN, TARGET, .request = request);
}

int MPI_Rget(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
             MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win,
             MPI_Request *request)
{
    OPERATE(.what.kind = OP_GET, ORIGIN, TARGET, .request = request);
}

int MPI_Raccumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                    int target_rank, MPI_Aint target_disp, int target_count,
                    MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request)
{
    if (op == MPI_NO_OP) op = MPI_OP_NULL;
    OPERATE(.what.kind = OP_ACCUMULATE, ORIGIN, TARGET, .op = op, .request = request);
}

int MPI_Get_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                       void *result_addr, int result_count, MPI_Datatype result_datatype,
                       int target_rank, MPI_Aint target_disp, int target_count,
                       MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    OPERATE(.what.kind = OP_GET_ACCUMULATE, ORIGIN_UNLESS_NO_OP, RESULT, TARGET, .op = op);
}

int MPI_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype,
                     int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
    const int origin_count = 1;
    const MPI_Datatype origin_datatype = datatype;
    OPERATE(.what.kind = OP_GET_ACCUMULATE, ORIGIN_UNLESS_NO_OP, ONE_RESULT, ONE_TARGET, .op = op,
            .one = true);
}

int MPI_Compare_and_swap(const void *origin_addr, void *compare_addr, void *result_addr,
                         MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win)
{
    const int origin_count = 1;
    const MPI_Datatype origin_datatype = datatype;
    OPERATE(.what.kind = OP_GET_ACCUMULATE, ORIGIN, ONE_RESULT, ONE_TARGET, .compare = compare_addr,
            .what.asks = true);
}

int MPI_Rget_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                        void *result_addr, int result_count, MPI_Datatype result_datatype,
                        int target_rank, MPI_Aint target_disp, int target_count,
                        MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request)
{
    OPERATE(.what.kind = OP_GET_ACCUMULATE, ORIGIN_UNLESS_NO_OP, RESULT, TARGET, .op = op,
            .request = request);
}

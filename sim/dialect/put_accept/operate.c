/* PUT and GET, ACCEPT, OFFER and AVAIL: arguments checked and translated, the rest is sync's
 * (PUT/ACCEPT proposal, D. C. DiNucci, MPI-2 one-sided working group, 1996; C names: PA_).
 *
 * What can be known at the call is checked there; where a request's bytes lie is known when it
 * meets its servicer, so a transfer beyond `size` is an error of the calls that complete at both
 * ends: MPI_ERR_DISP, as for a window.
 */
#include "world/object/object.h"
#include "world/pages/pages.h"
#include "world/place/place.h"
#include "dialect/put_accept/inside.h"
#include "put_accept.h"

static int bad_comm(struct world_rank *r, MPI_Comm comm, const char *call)
{
    return dialect_rule_error(r, dialect_comm_blamed(r, comm), "PUT/ACCEPT", call, MPI_ERR_COMM,
                              "not a valid intracommunicator (freed, or an intercommunicator)");
}

static int check_tag(struct world_rank *r, MPI_Comm comm, const char *call, int tag)
{
    static int most = -1;
    if (most < 0) {
        DIALECT_AWAY;
        int found = 0, *value = NULL;
        PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
        most = found && value ? *value : 32767;
    }
    if (tag >= 0 && tag <= most) return MPI_SUCCESS;
    return dialect_rule_error(r, comm, "PUT/ACCEPT", call, MPI_ERR_TAG,
                              "tag %d is not between 0 and %d", tag, most);
}

/* ---- requests -------------------------------------------------------------------------------- */

struct request {
    struct sync_ask ask; /* what matches it */
    struct move_op what; /* kind, call and target; the rest when all is checked */
    uintptr_t pc, frame;
    const void *origin;
    int origin_count;
    MPI_Datatype origin_type;
    int target_count;
    MPI_Datatype target_type;
    MPI_Comm comm;
};

static int check_side(struct world_rank *r, const struct request *q, const char *side, int count,
                      MPI_Datatype handle, struct dialect_layout *map)
{
    if (count < 0)
        return dialect_rule_error(r, q->comm, "PUT/ACCEPT", q->what.call, MPI_ERR_COUNT,
                                  "the %s count is %d", side, count);
    const struct dialect_type *type = dialect_type_find(handle);
    if (!type)
        return dialect_rule_error(r, q->comm, "PUT/ACCEPT", q->what.call, MPI_ERR_TYPE,
                                  "invalid %s datatype handle", side);
    if (!type->committed)
        return dialect_rule_error(r, q->comm, "PUT/ACCEPT", q->what.call, MPI_ERR_TYPE,
                                  "the %s datatype is not committed", side);
    dialect_layout_init(map, type, count);
    return MPI_SUCCESS;
}

static int check_fit(struct world_rank *r, const struct request *q, struct dialect_layout *from,
                     struct dialect_layout *to)
{
    if (from->layout.bytes > to->layout.bytes)
        return dialect_rule_error(r, q->comm, "PUT/ACCEPT", q->what.call, MPI_ERR_TRUNCATE,
                                  "%" G_GUINT64_FORMAT
                                  " bytes do not fit a buffer of %" G_GUINT64_FORMAT,
                                  from->layout.bytes, to->layout.bytes);
    dialect_layout_limit(to, from->layout.bytes);
    return MPI_SUCCESS;
}

static int issue(struct world_rank *r, const struct dialect_comm *comm, struct request *q)
{
    struct dialect_layout origin = {0}, target = {0};
    bool gets = q->what.kind == OP_GET;
    int code = check_tag(r, q->comm, q->what.call, q->ask.tag);
    if (!code) code = check_side(r, q, "origin", q->origin_count, q->origin_type, &origin);
    if (!code) code = check_side(r, q, "target", q->target_count, q->target_type, &target);
    if (!code) code = gets ? check_fit(r, q, &target, &origin) : check_fit(r, q, &origin, &target);
    if (!code && !q->origin && origin.layout.bytes > 0)
        code = dialect_rule_error(r, q->comm, "PUT/ACCEPT", q->what.call, MPI_ERR_BUFFER,
                                  "no origin address");
    if (!code) {
        q->what.site = world_site(r);
        q->what.from =
            (struct move_side){q->origin == MPI_BOTTOM ? 0 : (uintptr_t)q->origin, origin.layout};
        q->what.to.layout = target.layout;
        q->what.described = dialect_describe(r, dialect_type_find(q->target_type),
                                             comm->ranks->world_rank[q->what.target], comm->ranks);
        world_operates(r, q->what.from.addr);
        bool first;
        const struct check_buffer buffer = {q->what.from.addr, &q->what.from.layout};
        q->what.number = dialect_lend(r, q->what.call, q->frame, q->pc, &buffer,
                                      gets ? CHECK_REQUEST_WRITE : CHECK_REQUEST_READ, &first);
        sync_match_ask(dialect_match_of(r, comm), comm->comm_rank, r->proc, &q->ask, &q->what);
        if (first) dialect_lent_first(r, NULL);
    }
    dialect_layout_clear(&origin);
    dialect_layout_clear(&target);
    return code;
}

static int request(struct request *q)
{
    struct world_rank *r = world_enter_ahead(q->what.call, q->pc);
    if (!r) return MPI_ERR_OTHER;
    const struct dialect_comm *comm = dialect_comm_find(r, q->comm);
    int code = MPI_SUCCESS;
    if (!comm)
        code = bad_comm(r, q->comm, q->what.call);
    else if (q->what.target == MPI_PROC_NULL)
        code = MPI_SUCCESS;
    else if (q->what.target < 0 || q->what.target >= comm->members)
        code = dialect_rule_error(r, q->comm, "PUT/ACCEPT", q->what.call, MPI_ERR_RANK,
                                  "target %d is not in the communicator of %d ranks",
                                  q->what.target, comm->members);
    else
        code = issue(r, comm, q);
    world_leave(r);
    return code;
}

#define REQUEST(function, buffer, its_kind, its_hold)                                              \
    int function(buffer, int origin_count, MPI_Datatype origin_datatype, int target_rank,          \
                 MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, int tag,    \
                 MPI_Comm comm)                                                                    \
    {                                                                                              \
        struct request q = {                                                                       \
            .ask = {its_kind, its_hold, tag, target_disp},                                         \
            .what = {.kind = its_kind == SYNC_GET || its_kind == SYNC_GETC ? OP_GET : OP_PUT,      \
                     .call = __func__,                                                             \
                     .target = target_rank},                                                       \
            .pc = DIALECT_PC,                                                                      \
            .frame = DIALECT_FRAME,                                                                \
            .origin = origin_addr,                                                                 \
            .origin_count = origin_count,                                                          \
            .origin_type = origin_datatype,                                                        \
            .target_count = target_count,                                                          \
            .target_type = target_datatype,                                                        \
            .comm = comm};                                                                         \
        return request(&q);                                                                        \
    }
REQUEST(PA_Put, const void *origin_addr, SYNC_PUT, false)
REQUEST(PA_Puthold, const void *origin_addr, SYNC_PUT, true)
REQUEST(PA_Putc, const void *origin_addr, SYNC_PUTC, false)
REQUEST(PA_Get, void *origin_addr, SYNC_GET, false)
REQUEST(PA_Gethold, void *origin_addr, SYNC_GET, true)
REQUEST(PA_Getc, void *origin_addr, SYNC_GETC, false)

/* ---- servicers ------------------------------------------------------------------------------- */

struct service {
    const char *name;
    uintptr_t pc, frame;
    unsigned kinds;
    void *base;
    MPI_Aint size;
    int disp_unit, tag;
    MPI_Comm comm;
    int count;
    bool blocks;
    MPI_Request *request;
};

static int check_service(struct world_rank *r, const struct service *c)
{
    int code = check_tag(r, c->comm, c->name, c->tag);
    if (code) return code;
    if (c->size < 0)
        return dialect_rule_error(r, c->comm, "PUT/ACCEPT", c->name, MPI_ERR_SIZE,
                                  "the size is %td", c->size);
    if (c->size > 0 && !c->base)
        return dialect_rule_error(r, c->comm, "PUT/ACCEPT", c->name, MPI_ERR_BASE,
                                  "no base address");
    if (c->disp_unit <= 0)
        return dialect_rule_error(r, c->comm, "PUT/ACCEPT", c->name, MPI_ERR_DISP,
                                  "the displacement unit is %d", c->disp_unit);
    if (!c->blocks && !c->request)
        return dialect_rule_error(r, c->comm, "PUT/ACCEPT", c->name, MPI_ERR_REQUEST,
                                  "the pointer to the request is NULL");
    if (c->count < 0)
        return dialect_rule_error(r, c->comm, "PUT/ACCEPT", c->name, MPI_ERR_COUNT,
                                  "the count is %d", c->count);
    return MPI_SUCCESS;
}

#define EITHER (1u << SYNC_PUT | 1u << SYNC_GET)

static uint64_t lend(struct world_rank *r, const struct service *c, bool *first)
{
    const struct op_piece all = {0, (uint64_t)c->size};
    const struct op_layout layout = {&all, 1, all.bytes, 0, (int64_t)all.bytes};
    const struct check_buffer buffer = {(uintptr_t)c->base, &layout};
    const enum check_kind kind = c->kinds == EITHER                              ? CHECK_AVAILABLE
                                 : c->kinds & (1u << SYNC_GET | 1u << SYNC_GETC) ? CHECK_OFFERED
                                                                                 : CHECK_ACCEPTED;
    return dialect_lend(r, c->name, c->frame, c->pc, &buffer, kind, first);
}

static int service(const struct service *c)
{
    struct world_rank *r = world_enter(c->name, c->pc);
    if (!r) return MPI_ERR_OTHER;
    const struct dialect_comm *comm = dialect_comm_find(r, c->comm);
    int code = comm ? check_service(r, c) : bad_comm(r, c->comm, c->name);
    if (!code) {
        bool first;
        const struct sync_service want = {.number = lend(r, c, &first),
                                          .kinds = c->kinds,
                                          .tag = c->tag,
                                          .base = c->base,
                                          .bytes = (uint64_t)c->size,
                                          .disp_unit = c->disp_unit,
                                          .count = (uint64_t)c->count,
                                          .call = c->name,
                                          .site = world_site(r)};
        struct sync_servicer *servicer =
            sync_match_post(dialect_match_of(r, comm), comm->comm_rank, r->proc, &want);
        if (first && !c->blocks) dialect_lent_first(r, servicer);
        if (!c->blocks)
            code = dialect_servicer_request(r, c->comm, servicer, c->request);
        else {
            sync_servicer_wait(servicer);
            code = dialect_servicer_end(r, c->comm, servicer);
        }
    }
    world_leave(r);
    return code;
}

#define RANGE void *base, MPI_Aint size, int disp_unit, int tag, MPI_Comm comm
#define SERVICE(its_kinds, its_count, ...)                                                         \
    {                                                                                              \
        const struct service c = {                                                                 \
            __func__,  DIALECT_PC, DIALECT_FRAME, its_kinds, base,       size,                     \
            disp_unit, tag,        comm,          its_count, __VA_ARGS__};                         \
        return service(&c);                                                                        \
    }
int PA_Accept(RANGE, int count) SERVICE(1u << SYNC_PUT, count, true,
                                        NULL) int PA_Iaccept(RANGE, int count, MPI_Request *request)
    SERVICE(1u << SYNC_PUT, count, false, request) int PA_Acceptc(RANGE)
        SERVICE(1u << SYNC_PUTC, 0, true, NULL) int PA_Iacceptc(RANGE, MPI_Request *request)
            SERVICE(1u << SYNC_PUTC, 0, false, request) int PA_Offer(RANGE, int count)
                SERVICE(1u << SYNC_GET, count, true, NULL) int PA_Ioffer(RANGE, int count,
                                                                         MPI_Request *request)
                    SERVICE(1u << SYNC_GET, count, false, request) int PA_Offerc(RANGE)
                        SERVICE(1u << SYNC_GETC, 0, true, NULL) int PA_Iofferc(RANGE,
                                                                               MPI_Request *request)
                            SERVICE(1u << SYNC_GETC, 0, false, request) int PA_Avail(RANGE)
                                SERVICE(EITHER, 1, true, NULL) int PA_Iavail(RANGE,
                                                                             MPI_Request *request)
                                    SERVICE(EITHER, 1, false, request)

    /* ---- memory
       ---------------------------------------------------------------------------------- */

    static GHashTable *given; /* bytes of what PA_Rma_malloc gave, by address */

/* Whole pages: no line of the range is shared with anything else. */
int PA_Rma_malloc(void *base, MPI_Aint size)
{
    struct world_rank *r = world_here();
    if (!r) return MPI_ERR_OTHER;
    if (!base)
        return dialect_rule_error(r, MPI_COMM_NULL, "PUT/ACCEPT", __func__, MPI_ERR_ARG,
                                  "the pointer to the address is NULL");
    if (size < 0)
        return dialect_rule_error(r, MPI_COMM_NULL, "PUT/ACCEPT", __func__, MPI_ERR_SIZE,
                                  "the size is %td", size);
    void *memory = world_pages_new(r, (uint64_t)size);
    if (!memory)
        return dialect_error(r, MPI_COMM_NULL, __func__, MPI_ERR_NO_MEM,
                             "cannot allocate %td bytes", size);
    if (!given) given = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(given, memory, GSIZE_TO_POINTER(size));
    sync_match_memory(r->proc, memory, (uint64_t)size, true);
    *(void **)base = memory;
    return MPI_SUCCESS;
}

int PA_Rma_free(void *base)
{
    struct world_rank *r = world_here();
    gpointer size;
    if (!base) return MPI_SUCCESS;
    if (!r || !given || !g_hash_table_steal_extended(given, base, NULL, &size))
        return dialect_rule_error(r, MPI_COMM_NULL, "PUT/ACCEPT", __func__, MPI_ERR_BASE,
                                  "the memory was not allocated by PA_Rma_malloc");
    sync_match_memory(r->proc, base, GPOINTER_TO_SIZE(size), false);
    world_pages_free(base);
    return MPI_SUCCESS;
}

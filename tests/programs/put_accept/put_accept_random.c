/* Random programs of PUT/ACCEPT that mix all its calls, as put_accept_plan.h plans them:
 * put_accept_random FIRST COUNT runs the programs of that many seeds one after the other and says
 * which of them went wrong. */
#include "check.h"
#include "put_accept.h"
#include "put_accept_plan.h"
#include "sidewinder.h"

static struct plan plan;
static unsigned seed;
static int wrong, pendings, sends;
static MPI_Comm comms[PLAN_COMMS];
static struct pending {
    int unit;
    MPI_Request request;
} pending[PLAN_SERVICES];
/* apart: SMPI's MPI_Testany never tells that a short MPI_Isend is over */
static MPI_Request sending[PLAN_UNITS];
static long memory[PLAN_CELLS], buffer[PLAN_CELLS], memory_must[PLAN_CELLS],
    buffer_must[PLAN_CELLS];

static void must(int truth, const char *what, int which)
{
    if (!truth && wrong++ < 5)
        printf("FAILED: seed %u, rank %d: %s %d\n", seed, check_rank, what, which);
}

/* ---- calls ----------------------------------------------------------------------------------- */

struct type {
    int count;
    MPI_Datatype handle;
};

static struct type type_of(struct plan_shape s)
{
    struct type t = {s.n, MPI_LONG};
    if (s.n <= s.block) return t;
    MPI_Type_vector(s.n / s.block, s.block, s.stride, MPI_LONG, &t.handle);
    MPI_Type_commit(&t.handle);
    t.count = 1;
    return t;
}

static void type_free(struct type *t)
{
    if (t->handle != MPI_LONG) MPI_Type_free(&t->handle);
}

static void issue(const struct plan_ask *a)
{
    struct type here = type_of(a->here), there = type_of(a->there);
    int target = plan_rank_in(check_ranks, a->comm, a->target);
#define ASK(call)                                                                                  \
    call(buffer + a->buffer, here.count, here.handle, target, a->disp, there.count, there.handle,  \
         a->tag, comms[a->comm])
    switch (a->kind) {
    case PLAN_PUT: a->hold ? ASK(PA_Puthold) : ASK(PA_Put); break;
    case PLAN_GET: a->hold ? ASK(PA_Gethold) : ASK(PA_Get); break;
    case PLAN_PUTC: ASK(PA_Putc); break;
    case PLAN_GETC: ASK(PA_Getc); break;
    }
    type_free(&here);
    type_free(&there);
}

static void store(const struct plan_service *s)
{
    for (int i = s->base; s->fills && i < s->base + s->cells; i++)
        memory[i] = memory_must[i] = plan_range_value(seed, check_rank, i);
}

/* request NULL: blocking. */
static void service(const struct plan_service *s, MPI_Request *request)
{
    void *base = s->cells ? memory + s->base : NULL;
    MPI_Aint bytes = s->cells * (MPI_Aint)sizeof *memory;
    store(s);
#define RANGE base, bytes, s->step, s->tag, comms[s->comm]
    if (s->kinds == (1u << PLAN_PUT | 1u << PLAN_GET))
        request ? PA_Iavail(RANGE, request) : PA_Avail(RANGE);
    else if (s->kinds == 1u << PLAN_PUT)
        request ? PA_Iaccept(RANGE, s->count, request) : PA_Accept(RANGE, s->count);
    else if (s->kinds == 1u << PLAN_GET)
        request ? PA_Ioffer(RANGE, s->count, request) : PA_Offer(RANGE, s->count);
    else if (s->kinds == 1u << PLAN_PUTC)
        request ? PA_Iacceptc(RANGE, request) : PA_Acceptc(RANGE);
    else
        request ? PA_Iofferc(RANGE, request) : PA_Offerc(RANGE);
}

static MPI_Request *later(int unit)
{
    pending[pendings] = (struct pending){unit, MPI_REQUEST_NULL};
    return &pending[pendings++].request;
}

static void message(int index)
{
    const struct plan_ask *a = plan.ask;
    while (index < 0 ? a->unit != -1 - index : a != &plan.ask[index]) a++;
    struct type here = type_of(a->here), there = type_of(a->there);
    if (index >= 0)
        MPI_Isend(buffer + a->buffer, here.count, here.handle, a->target, 1000 + a->unit,
                  MPI_COMM_WORLD, &sending[sends++]);
    else {
        store(&plan.service[a->service]);
        MPI_Irecv(memory + plan.service[a->service].base, there.count, there.handle, a->origin,
                  1000 + a->unit, MPI_COMM_WORLD, later(a->unit));
    }
    type_free(&here);
    type_free(&there);
}

/* ---- completion ------------------------------------------------------------------------------ */

static void finish_some(int mode, int n, MPI_Request *open)
{
    int index, flag, some, indices[PLAN_SERVICES];
    for (int left = n; left > 0;) {
        switch (mode) {
        case 1:
            MPI_Waitany(n, open, &index, MPI_STATUS_IGNORE), some = index != MPI_UNDEFINED;
            break;
        case 2: MPI_Waitsome(n, open, &some, indices, MPI_STATUSES_IGNORE); break;
        case 4:
            MPI_Testany(n, open, &index, &flag, MPI_STATUS_IGNORE),
                some = flag && index != MPI_UNDEFINED;
            break;
        default: MPI_Testsome(n, open, &some, indices, MPI_STATUSES_IGNORE);
        }
        left -= some > 0 ? some : 0;
    }
}

static void finish_each(int n, MPI_Request *open)
{
    for (int left = n, flag; left > 0;)
        for (int i = 0; i < n; i++) {
            if (open[i] == MPI_REQUEST_NULL) continue;
            if (i % 2) MPI_Request_get_status(open[i], &flag, MPI_STATUS_IGNORE), flag = 0;
            MPI_Test(&open[i], &flag, MPI_STATUS_IGNORE);
            left -= flag;
        }
}

static void complete(unsigned units, int mode)
{
    MPI_Request open[PLAN_SERVICES];
    int n = 0, flag = 0;
    for (int i = 0; i < pendings; i++)
        if (pending[i].request != MPI_REQUEST_NULL && units >> pending[i].unit & 1) {
            open[n++] = pending[i].request;
            pending[i].request = MPI_REQUEST_NULL;
        }
    if (mode == 0 && n == 1)
        MPI_Wait(open, MPI_STATUS_IGNORE);
    else if (mode == 0)
        MPI_Waitall(n, open, MPI_STATUSES_IGNORE);
    else if (mode == 3)
        while (!flag) MPI_Testall(n, open, &flag, MPI_STATUSES_IGNORE);
    else if (mode == 6)
        finish_each(n, open);
    else
        finish_some(mode, n, open);
}

static MPI_Request take(int unit)
{
    for (int i = 0; i < pendings; i++)
        if (pending[i].unit == unit && pending[i].request != MPI_REQUEST_NULL) {
            MPI_Request request = pending[i].request;
            pending[i].request = MPI_REQUEST_NULL;
            return request;
        }
    return MPI_REQUEST_NULL;
}

static void cancel(int unit)
{
    MPI_Request request = take(unit);
    MPI_Status status;
    int cancelled = 0;
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    must(cancelled, "nobody put there, but it is not cancelled: unit", unit);
}

static void probe(int service)
{
    static const int op[2][2] = {{MPI_PUT_PROBED, MPI_PUTHOLD_PROBED},
                                 {MPI_GET_PROBED, MPI_GETHOLD_PROBED}};
    const struct plan_ask *a = plan.ask;
    MPI_Status status;
    int n = -1;
    while (a->service != service) a++;
    int origin = plan_rank_in(check_ranks, a->comm, a->origin);
    MPI_Probe(origin, a->tag, comms[a->comm], &status);
    MPI_Get_count(&status, MPI_LONG, &n);
    must(status.MPI_SOURCE == origin && status.MPI_TAG == a->tag &&
             status.MPI_OP == op[a->kind][a->hold] && n == a->here.n,
         "the probe before service", service);
}

/* ---- a program ------------------------------------------------------------------------------- */

static void check_cells(const long *found, const long *right, int from, int to, const char *what,
                        int which)
{
    int bad = 0;
    for (int i = from; i < to; i++) bad += found[i] != right[i];
    must(!bad, what, which);
}

static void apply(int index, int mode)
{
    plan_apply(&plan, seed, check_rank, index, mode, memory_must, buffer_must);
    for (int i = 0; i < plan.services; i++) {
        const struct plan_service *s = &plan.service[i];
        if (s->rank == check_rank && (mode ? i : s->unit) == index)
            check_cells(memory, memory_must, s->base, s->base + s->cells, "the range of service",
                        i);
    }
}

static void act(const struct plan_action *a)
{
    const struct plan_service *s = &plan.service[a->index >= 0 ? a->index % PLAN_SERVICES : 0];
    switch (a->what) {
    case PLAN_ASK: issue(&plan.ask[a->index]); break;
    case PLAN_POST: service(s, later(s->unit)); break;
    case PLAN_SERVE: service(s, NULL); break;
    case PLAN_COMPLETE: complete((unsigned)a->index, a->mode); break;
    case PLAN_APPLY: apply(a->index, a->mode); break;
    case PLAN_CANCEL: cancel(s->unit); break;
    case PLAN_FREE: {
        MPI_Request request = take(s->unit);
        MPI_Request_free(&request);
        break;
    }
    case PLAN_PROBE: probe(a->index); break;
    case PLAN_COMPUTE: sw_compute(a->index / 10.0); break;
    case PLAN_MESSAGE: message(a->index); break;
    }
}

static void one_program(void)
{
    plan_make(&plan, seed, check_ranks);
    pendings = sends = 0;
    for (int i = 0; i < plan.memory[check_rank]; i++) memory[i] = memory_must[i] = 0;
    for (int i = 0; i < plan.buffer[check_rank]; i++)
        buffer[i] = buffer_must[i] = plan_origin_value(seed, check_rank, i);
    for (int i = 0; i < plan.actions[check_rank]; i++) act(&plan.action[check_rank][i]);
    MPI_Waitall(sends, sending, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int u = 0; u < plan.units; u++)
        if (plan.unit[u].type == PLAN_DETACHED && plan.unit[u].target == check_rank) apply(u, 0);
    check_cells(memory, memory_must, 0, plan.memory[check_rank], "memory at the end, seed",
                (int)seed);
    check_cells(buffer, buffer_must, 0, plan.buffer[check_rank], "buffers at the end, seed",
                (int)seed);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    if (argc != 3 || check_ranks > PLAN_RANKS) {
        if (check_rank == 0)
            fprintf(stderr, "usage: put_accept_random FIRST-SEED HOW-MANY, 2 to %d ranks\n",
                    PLAN_RANKS);
        MPI_Finalize();
        return 2;
    }
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, check_rank == 0 && check_ranks > 2 ? MPI_UNDEFINED : 0,
                   -check_rank, &comms[2]);
    unsigned first = (unsigned)atoi(argv[1]), count = (unsigned)atoi(argv[2]);
    for (seed = first; seed < first + count; seed++) one_program();
    check(wrong == 0,
          "random programs that mix all calls of PUT/ACCEPT complete with the right values");
    return check_end();
}

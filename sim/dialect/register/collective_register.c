/* Ranks that register together: all of a communicator, or the caller and a group.
 *
 * Collective: the first to come makes the meeting, a barrier follows the last one; what it costs is
 * that barrier, for each arrival brings a handle's number and a digest of the type map along.
 * Sparse: a token to each of the group, which brings the same, and one from each, as MPI_Win_post
 * and MPI_Win_start match (MPI-2 11.4.2).
 */
#include "sync/machine/machine.h"
#include "dialect/register/inside.h"

/* What one rank brings. */
struct arrival {
    int rank; /* in the communicator */
    struct dialect_part *part;
    char *error; /* NULL: none */
    int class;
};

struct dialect_meeting {
    struct dialect_rank_group *ranks;
    struct sync_barrier *barrier;
    int number; /* the communicator's */
    enum dialect_kind kind;
    int joined;
    bool mixed; /* different calls, or communicators */
    int refs;
    struct arrival *arrival; /* by member; parts stay until all have left */
    GHashTable *inside;      /* groups that have been asked about -> whether they are inside */
};

/* ---- do two agree? --------------------------------------------------------------------------- */

/* NULL: they do. */
static char *difference(const struct arrival *a, const struct arrival *b)
{
    const struct dialect_object *one = &a->part->object, *other = &b->part->object;
    if (one->kind == DIALECT_TYPE) {
        g_autofree char *where = dialect_map_difference(one->known, a->rank, other->known, b->rank);
        return where ? g_strdup_printf("the type maps differ: %s", where) : NULL;
    }
    if (one->predefined == other->predefined && (!one->predefined || one->known == other->known))
        return NULL;
    return g_strdup_printf("rank %d registers a predefined operation, rank %d a different one",
                           one->predefined ? a->rank : b->rank,
                           one->predefined ? b->rank : a->rank);
}

static char *fault(const struct arrival *of, int rank, int *class)
{
    *class = of->rank == rank ? of->class : MPI_ERR_OTHER;
    return of->rank == rank ? g_strdup(of->error)
                            : g_strdup_printf("rank %d: %s", of->rank, of->error);
}

static int class_of(enum dialect_kind kind)
{
    return kind == DIALECT_TYPE ? MPI_ERR_TYPE : MPI_ERR_OP;
}

/* ---- collective ------------------------------------------------------------------------------ */

static GHashTable *joining; /* rank group -> the registration that its members are joining */

static struct dialect_meeting *join(const struct dialect_comm *comm, struct dialect_part *part,
                                    const char *error, int class)
{
    struct dialect_rank_group *ranks = comm->ranks;
    if (!joining) joining = g_hash_table_new(NULL, NULL);
    struct dialect_meeting *meeting = g_hash_table_lookup(joining, ranks);
    if (!meeting) {
        meeting = g_new(struct dialect_meeting, 1);
        *meeting = (struct dialect_meeting){.ranks = ranks,
                                            .barrier = sync_barrier_new(ranks->members),
                                            .number = comm->number,
                                            .kind = part->object.kind,
                                            .arrival = g_new0(struct arrival, ranks->members)};
        g_hash_table_insert(joining, ranks, meeting);
    }
    if (meeting->number != comm->number || meeting->kind != part->object.kind)
        meeting->mixed = true;
    meeting->arrival[comm->comm_rank] =
        (struct arrival){comm->comm_rank, part, g_strdup(error), class};
    meeting->refs++;
    if (++meeting->joined == ranks->members) g_hash_table_remove(joining, ranks);
    return meeting;
}

void dialect_meeting_unref(struct dialect_meeting *meeting)
{
    if (--meeting->refs > 0) return;
    for (int i = 0; i < meeting->ranks->members; i++) {
        dialect_part_unref(meeting->arrival[i].part);
        g_free(meeting->arrival[i].error);
    }
    sync_barrier_free(meeting->barrier);
    if (meeting->inside) g_hash_table_unref(meeting->inside);
    g_free(meeting->arrival);
    g_free(meeting);
}

/* The same at every member, but for the words about itself. */
static char *judge(const struct dialect_meeting *meeting, int comm_rank, int *class,
                   struct dialect_beside *beside)
{
    const struct arrival *first = NULL;
    for (int i = 0; i < meeting->ranks->members; i++) {
        if (meeting->arrival[i].error && (!first || i == comm_rank)) first = &meeting->arrival[i];
    }
    if (first && first->rank != comm_rank) *beside = first->part->by;
    if (first) return fault(first, comm_rank, class);
    *class = class_of(meeting->kind);
    if (meeting->mixed)
        return g_strdup("the ranks register different objects, or over different communicators");
    GString *text = NULL;
    for (int i = 1; i < meeting->ranks->members; i++) {
        g_autofree char *where = difference(&meeting->arrival[0], &meeting->arrival[i]);
        if (where && text) g_string_append_printf(text, "; rank %d differs from rank 0 as well", i);
        if (where && !text) {
            text = g_string_new(where);
            *beside = meeting->arrival[i == comm_rank ? 0 : i].part->by;
        }
    }
    return text ? g_string_free(text, FALSE) : NULL;
}

char *dialect_collective_register(struct world_rank *r, const struct dialect_comm *comm,
                                  struct dialect_object object, const char *error, int *class,
                                  struct dialect_beside *beside, struct dialect_part **registered)
{
    struct dialect_part *part = dialect_part_new(r, comm->comm, object);
    int comm_rank = comm->comm_rank;
    struct dialect_meeting *meeting = join(comm, part, error, *class);
    sync_barrier_wait(meeting->barrier, r->proc); /* everybody has joined */
    char *wrong = judge(meeting, comm_rank, class, beside);
    if (wrong || object.predefined) {
        dialect_meeting_unref(meeting);
        return wrong;
    }
    part->over = meeting; /* its reference */
    *registered = g_rc_box_acquire(part);
    return NULL;
}

struct dialect_part *dialect_meeting_part(const struct dialect_meeting *meeting, int rank)
{
    const struct dialect_rank_group *ranks = meeting->ranks;
    for (int i = rank < ranks->members && ranks->world_rank[rank] == rank ? rank : 0;
         i < ranks->members; i++)
        if (ranks->world_rank[i] == rank) return meeting->arrival[i].part;
    return NULL;
}

bool dialect_meeting_holds(struct dialect_meeting *meeting, const struct dialect_rank_group *ranks)
{
    gpointer known;
    if (ranks == meeting->ranks) return true;
    if (!meeting->inside) meeting->inside = g_hash_table_new(NULL, NULL);
    if (g_hash_table_lookup_extended(meeting->inside, ranks, NULL, &known))
        return GPOINTER_TO_INT(known);
    bool inside = true;
    for (int i = 0; inside && i < ranks->members; i++)
        inside = dialect_meeting_part(meeting, ranks->world_rank[i]) != NULL;
    g_hash_table_insert(meeting->inside, (void *)(uintptr_t)ranks, GINT_TO_POINTER(inside));
    return inside;
}

/* ---- sparse ---------------------------------------------------------------------------------- */

/* Another rank's call that names this one, on its way or arrived. */
struct token {
    struct world_rank *to;
    const struct dialect_rank_group *ranks;
    int number, from; /* the communicator's; world rank */
    struct arrival arrival;
};

/* From whom, over which communicator. */
static guint token_hash(const void *a)
{
    const struct token *token = a;
    return (guint)token->from * 2654435761u ^ (guint)token->number ^ g_direct_hash(token->ranks);
}

static gboolean token_equal(const void *a, const void *b)
{
    const struct token *x = a, *y = b;
    return x->from == y->from && x->number == y->number && x->ranks == y->ranks;
}

/* Those that have come, in the order of the calls; NULL: none ever. */
static GQueue *arrived_of(struct world_rank *r, const struct token *key, bool make)
{
    struct dialect_register_state *state = dialect_register_of(r);
    if (!state->tokens)
        state->tokens =
            g_hash_table_new_full(token_hash, token_equal, g_free, (GDestroyNotify)g_queue_free);
    GQueue *arrived = g_hash_table_lookup(state->tokens, key);
    if (!arrived && make)
        g_hash_table_insert(state->tokens, g_memdup2(key, sizeof *key), arrived = g_queue_new());
    return arrived;
}

static void arrive(void *data, double at_s)
{
    (void)at_s;
    struct token *token = data;
    g_queue_push_tail(arrived_of(token->to, token, true), token);
    kern_gate_open(token->to->proc->gate);
}

struct waiting {
    struct world_rank *r;
    const struct dialect_comm *comm;
    const int *peers;
    int n;
};

static bool all_here(void *data)
{
    const struct waiting *w = data;
    for (int i = 0; i < w->n; i++) {
        const struct token key = {
            .ranks = w->comm->ranks, .number = w->comm->number, .from = w->peers[i]};
        const GQueue *arrived = arrived_of(w->r, &key, false);
        if (!arrived || g_queue_is_empty((GQueue *)arrived)) return false;
    }
    return true;
}

static void send_error(struct world_rank *r, const struct dialect_comm *comm, int to,
                       struct dialect_part *part, const char *error, int class)
{
    struct token *token = g_new(struct token, 1);
    *token = (struct token){world_rank_of(to),
                            comm->ranks,
                            comm->number,
                            r->rank,
                            {comm->comm_rank, g_rc_box_acquire(part), g_strdup(error), class}};
    sync_tell(r->proc, to, arrive, token);
}

/* What is wrong with the pair; NULL: nothing. Takes the token's reference of its part over into
 * `others`. */
static char *take(struct token *token, const struct arrival *own, GHashTable *others, int *class)
{
    char *wrong = NULL;
    const struct dialect_object *theirs = &token->arrival.part->object;
    *class = class_of(own->part->object.kind);
    if (token->arrival.error)
        wrong = fault(&token->arrival, own->rank, class);
    else if (!own->error && theirs->kind != own->part->object.kind)
        wrong = g_strdup_printf("rank %d registers %s", token->arrival.rank,
                                theirs->kind == DIALECT_TYPE ? "a datatype" : "an operation");
    else if (!own->error)
        wrong = difference(own, &token->arrival);
    g_hash_table_insert(others, GINT_TO_POINTER(token->from), token->arrival.part);
    g_free(token->arrival.error);
    g_free(token);
    return wrong;
}

char *dialect_sparse_register(struct world_rank *r, const struct dialect_comm *comm,
                              const int *peers, int n, struct dialect_object object,
                              const char *error, int *class, struct dialect_beside *beside,
                              struct dialect_part **registered)
{
    struct dialect_part *part = dialect_part_new(r, comm->comm, object);
    struct waiting waiting = {r, comm, peers, n};
    struct arrival own = {comm->comm_rank, part, (char *)error, *class};
    for (int i = 0; i < n; i++) send_error(r, comm, peers[i], part, error, *class);
    serve_wait(r->proc, PROFILE_PARTNER, all_here, &waiting);
    char *wrong = error ? g_strdup(error) : NULL;
    part->others = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)dialect_part_unref);
    for (int i = 0; i < n; i++) {
        const struct token key = {.ranks = comm->ranks, .number = comm->number, .from = peers[i]};
        int one = MPI_SUCCESS;
        g_autofree char *pair =
            take(g_queue_pop_head(arrived_of(r, &key, false)), &own, part->others, &one);
        if (!pair || wrong) continue;
        const struct dialect_part *theirs =
            g_hash_table_lookup(part->others, GINT_TO_POINTER(peers[i]));
        wrong = g_steal_pointer(&pair);
        *class = one;
        *beside = theirs->by;
    }
    if (wrong || object.predefined) {
        g_hash_table_unref(part->others); /* the others may go on holding this part */
        part->others = NULL;
        part->ended = wrong != NULL;
        dialect_part_unref(part);
    } else {
        *registered = part;
    }
    return wrong;
}

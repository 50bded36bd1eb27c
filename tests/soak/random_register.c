/* Random programs of registered datatypes and operations with one allowed outcome: random_register
 * SEED EPOCHS fence|pscw|lock [required].
 *
 * Every rank draws the same datatypes and operations, builds each datatype by constructors of its
 * own choice, and registers it over MPI_COMM_WORLD, over halves of it, sparsely among random pairs,
 * or not at all; now and then a rank takes one back. In an epoch each slot of each window is left
 * alone, put to or got by one rank, or accumulated to by some, with MPI_SUM or an operation of the
 * program's that commutes and whose function depends on the rank it runs at. What is registered
 * between whom is known here, too: a call must be refused where it is not (`required`: for
 * datatypes as well), and then nothing happens. After each epoch every rank compares its windows,
 * by loads, and what it got. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "type_register.h"

enum {
    SLOTS = 6,
    SLOT = 16,
    CELLS = SLOTS * SLOT,
    RANKS_MAX = 16,
    TYPES = 5,
    OPS = 3,
    WINDOWS = 2,
    PRIME = 10007
};
enum way { NOWHERE, WORLD, HALVES, PAIRS, WAYS };
enum act { NOTHING, PUT, GET, SUM, OWN, ACTS };

static uint64_t state;
static unsigned draw_from(uint64_t *from, unsigned n)
{
    *from = *from * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*from >> 33) % n;
}
static unsigned draw(unsigned n) { return draw_from(&state, n); }

static int me, ranks, required, wrong;
static MPI_Comm half;
static int half_of[RANKS_MAX];

/* ---- operations: the target's `bias` counts -------------------------------------------------- */

static long bias;
static long bias_of(int rank) { return 3 + 2 * rank; }

static long apply_one(int op, long a, long b, long with)
{
    return op == 0 ? b + a * with : b > a + with ? b : a + with;
}

static long residue(long n) { return (n % PRIME + PRIME) % PRIME; }

static void apply_pair(const long *a, long *b, long with) /* complex numbers modulo a prime */
{
    long re = b[0] % PRIME, im = b[1] % PRIME;
    b[0] = residue((a[0] * re - a[1] * im) * with);
    b[1] = residue((a[0] * im + a[1] * re) * with);
}

static void added(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *len; i++)
        ((long *)inout)[i] = apply_one(0, ((long *)in)[i], ((long *)inout)[i], bias);
}

static void most(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *len; i++)
        ((long *)inout)[i] = apply_one(1, ((long *)in)[i], ((long *)inout)[i], bias);
}

static void product(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *len; i++) apply_pair((long *)in + 2 * i, (long *)inout + 2 * i, bias);
}

/* ---- what is registered, and between whom ---------------------------------------------------- */

struct object {
    enum way way;
    int pair[RANKS_MAX][RANKS_MAX], took[RANKS_MAX], live[RANKS_MAX];
    MPI_Datatype type;
    MPI_Op op;
};
static struct object type_of[TYPES], op_of[OPS];
/* where a datatype's longs lie; the last ones are for pairs */
static int at[TYPES][SLOT], longs[TYPES];

static int pairs_only(int type) { return type >= TYPES - 2; }

static int good(const struct object *o, int origin, int target, int window)
{
    if (!o->live[origin] || !o->live[target]) return 0;
    if (o->way == WORLD) return 1;
    if (o->way == PAIRS) return origin == target || o->pair[origin][target];
    int size = 0;
    for (int r = 0; r < ranks; r++) size += half_of[r] == half_of[origin];
    return half_of[origin] == half_of[target] && (window == 1 || size == ranks);
}

static void plan(struct object *o)
{
    o->way = (enum way)draw(WAYS);
    for (int a = 0; a < ranks; a++)
        for (int b = 0; b < a; b++) o->pair[a][b] = o->pair[b][a] = draw(2) == 0;
    for (int r = 0; r < ranks; r++) {
        o->took[r] = o->way == WORLD || o->way == HALVES;
        for (int b = 0; o->way == PAIRS && b < ranks; b++) o->took[r] |= o->pair[r][b];
        o->live[r] = o->took[r];
    }
}

static MPI_Comm over(const struct object *o) { return o->way == HALVES ? half : MPI_COMM_WORLD; }

static void enroll(struct object *o, int is_type)
{
    int code = MPI_SUCCESS;
    if (!o->took[me]) return;
    if (o->way == PAIRS) {
        MPI_Group all, group;
        int peer[RANKS_MAX], n = 0;
        for (int r = 0; r < ranks; r++)
            if (o->pair[me][r] || (r == me && draw_from(&(uint64_t){(uint64_t)me}, 2)))
                peer[n++] = r;
        MPI_Comm_group(MPI_COMM_WORLD, &all);
        MPI_Group_incl(all, n, peer, &group);
        code = is_type ? MPI_Type_register_sparse(o->type, group, MPI_COMM_WORLD)
                       : MPI_Op_register_sparse(o->op, group, MPI_COMM_WORLD);
        MPI_Group_free(&group);
        MPI_Group_free(&all);
    } else {
        code = is_type ? MPI_Type_register(o->type, over(o)) : MPI_Op_register(o->op, over(o));
    }
    wrong += code != MPI_SUCCESS;
}

static void take_back(struct object *o, int is_type)
{
    int code = MPI_SUCCESS;
    if (o->live[me])
        code = is_type ? MPI_Type_dereg(o->type, over(o)) : MPI_Op_dereg(o->op, over(o));
    wrong += code != MPI_SUCCESS;
}

/* ---- the same type map, built in many ways --------------------------------------------------- */

static void build(int k, uint64_t *taste)
{
    MPI_Datatype element = MPI_LONG, made;
    int n = longs[k], place[SLOT], length[SLOT], width = pairs_only(k) ? 2 : 1;
    MPI_Aint bytes[SLOT];
    if (width == 2) {
        MPI_Type_contiguous(2, MPI_LONG, &element);
        n /= 2;
    }
    for (int i = 0; i < n; i++)
        place[i] = at[k][i * width] / width, bytes[i] = at[k][i * width] * (MPI_Aint)sizeof(long),
        length[i] = 1;
    switch (draw_from(taste, 5)) {
    case 0: MPI_Type_indexed(n, length, place, element, &made); break;
    case 1: MPI_Type_create_hindexed(n, length, bytes, element, &made); break;
    case 2: MPI_Type_create_indexed_block(n, 1, place, element, &made); break;
    case 3: MPI_Type_create_hindexed_block(n, 1, bytes, element, &made); break;
    default: {
        MPI_Datatype inner;
        MPI_Type_create_indexed_block(n, 1, place, element, &inner);
        MPI_Type_vector(1, 1, 7, inner, &made);
        MPI_Type_free(&inner);
    }
    }
    if (draw_from(taste, 2)) {
        MPI_Type_dup(made, &type_of[k].type);
        MPI_Type_free(&made);
    } else {
        type_of[k].type = made;
    }
    MPI_Type_commit(&type_of[k].type);
    if (width == 2) MPI_Type_free(&element);
}

static void plan_type(int k)
{
    int width = pairs_only(k) ? 2 : 1, kept = 0;
    for (int c = 0; c + width <= SLOT; c += width)
        if (draw(3) > 0 || (kept == 0 && c + 2 * width > SLOT))
            for (int i = 0; i < width; i++) at[k][kept++] = c + i;
    longs[k] = kept;
}

/* ---- epochs ---------------------------------------------------------------------------------- */

static long *cell[WINDOWS], expected[WINDOWS][RANKS_MAX][CELLS],
    got[RANKS_MAX][WINDOWS][SLOTS][SLOT], sent[RANKS_MAX][WINDOWS][SLOTS][SLOT];
static MPI_Win win[WINDOWS];
static MPI_Group members[WINDOWS];
static struct {
    enum act act;
    int by, type, op;
} todo[WINDOWS][RANKS_MAX][SLOTS];

static int takes_part(int w, int origin, int target)
{
    return w == 0 || half_of[origin] == half_of[target];
}

static int member_of(int w, int rank)
{
    int place = 0;
    for (int r = 0; r < rank; r++) place += takes_part(w, r, rank);
    return place;
}

static int acts(int w, int t, int s, int origin)
{
    if (!takes_part(w, origin, t)) return 0;
    enum act act = todo[w][t][s].act;
    if (act == PUT || act == GET) return todo[w][t][s].by == origin;
    return (act == SUM || act == OWN) && (origin + todo[w][t][s].by) % 2 == 0;
}

/* The error class that the call must return. */
static int verdict(int w, int t, int s, int origin)
{
    if (todo[w][t][s].act == OWN && !good(&op_of[todo[w][t][s].op], origin, t, w))
        return MPI_ERR_OP;
    if (required && !good(&type_of[todo[w][t][s].type], origin, t, w)) return MPI_ERR_TYPE;
    return MPI_SUCCESS;
}

static long value_of(int epoch, int w, int t, int s, int origin, int i)
{
    return 1 + (7L * epoch + 11 * w + 5 * t + 3 * s + 2 * origin + i) % 97;
}

static void issue(int epoch, int w, int t, int s)
{
    int k = todo[w][t][s].type, n = longs[k], code = MPI_SUCCESS, class = MPI_SUCCESS;
    long *out = sent[t][w][s], *in = got[t][w][s];
    MPI_Datatype type = type_of[k].type;
    for (int i = 0; i < n; i++) out[i] = value_of(epoch, w, t, s, me, i);
    int target = member_of(w, t);
    MPI_Aint disp = (MPI_Aint)s * SLOT;
    switch (todo[w][t][s].act) {
    case PUT: code = MPI_Put(out, n, MPI_LONG, target, disp, 1, type, win[w]); break;
    case GET: code = MPI_Get(in, n, MPI_LONG, target, disp, 1, type, win[w]); break;
    case SUM:
        code = MPI_Accumulate(out, n, MPI_LONG, target, disp, 1, type, MPI_SUM, win[w]);
        break;
    case OWN:
        code = MPI_Accumulate(out, n, MPI_LONG, target, disp, 1, type, op_of[todo[w][t][s].op].op,
                              win[w]);
        break;
    default: break;
    }
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
    if (class != verdict(w, t, s, me))
        wrong++,
            printf("rank %d: act %d to rank %d gave class %d\n", me, todo[w][t][s].act, t, class);
}

/* What the epoch does to the slot, and what was got from it before. */
static void predict(int epoch, int w, int t, int s)
{
    int k = todo[w][t][s].type;
    for (int r = 0; r < ranks; r++) {
        if (!acts(w, t, s, r) || verdict(w, t, s, r) != MPI_SUCCESS) continue;
        for (int i = 0; i < longs[k]; i++) {
            long *c = &expected[w][t][s * SLOT + at[k][i]], value = value_of(epoch, w, t, s, r, i);
            if (todo[w][t][s].act == GET && r == me) wrong += got[t][w][s][i] != *c;
            if (todo[w][t][s].act == PUT) *c = value;
            if (todo[w][t][s].act == SUM) *c += value;
            if (todo[w][t][s].act == OWN && todo[w][t][s].op < 2)
                *c = apply_one(todo[w][t][s].op, value, *c, bias_of(t));
            if (todo[w][t][s].act == OWN && todo[w][t][s].op == 2 && i % 2 == 0) {
                long factor[2] = {value, value_of(epoch, w, t, s, r, i + 1)};
                apply_pair(factor, c, bias_of(t));
            }
        }
    }
}

static void epoch_of(int epoch, const char *how)
{
    for (int w = 0; w < WINDOWS; w++) {
        if (*how == 'f') MPI_Win_fence(0, win[w]);
        if (*how == 'p') {
            MPI_Win_post(members[w], 0, win[w]);
            MPI_Win_start(members[w], 0, win[w]);
        }
        for (int t = 0; t < ranks; t++) {
            if (!takes_part(w, me, t)) continue;
            if (*how == 'l') MPI_Win_lock(MPI_LOCK_SHARED, member_of(w, t), 0, win[w]);
            for (int s = 0; s < SLOTS; s++)
                if (acts(w, t, s, me)) issue(epoch, w, t, s);
            if (*how == 'l') MPI_Win_unlock(member_of(w, t), win[w]);
        }
        if (*how == 'f') MPI_Win_fence(0, win[w]);
        if (*how == 'p') {
            MPI_Win_complete(win[w]);
            MPI_Win_wait(win[w]);
        }
        if (*how == 'l') { /* everybody is done; now what they did becomes visible here */
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, member_of(w, me), 0, win[w]);
            MPI_Win_unlock(member_of(w, me), win[w]);
        }
        for (int t = 0; t < ranks; t++)
            for (int s = 0; s < SLOTS; s++) predict(epoch, w, t, s);
        for (int c = 0; c < CELLS; c++)
            if (cell[w][c] != expected[w][me][c])
                wrong++, printf("rank %d: window %d, cell %d: %ld, not %ld\n", me, w, c, cell[w][c],
                                expected[w][me][c]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 4 || argc > 5 || ranks > RANKS_MAX) {
        if (me == 0)
            fprintf(stderr,
                    "usage: random_register SEED EPOCHS fence|pscw|lock [required]   (at most %d "
                    "ranks)\n",
                    RANKS_MAX);
        MPI_Finalize();
        return 2;
    }
    state = strtoull(argv[1], NULL, 10);
    required = argc == 5;
    bias = bias_of(me);
    for (int r = 0; r < ranks; r++) half_of[r] = (int)draw(2);
    MPI_Comm_split(MPI_COMM_WORLD, half_of[me], me, &half);
    MPI_User_function *const function[OPS] = {added, most, product};
    uint64_t taste = state + (uint64_t)me;
    for (int k = 0; k < TYPES; k++) {
        plan_type(k);
        build(k, &taste);
        plan(&type_of[k]);
        enroll(&type_of[k], 1);
    }
    for (int k = 0; k < OPS; k++) {
        MPI_Op_create(function[k], 1, &op_of[k].op);
        plan(&op_of[k]);
        enroll(&op_of[k], 0);
    }
    const MPI_Comm comm[WINDOWS] = {MPI_COMM_WORLD, half};
    for (int w = 0; w < WINDOWS; w++) {
        MPI_Win_allocate(CELLS * sizeof(long), sizeof(long), MPI_INFO_NULL, comm[w], &cell[w],
                         &win[w]);
        MPI_Win_set_errhandler(win[w], MPI_ERRORS_RETURN);
        MPI_Win_get_group(win[w], &members[w]);
    }
    for (int epoch = 0; epoch < atoi(argv[2]); epoch++) {
        for (int w = 0; w < WINDOWS; w++)
            for (int t = 0; t < ranks; t++)
                for (int s = 0; s < SLOTS; s++) {
                    todo[w][t][s].act = (enum act)draw(ACTS);
                    todo[w][t][s].by = (int)draw((unsigned)ranks);
                    todo[w][t][s].op = (int)draw(OPS);
                    todo[w][t][s].type = todo[w][t][s].act == OWN && todo[w][t][s].op == 2
                                             ? TYPES - 1 - (int)draw(2)
                                             : (int)draw(TYPES - 2);
                }
        epoch_of(epoch, argv[3]);
        for (int n = 0; n < 2; n++) {
            struct object *o = draw(3) == 0 ? &type_of[draw(TYPES)] : &op_of[draw(OPS)];
            int who = (int)draw((unsigned)ranks);
            if (draw(2)) continue;
            if (who == me) take_back(o, o < op_of || o >= op_of + OPS);
            o->live[who] = 0;
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int k = 0; k < TYPES; k++)
        take_back(&type_of[k], 1), wrong += MPI_Type_free(&type_of[k].type) != MPI_SUCCESS;
    for (int k = 0; k < OPS; k++)
        take_back(&op_of[k], 0), wrong += MPI_Op_free(&op_of[k].op) != MPI_SUCCESS;
    for (int w = 0; w < WINDOWS; w++) MPI_Group_free(&members[w]), MPI_Win_free(&win[w]);
    MPI_Comm_free(&half);
    if (wrong) printf("rank %d: %d things are wrong\n", me, wrong);
    MPI_Finalize();
    return wrong > 0;
}

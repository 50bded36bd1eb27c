/* Random race-free programs with windows of all flavours: windows SEED ROUNDS [large].
 *
 * Every rank draws the same program: pieces of memory (variables, the heap, MPI_Alloc_mem, what
 * MPI_Win_allocate and MPI_Win_allocate_shared give), windows over them and over parts of them
 * again, on several communicators, with displacement units that differ by rank. In each round one
 * of the windows is synchronised in one of four ways; its bytes are cut into pieces, each of which
 * is left alone, stored to by its owner, put to, got, accumulated to by several, or goes through a
 * chain of operations of one origin, with random datatypes on both sides. The standard allows one
 * outcome, which every rank works out in plain memory and compares with what it loads and got. */
#include "layouts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANKS_MAX = 8, BLOCKS = 3, WINDOWS = 6, MOST = 90000, MARGIN = 32, PENDING = 4096 };

static int me, ranks, wrong, round_now;
static unsigned char *mine[BLOCKS], *plain[BLOCKS][RANKS_MAX];
static size_t size_of[BLOCKS][RANKS_MAX];

struct window {
    int flavor, block, separate;
    size_t from[RANKS_MAX], bytes[RANKS_MAX];
    int unit[RANKS_MAX];
    MPI_Aint base[RANKS_MAX]; /* dynamic: what displacements count from */
    MPI_Comm comm;
    int part[RANKS_MAX], rank_in[RANKS_MAX], local[RANKS_MAX]; /* which communicator, whom there */
    MPI_Win win;
};
static struct window window[WINDOWS];
static int windows;

static void fails(const char *format, ...)
{
    va_list args;
    if (wrong++) return;
    printf("round %d, rank %d: ", round_now, me);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

/* ---- what an operation does to plain memory -------------------------------------------------- */

struct kind {
    MPI_Datatype type;
    int size, pair;
};
static struct kind draw_kind(void)
{
    switch (draw(6)) {
    case 0: return (struct kind){MPI_BYTE, 1, 0};
    case 1: return (struct kind){MPI_UNSIGNED_CHAR, 1, 0};
    case 2: return (struct kind){MPI_UNSIGNED_SHORT, 2, 0};
    case 3: return (struct kind){MPI_UNSIGNED, 4, 0};
    case 4: return (struct kind){MPI_UNSIGNED_LONG, 8, 0};
    default: return (struct kind){MPI_2INT, 8, 1};
    }
}

enum operator{ REPLACE, NO_OP, SUM, MAX, MIN, AND, OR, XOR, MAXLOC, MINLOC };
static MPI_Op handle(enum operator o)
{
    switch (o) {
    case REPLACE: return MPI_REPLACE;
    case NO_OP: return MPI_NO_OP;
    case SUM: return MPI_SUM;
    case MAX: return MPI_MAX;
    case MIN: return MPI_MIN;
    case AND: return MPI_BAND;
    case OR: return MPI_BOR;
    case XOR: return MPI_BXOR;
    case MAXLOC: return MPI_MAXLOC;
    default: return MPI_MINLOC;
    }
}
static enum operator draw_operator(struct kind k, int of_several)
{
    if (k.pair) return (enum operator)(MAXLOC + (int)draw(2));
    if (k.type == MPI_BYTE) return (enum operator)(AND + (int)draw(3));
    if (!of_several && draw(4) == 0) return REPLACE;
    return (enum operator)(SUM + (int)draw(6));
}
static void combine(enum operator o, struct kind k, unsigned char *to, const unsigned char *in)
{
    uint64_t a = 0, b = 0;
    if (k.pair && o != REPLACE) {
        int t[2], i[2];
        memcpy(t, to, 8);
        memcpy(i, in, 8);
        int better = o == MAXLOC ? i[0] > t[0] : i[0] < t[0];
        if (better || (i[0] == t[0] && i[1] < t[1])) memcpy(to, in, 8);
        return;
    }
    memcpy(&a, to, (size_t)k.size);
    memcpy(&b, in, (size_t)k.size);
    switch (o) {
    case REPLACE: a = b; break;
    case SUM: a += b; break;
    case MAX: a = a > b ? a : b; break;
    case MIN: a = a < b ? a : b; break;
    case AND: a &= b; break;
    case OR: a |= b; break;
    case XOR: a ^= b; break;
    default: break;
    }
    memcpy(to, &a, (size_t)k.size);
}

/* ---- buffers of one round: operations read them and write them until it is over ----------------
 */

static unsigned char *arena;
static size_t arena_used;
enum { ARENA = 1 << 22 };
static unsigned char *buffer(size_t bytes, int random)
{
    arena_used = (arena_used + 15) & ~(size_t)15;
    unsigned char *p = arena + arena_used;
    if (arena_used + bytes > ARENA) abort();
    arena_used += bytes;
    for (size_t i = 0; i < bytes; i++) p[i] = random ? (unsigned char)draw(256) : 0xa5;
    return p;
}
static struct {
    unsigned char *got, *expected;
    size_t bytes;
    const char *what;
} pending[PENDING];
static int pendings;
static void expect(unsigned char *got, unsigned char *expected, size_t bytes, const char *what)
{
    if (pendings == PENDING) abort();
    pending[pendings].got = got;
    pending[pendings].expected = expected;
    pending[pendings].bytes = bytes;
    pending[pendings++].what = what;
}
static void compare(const unsigned char *found, const unsigned char *expected, size_t bytes,
                    const char *what, int which, size_t from)
{
    if (memcmp(found, expected, bytes) == 0) return;
    size_t i = 0, n = 0;
    while (found[i] == expected[i]) i++;
    for (size_t j = i; j < bytes; j++) n += found[j] != expected[j];
    fails("%s %d: byte %zu is %02x, not %02x (%zu are wrong)", what, which, from + i, found[i],
          expected[i], n);
}
static void compare_pending(void)
{
    for (int i = 0; i < pendings; i++)
        compare(pending[i].got, pending[i].expected, pending[i].bytes, pending[i].what, i, 0);
    pendings = 0;
}

/* ---- operations ------------------------------------------------------------------------------ */

enum how { FENCE, PSCW, LOCK, LOCK_ALL, HOWS };
static MPI_Request request[PENDING];
static int requests;

struct target {
    struct window *w;
    int rank; /* of the world */
    unsigned char *bytes;
    int passive; /* requests and flushes */
};
static struct layout there, here, result;

static MPI_Aint displacement(const struct target *t, size_t at)
{
    return t->w->base[t->rank] + (MPI_Aint)(at / (size_t)t->w->unit[t->rank]);
}
/* A layout of elements of [at, at + n) of the target, and the displacement to use it with. */
static int draw_there(const struct target *t, struct kind k, size_t at, size_t n, MPI_Aint *disp)
{
    int unit = t->w->unit[t->rank];
    size_t elements = n / (size_t)k.size, used = at / (size_t)unit;
    if (!elements) return 0;
    if (draw(3) == 0) used = draw((unsigned)used + 20); /* places may lie below, or far above */
    ptrdiff_t shift = (ptrdiff_t)at - (ptrdiff_t)used * unit;
    elements = 1 + draw((unsigned)elements);
    uint64_t again = state;
    draw_layout(&there, k.type, k.size, (int)elements, 0, shift);
    if (there.high - shift > (ptrdiff_t)n || there.low < shift) {
        free_layout(&there);
        state = again;
        draw_layout(&there, k.type, k.size, (int)elements, 1, shift);
    }
    *disp = t->w->base[t->rank] + (MPI_Aint)used;
    for (int i = 0; i < there.n; i++) there.at[i] += (ptrdiff_t)used * unit;
    return there.n;
}
static void asked(MPI_Request r)
{
    if (requests == PENDING) abort();
    request[requests++] = r;
}
static void local(const struct target *t, size_t at, size_t n)
{
    uint64_t value = draw(1 << 30);
    unsigned way = draw(4);
    unsigned char *to = mine[t->w->block] + t->w->from[t->rank] + at;
    for (size_t i = 0; i < n; i++) t->bytes[at + i] = (unsigned char)(value * (i + 1) >> 7);
    if (t->rank != me) return;
    const unsigned char *from = t->bytes + at;
    if (way == 0)
        for (size_t i = 0; i < n; i++) ((volatile unsigned char *)to)[i] = from[i];
    else if (way == 1)
        memcpy(to, from, n);
    else if (way == 2)
        MPI_Sendrecv(from, (int)n, MPI_BYTE, 0, 1, to, (int)n, MPI_BYTE, 0, 1, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
    else
        for (size_t i = n; i-- > 0;) to[i] = from[i];
}
/* Puts, gets and accumulates of `origin`; o: NO_OP gets, REPLACE with !accumulate puts. */
static void transfer(const struct target *t, int origin, struct kind k, size_t at, size_t n,
                     enum operator o, int accumulate, int fetch)
{
    MPI_Aint disp;
    int count = draw_there(t, k, at, n, &disp), to = t->w->rank_in[t->rank];
    if (!count) return;
    unsigned asking = draw(3), seed = draw(1 << 30);
    draw_layout(&here, k.type, k.size, count, 0, 0);
    draw_layout(&result, k.type, k.size, count, 0, 0);
    uint64_t common = state;
    state = seed;
    const size_t room = (size_t)(here.high > 0 ? here.high : 0), kept = (size_t)result.high;
    int reads = !accumulate && o == NO_OP;
    unsigned char *buf = buffer(room, !reads), *res = buffer(kept, 0), *want = NULL;
    if (reads || fetch) want = buffer(reads ? room : kept, 0);
    for (int i = 0; i < count; i++) {
        unsigned char *b = t->bytes + there.at[i];
        if (reads) memcpy(want + here.at[i], b, (size_t)k.size);
        if (fetch) memcpy(want + result.at[i], b, (size_t)k.size);
        if (!reads && o != NO_OP) combine(o, k, b, buf + here.at[i]);
    }
    state = common;
    if (origin == me) {
        MPI_Request r = MPI_REQUEST_NULL;
        MPI_Win win = t->w->win;
        int ask = t->passive && asking == 0;
        MPI_Datatype ht = here.type, tt = there.type, rt = result.type;
        int hc = here.count, tc = there.count, rc = result.count;
        if (reads && ask)
            MPI_Rget(buf, hc, ht, to, disp, tc, tt, win, &r);
        else if (reads)
            MPI_Get(buf, hc, ht, to, disp, tc, tt, win);
        else if (fetch && ask)
            MPI_Rget_accumulate(buf, hc, ht, res, rc, rt, to, disp, tc, tt, handle(o), win, &r);
        else if (fetch)
            MPI_Get_accumulate(buf, hc, ht, res, rc, rt, to, disp, tc, tt, handle(o), win);
        else if (accumulate && ask)
            MPI_Raccumulate(buf, hc, ht, to, disp, tc, tt, handle(o), win, &r);
        else if (accumulate)
            MPI_Accumulate(buf, hc, ht, to, disp, tc, tt, handle(o), win);
        else if (ask)
            MPI_Rput(buf, hc, ht, to, disp, tc, tt, win, &r);
        else
            MPI_Put(buf, hc, ht, to, disp, tc, tt, win);
        if (ask) asked(r);
        if (reads) expect(buf, want, room, "get");
        if (fetch) expect(res, want, kept, "get_accumulate");
    }
    free_layout(&there);
    free_layout(&here);
    free_layout(&result);
}
/* One element at displacement `at`, fetched, or compared and swapped. */
static void atomic(const struct target *t, int origin, struct kind k, size_t at, enum operator o,
                   int swap)
{
    unsigned char *b = t->bytes + at, *value, *old, *was, *guess;
    int hit = (int)draw(2);
    uint64_t seed = draw(1 << 30), common = state;
    state = seed;
    value = buffer(8, 1), old = buffer(8, 0), was = buffer(8, 0), guess = buffer(8, 1);
    state = common;
    memcpy(was, b, (size_t)k.size);
    if (swap && hit) memcpy(guess, b, (size_t)k.size);
    if (!swap || memcmp(guess, b, (size_t)k.size) == 0) {
        if (swap)
            memcpy(b, value, (size_t)k.size);
        else if (o != NO_OP)
            combine(o, k, b, value);
    }
    if (origin != me) return;
    int to = t->w->rank_in[t->rank];
    if (swap)
        MPI_Compare_and_swap(value, guess, old, k.type, to, displacement(t, at), t->w->win);
    else
        MPI_Fetch_and_op(value, old, k.type, to, displacement(t, at), handle(o), t->w->win);
    expect(old, was, 8, swap ? "compare_and_swap" : "fetch_and_op");
}
/* Waits for the requests and completes what this rank has issued there. */
static void flush(const struct target *t, int origin)
{
    unsigned how = draw(3);
    if (origin != me) return;
    if (how && requests) {
        if (how == 1)
            MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
        else
            for (int done = 0; !done;) MPI_Testall(requests, request, &done, MPI_STATUSES_IGNORE);
        requests = 0;
    }
    if (how)
        MPI_Win_flush(t->w->rank_in[t->rank], t->w->win);
    else
        MPI_Win_flush_all(t->w->win);
}
static void chain(const struct target *t, int origin, struct kind k, size_t at, size_t n)
{
    enum operator o = draw_operator(k, 1);
    for (unsigned left = 1 + draw(4); left; left--) {
        int aligned = n >= (size_t)k.size && at % (size_t)t->w->unit[t->rank] == 0 && !k.pair &&
                      k.type != MPI_BYTE;
        switch (draw(t->passive ? 6 : 4)) {
        case 0: transfer(t, origin, k, at, n, o, 1, 0); break;
        case 1: transfer(t, origin, k, at, n, draw(2) ? o : NO_OP, 1, 1); break;
        case 2:
            if (aligned) atomic(t, origin, k, at, draw(2) ? o : NO_OP, 0);
            break;
        case 3:
            if (aligned && t->passive) atomic(t, origin, k, at, o, 1);
            break;
        case 4: transfer(t, origin, k, at, n, REPLACE, 0, 0); break;
        default: transfer(t, origin, k, at, n, NO_OP, 0, 0); break;
        }
        if (t->passive) flush(t, origin);
    }
}

/* ---- a round --------------------------------------------------------------------------------- */

#include "rounds.h"

int main(int argc, char **argv)
{
    int all, rounds = argc > 2 ? atoi(argv[2]) : 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 2 || ranks > RANKS_MAX) return 2;
    state = strtoull(argv[1], NULL, 10) * 2654435761u + 1;
    arena = malloc(ARENA);
    make_windows(argc > 3);
    for (round_now = 0; round_now < rounds; round_now++)
        play(&window[draw((unsigned)windows)], (enum how)draw(HOWS));
    free_windows();
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        printf("%s: program %s, %d comparisons failed\n", all ? "FAILED" : "ok", argv[1], all);
    MPI_Finalize();
    return all > 0;
}

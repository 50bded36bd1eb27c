/* windows.c: its memory and windows, and what one round of it is. */
#ifndef ROUNDS_H
#define ROUNDS_H

enum { CREATED, ALLOCATED, SHARED, DYNAMIC, FLAVORS };
static MPI_Comm comms[4];
static unsigned char held[BLOCKS][MOST + 2 * MARGIN]; /* the program's own variables */
static unsigned char *margin[BLOCKS];
static int heap[BLOCKS];

static void map(struct window *w)
{
    int r, leader = me, both[2], all[2 * RANKS_MAX];
    MPI_Comm_rank(w->comm, &r);
    MPI_Bcast(&leader, 1, MPI_INT, 0, w->comm);
    both[0] = leader, both[1] = r;
    MPI_Allgather(both, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++) w->part[i] = all[2 * i], w->rank_in[i] = all[2 * i + 1];
}
static void make_window(struct window *w, int block, int flavor)
{
    size_t size = size_of[block][me];
    w->block = block;
    w->flavor = flavor;
    w->comm = comms[flavor == SHARED ? 3 : draw(3)];
    map(w);
    for (int r = 0; r < ranks; r++) {
        int whole = windows < BLOCKS;
        w->from[r] = whole ? 0 : draw((unsigned)size_of[block][r] + 1);
        w->bytes[r] = size_of[block][r] - w->from[r];
        if (!whole) w->bytes[r] = draw((unsigned)w->bytes[r] + 1);
        w->unit[r] = 1 << draw(4);
        if (flavor == DYNAMIC) w->unit[r] = 1;
    }
    MPI_Aint bytes = (MPI_Aint)w->bytes[me], base = 0;
    int unit = w->unit[me], *model, found;
    void *at = NULL;
    if (flavor == ALLOCATED)
        MPI_Win_allocate(bytes, unit, MPI_INFO_NULL, w->comm, &at, &w->win);
    else if (flavor == SHARED)
        MPI_Win_allocate_shared(bytes, unit, MPI_INFO_NULL, w->comm, &at, &w->win);
    if (at) {
        mine[block] = at;
        for (size_t i = 0; i < size; i++) mine[block][i] = plain[block][me][i];
    }
    if (flavor == CREATED)
        MPI_Win_create(mine[block] + w->from[me], bytes, unit, MPI_INFO_NULL, w->comm, &w->win);
    if (flavor == DYNAMIC) {
        MPI_Win_create_dynamic(MPI_INFO_NULL, w->comm, &w->win);
        if (bytes) MPI_Win_attach(w->win, mine[block] + w->from[me], bytes);
        MPI_Get_address(mine[block] + w->from[me], &base);
    }
    MPI_Allgather(&base, 1, MPI_AINT, w->base, 1, MPI_AINT, MPI_COMM_WORLD);
    MPI_Win_get_attr(w->win, MPI_WIN_MODEL, &model, &found);
    w->separate = !found || *model == MPI_WIN_SEPARATE;
    MPI_Allreduce(MPI_IN_PLACE, &w->separate, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}
static void make_block(int block, int large)
{
    int flavor = (int)draw(FLAVORS), memory = (int)draw(3);
    size_t skew = 8 * draw(4);
    for (int r = 0; r < ranks; r++) {
        size_of[block][r] = draw(8) ? 8 * draw(large && draw(2) ? MOST / 8 : 240) : 0;
        plain[block][r] = malloc(size_of[block][r] + 1);
        for (size_t i = 0; i < size_of[block][r]; i++)
            plain[block][r][i] = (unsigned char)(i * 7 + (size_t)r);
    }
    if (flavor == CREATED || flavor == DYNAMIC) {
        size_t size = size_of[block][me], all = size + 2 * MARGIN + skew;
        if (memory == 0) {
            margin[block] = held[block];
            skew = 0;
        } else if (memory == 1)
            margin[block] = malloc(all);
        else
            MPI_Alloc_mem((MPI_Aint)all, MPI_INFO_NULL, &margin[block]);
        heap[block] = memory;
        margin[block] += skew;
        memset(margin[block], 0x77, size + 2 * MARGIN);
        mine[block] = margin[block] + MARGIN;
        memcpy(mine[block], plain[block][me], size);
        margin[block] -= skew;
    }
    make_window(&window[windows], block, flavor);
    windows++;
}
static void make_windows(int large)
{
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &comms[2]);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comms[3]);
    for (int b = 0; b < BLOCKS; b++) make_block(b, large);
    for (unsigned more = draw(WINDOWS - BLOCKS + 1); more; more--) {
        make_window(&window[windows], (int)draw(BLOCKS), draw(2) ? CREATED : DYNAMIC);
        windows++;
    }
    MPI_Barrier(MPI_COMM_WORLD);
}
static void free_windows(void)
{
    while (windows--) {
        struct window *w = &window[windows];
        if (w->flavor == DYNAMIC && w->bytes[me])
            MPI_Win_detach(w->win, mine[w->block] + w->from[me]);
        MPI_Win_free(&w->win);
    }
    for (int b = 0; b < BLOCKS; b++) {
        if (margin[b] && heap[b] == 1) free(margin[b]);
        if (margin[b] && heap[b] == 2) MPI_Free_mem(margin[b]);
    }
    for (int i = 1; i < 4; i++) MPI_Comm_free(&comms[i]);
}

/* ---- synchronisation ------------------------------------------------------------------------- */

static unsigned char may[RANKS_MAX][RANKS_MAX];

static MPI_Group those(const struct window *w, int origins)
{
    MPI_Group all, some;
    int who[RANKS_MAX], n = 0;
    for (int r = 0; r < ranks; r++)
        if (origins ? may[r][me] : may[me][r]) who[n++] = w->rank_in[r];
    MPI_Win_get_group(w->win, &all);
    MPI_Group_incl(all, n, who, &some);
    MPI_Group_free(&all);
    return some;
}
static void own_lock(struct window *w)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, w->rank_in[me], 0, w->win);
}
static void own_unlock(struct window *w) { MPI_Win_unlock(w->rank_in[me], w->win); }

static void begin(struct window *w, enum how how)
{
    if (how != FENCE) {
        own_lock(w);
        own_unlock(w);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    unsigned asserts = draw(2);
    volatile unsigned late = draw(3) * (unsigned)me * 400; /* not all at once */
    while (late) late--;
    if (how == FENCE) MPI_Win_fence(asserts ? MPI_MODE_NOPRECEDE : 0, w->win);
    if (how == LOCK_ALL) MPI_Win_lock_all(asserts ? MPI_MODE_NOCHECK : 0, w->win);
    if (how != PSCW) return;
    MPI_Group origins = those(w, 1), targets = those(w, 0);
    MPI_Win_post(origins, 0, w->win);
    MPI_Win_start(targets, 0, w->win);
    MPI_Group_free(&origins);
    MPI_Group_free(&targets);
}
static void end(struct window *w, enum how how)
{
    unsigned way = draw(2);
    if (how == FENCE) MPI_Win_fence(way ? MPI_MODE_NOSUCCEED : 0, w->win);
    if (how == LOCK_ALL) MPI_Win_unlock_all(w->win);
    if (how == PSCW) {
        MPI_Win_complete(w->win);
        if (way)
            MPI_Win_wait(w->win);
        else
            for (int done = 0; !done;) MPI_Win_test(w->win, &done);
    }
    if (requests) MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    requests = 0;
    compare_pending();
    if (how == LOCK || how == LOCK_ALL) MPI_Barrier(MPI_COMM_WORLD);
    if (how != FENCE) own_lock(w);
    const int b = w->block;
    compare(mine[b], plain[b][me], size_of[b][me], "window over block", b, 0);
    for (int i = 0; margin[b] && i < MARGIN; i++)
        if (mine[b][-1 - i] != 0x77 || mine[b][size_of[b][me] + (size_t)i] != 0x77)
            fails("block %d: byte %d beside it is %02x, %02x", b, i, mine[b][-1 - i],
                  mine[b][size_of[b][me] + (size_t)i]);
    if (how != FENCE) own_unlock(w);
    MPI_Barrier(MPI_COMM_WORLD);
    arena_used = 0;
}

/* ---- the operations of a round --------------------------------------------------------------- */

enum { STORES = 1, MOVES = 2 };

static void piece(const struct target *t, int mode, struct kind k, size_t at, size_t n)
{
    unsigned act = draw(6), origin = draw((unsigned)ranks), many = draw(256);
    enum operator o = draw_operator(k, 1);
    while (t->w->part[origin] != t->w->part[t->rank]) origin = (origin + 1) % (unsigned)ranks;
    if (act == 1 && mode & STORES) local(t, at, n);
    if (act < 2 || !(mode & MOVES)) return;
    if (act != 4 && !may[origin][t->rank]) return;
    if (act == 2) transfer(t, (int)origin, k, at, n, REPLACE, 0, 0);
    if (act == 3)
        for (int r = 0; r < ranks; r++)
            if (may[r][t->rank] && (r == (int)origin || many >> r & 1))
                transfer(t, r, k, at, n, NO_OP, 0, 0);
    if (act == 4)
        for (int r = 0; r < ranks; r++)
            if (may[r][t->rank] && many >> r & 1) transfer(t, r, k, at, n, o, 1, 0);
    if (act == 5) chain(t, (int)origin, k, at, n > 2000 ? 2000 : n);
}
static void pieces(const struct target *t, int mode)
{
    size_t size = t->w->bytes[t->rank], from = t->w->from[t->rank];
    for (size_t at = draw(16), n; at < size; at += n) {
        struct kind k = draw_kind();
        at += (size_t)k.size - 1 - (from + at + (size_t)k.size - 1) % (size_t)k.size;
        n = 1 + draw(96);
        if (size > 4000) n = 1 + draw(draw(2) ? (unsigned)size / 2 : 3000);
        if (at >= size) break;
        if (n > size - at) n = size - at;
        piece(t, mode, k, at, n);
    }
}
static void play(struct window *w, enum how how)
{
    int mode[RANKS_MAX];
    for (int o = 0; o < ranks; o++)
        for (int t = 0; t < ranks; t++)
            may[o][t] = w->part[o] == w->part[t] && (how != PSCW || draw(2));
    for (int t = 0; t < ranks; t++) {
        mode[t] = 1 + (int)draw(3);
        if (w->separate && mode[t] == (STORES | MOVES)) {
            if (how != LOCK) mode[t] = MOVES;
            may[t][t] = 0; /* an epoch of the owner: either stores or operations */
        }
    }
    begin(w, how);
    for (int t = 0; t < ranks; t++) {
        struct target target = {w, t, plain[w->block][t] + w->from[t], how >= LOCK};
        int exclusive = draw(4) == 0 || (t == me && mode[t] & STORES), locks = how == LOCK;
        if (w->part[t] != w->part[me]) locks = 0;
        if (locks)
            MPI_Win_lock(exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, w->rank_in[t], 0,
                         w->win);
        pieces(&target, mode[t]);
        if (locks) MPI_Win_unlock(w->rank_in[t], w->win);
    }
    end(w, how);
}

#endif

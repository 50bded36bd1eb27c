/* Every reachable combination of caches' states of one line, and whether each is safe.
 *
 * Beside its state each cache has a bit: does its copy hold the last value stored? Memory has one
 * too. A load must find the bit set in what it reads. States, bits and memory's bit pack into one
 * number; the walk is breadth first, so the path reported for a broken invariant is a shortest one.
 */
#include <string.h>

#include "base/base.h"
#include "coh/coh.h"

enum { CACHES_MAX = 8 };

struct config {
    uint8_t state[CACHES_MAX];
    bool fresh[CACHES_MAX];
    bool memory_fresh;
};

struct walk {
    const struct coh_protocol *p;
    int caches;
    GHashTable *from;   /* packed config -> the edge that led there */
    GQueue *queue;      /* packed configs to visit */
    const char *broken; /* the invariant; NULL: all hold */
};
struct edge {
    uint64_t before;
    int cache;
    enum coh_event event;
};

static const char *const state_names = "ISEOM";
static const char *const event_names[] = {"loads", "loads", "stores", "evicts"};

static uint64_t pack(const struct walk *w, const struct config *c)
{
    uint64_t packed = c->memory_fresh;
    for (int i = 0; i < w->caches; i++) packed = packed * 16 + (c->state[i] * 2u + c->fresh[i]);
    return packed;
}

static struct config unpack(const struct walk *w, uint64_t packed)
{
    struct config c = {0};
    for (int i = w->caches - 1; i >= 0; i--, packed /= 16) {
        c.state[i] = (uint8_t)(packed % 16 / 2);
        c.fresh[i] = packed % 2;
    }
    c.memory_fresh = packed % 2;
    return c;
}

/* Only the first broken invariant is reported; the rest follow from it. */
static void blame(struct walk *w, const char *invariant)
{
    if (!w->broken) w->broken = invariant;
}

/* The others snoop; returns whether the requester gets the bytes stored last. */
static bool snoop(struct walk *w, struct config *c, int asker, enum coh_event event)
{
    bool supplied = false, fresh = false;
    for (int i = 0; i < w->caches; i++) {
        if (i == asker) continue;
        struct coh_step step = coh_step(w->p, c->state[i], event);
        if (step.actions & COH_ILLEGAL)
            blame(w, "a snooped line is in a state the table does not know");
        if (step.actions & COH_SUPPLY) {
            fresh = c->fresh[i];
            supplied = true;
        }
        if (step.actions & COH_WRITE_BACK) c->memory_fresh = c->fresh[i];
        c->state[i] = step.next;
        if (step.next == COH_I) c->fresh[i] = false;
    }
    return supplied ? fresh : c->memory_fresh;
}

static void check(struct walk *w, const struct config *c)
{
    int holders = 0, exclusive = 0, owners = 0;
    for (int i = 0; i < w->caches; i++) {
        holders += c->state[i] != COH_I;
        exclusive += c->state[i] == COH_E || c->state[i] == COH_M;
        owners += c->state[i] == COH_O;
    }
    if (exclusive > 0 && holders > 1)
        blame(w, "an exclusive or modified line is in another cache too");
    if (owners > 1) blame(w, "a line has two owners");
}

static struct config act(struct walk *w, struct config c, int i, enum coh_event event)
{
    bool others = false;
    for (int j = 0; j < w->caches; j++) others = others || (j != i && c.state[j] != COH_I);
    if (event == COH_LOAD && others) event = COH_LOAD_SHARED;
    struct coh_step step = coh_step(w->p, c.state[i], event);
    if (step.actions & COH_ILLEGAL) blame(w, "an illegal pair is reached");
    if (step.actions & COH_BUS_READ) c.fresh[i] = snoop(w, &c, i, COH_SNOOP_READ);
    if (step.actions & COH_BUS_OWN) c.fresh[i] = snoop(w, &c, i, COH_SNOOP_OWN);
    if (step.actions & COH_BUS_UPGRADE) snoop(w, &c, i, COH_SNOOP_OWN);
    if (step.actions & COH_WRITE_BACK) c.memory_fresh = c.fresh[i];
    if (event != COH_EVICT && !c.fresh[i]) blame(w, "a processor sees an old value");
    if (event == COH_STORE) { /* all other copies are stale now */
        for (int j = 0; j < w->caches; j++) c.fresh[j] = false;
        c.memory_fresh = false;
        c.fresh[i] = true;
    }
    c.state[i] = step.next;
    if (step.next == COH_I) c.fresh[i] = false;
    bool anywhere = c.memory_fresh;
    for (int j = 0; j < w->caches; j++) anywhere = anywhere || c.fresh[j];
    if (!anywhere) blame(w, "the last value stored is lost");
    if (w->p->coherent) check(w, &c);
    return c;
}

static char *path_text(const struct walk *w, uint64_t last, const struct edge *edge)
{
    GString *path = g_string_new(NULL);
    while (edge) {
        struct config c = unpack(w, edge->before);
        g_autofree char *states = g_strnfill(w->caches, '?');
        for (int i = 0; i < w->caches; i++) states[i] = state_names[c.state[i]];
        g_autofree char *step =
            g_strdup_printf("[%s] cache %d %s; ", states, edge->cache, event_names[edge->event]);
        g_string_prepend(path, step);
        last = edge->before;
        edge = g_hash_table_lookup(w->from, &last);
        if (edge && edge->cache < 0) edge = NULL;
    }
    g_string_append_printf(path, "then %s", w->broken);
    return g_string_free(path, FALSE);
}

static bool visit(struct walk *w, uint64_t packed, char **why)
{
    static const enum coh_event events[] = {COH_LOAD, COH_STORE, COH_EVICT};
    for (int cache = 0; cache < w->caches; cache++)
        for (size_t e = 0; e < G_N_ELEMENTS(events); e++) {
            struct config now = unpack(w, packed);
            if (events[e] == COH_EVICT && now.state[cache] == COH_I) continue;
            struct edge edge = {packed, cache, events[e]};
            struct config next = act(w, now, cache, events[e]);
            if (w->broken) {
                if (why) *why = path_text(w, packed, &edge);
                return false;
            }
            uint64_t key = pack(w, &next);
            if (g_hash_table_contains(w->from, &key)) continue;
            g_hash_table_insert(w->from, g_memdup2(&key, sizeof key),
                                g_memdup2(&edge, sizeof edge));
            g_queue_push_tail(w->queue, g_memdup2(&key, sizeof key));
        }
    return true;
}

size_t coh_explore(const struct coh_protocol *p, int caches, char **why)
{
    g_assert(caches > 0 && caches <= CACHES_MAX);
    struct walk w = {p, caches, g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free),
                     g_queue_new(), NULL};
    struct config start = {.memory_fresh = true};
    uint64_t key = pack(&w, &start);
    struct edge none = {key, -1, COH_LOAD};
    g_hash_table_insert(w.from, g_memdup2(&key, sizeof key), g_memdup2(&none, sizeof none));
    g_queue_push_tail(w.queue, g_memdup2(&key, sizeof key));
    bool safe = true;
    while (safe && !g_queue_is_empty(w.queue)) {
        g_autofree uint64_t *packed = g_queue_pop_head(w.queue);
        safe = visit(&w, *packed, why);
    }
    size_t reached = safe ? g_hash_table_size(w.from) : 0;
    g_hash_table_unref(w.from);
    g_queue_free_full(w.queue, g_free);
    return reached;
}

/* The tree of chains, and a stack for each rank. */
#include "profile/chains/chains.h"

enum { MOST = 65536, CALL = 0 };

bool profile_chains_on;

struct entry {
    struct profile_frame at; /* id CALL: of an MPI call */
    uint32_t node;
};
struct stack {
    GArray *entry; /* struct entry, the innermost last */
    struct profile_chain_cost so_far;
};
static GArray *tree;        /* struct profile_chain */
static GHashTable *next_of; /* struct step, each its own key */
static GPtrArray *stacks;   /* struct stack, by rank */

/* From a node, by that call, to a function or MPI call. */
struct step {
    uint32_t from, to;
    op_site function, site;
    const char *call;
};

static guint step_hash(gconstpointer data)
{
    const struct step *s = data;
    const uint64_t what = s->function ^ s->site << 20 ^ (uint64_t)(uintptr_t)s->call;
    return (guint)((what ^ (uint64_t)s->from << 40) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static gboolean step_equal(gconstpointer a, gconstpointer b)
{
    const struct step *x = a, *y = b;
    return x->from == y->from && x->function == y->function && x->site == y->site &&
           x->call == y->call;
}

static struct profile_chain *node_at(uint32_t i)
{
    return &g_array_index(tree, struct profile_chain, i);
}

static void stack_free(void *data)
{
    struct stack *s = data;
    if (!s) return;
    g_array_unref(s->entry);
    g_free(s);
}

static void begin(void)
{
    if (tree) return;
    tree = g_array_new(FALSE, TRUE, sizeof(struct profile_chain));
    g_array_set_size(tree, 1);
    next_of = g_hash_table_new_full(step_hash, step_equal, g_free, NULL);
    stacks = g_ptr_array_new_with_free_func(stack_free);
}

static struct stack *stack_of(int rank)
{
    begin();
    if (stacks->len <= (guint)rank) g_ptr_array_set_size(stacks, rank + 1);
    struct stack *s = stacks->pdata[rank];
    if (s) return s;
    s = g_new0(struct stack, 1);
    s->entry = g_array_new(FALSE, FALSE, sizeof(struct entry));
    return stacks->pdata[rank] = s;
}

static struct entry *top_of(const struct stack *s)
{
    return s->entry->len ? &g_array_index(s->entry, struct entry, s->entry->len - 1) : NULL;
}

static void pop(struct stack *s) { g_array_set_size(s->entry, s->entry->len - 1); }

static uint32_t here(const struct stack *s)
{
    const struct entry *top = top_of(s);
    return top ? top->node : 0;
}

/* What the rank has cost since it was here last is the innermost's. */
static void count(struct stack *s, const struct profile_chain_cost *now)
{
    struct profile_chain_cost *to = &node_at(here(s))->cost, *then = &s->so_far;
    to->compute_s += now->compute_s - then->compute_s;
    to->memory_s += now->memory_s - then->memory_s;
    to->service_s += now->service_s - then->service_s;
    to->wait_s += now->wait_s - then->wait_s;
    for (int level = 0; level < PROFILE_LEVELS; level++)
        to->missed[level] += now->missed[level] - then->missed[level];
    *then = *now;
}

/* The function's node above, itself included; else a new one. */
static uint32_t make_node(const struct step *step)
{
    for (uint32_t i = step->from; !step->call && i > 0; i = node_at(i)->parent)
        if (node_at(i)->function == step->function) return i;
    if (tree->len == MOST) return step->from;
    const struct profile_chain fresh = {
        .parent = step->from, .function = step->function, .site = step->site, .call = step->call};
    g_array_append_val(tree, fresh);
    return tree->len - 1;
}

static uint32_t next(const struct step *key)
{
    const struct step *known = g_hash_table_lookup(next_of, key);
    if (known) return known->to;
    struct step *step = g_memdup2(key, sizeof *key);
    step->to = make_node(step);
    g_hash_table_add(next_of, step);
    return step->to;
}

static void push(struct stack *s, struct profile_frame at, struct step by)
{
    by.from = here(s);
    const struct entry fresh = {at, next(&by)};
    struct profile_chain *node = node_at(fresh.node);
    if (fresh.node != by.from && node->parent == by.from)
        node->count++;
    else
        node->again++;
    g_array_append_val(s->entry, fresh);
}

void profile_chain_enter(int rank, op_site function, op_site site, struct profile_frame at,
                         const struct profile_chain_cost *now)
{
    struct stack *s = stack_of(rank);
    count(s, now);
    while (top_of(s) && top_of(s)->at.frame <= at.frame) pop(s);
    push(s, at, (struct step){.function = function, .site = site});
}

void profile_chain_resume(int rank, struct profile_frame at, const struct profile_chain_cost *now)
{
    struct stack *s = stack_of(rank);
    count(s, now);
    while (top_of(s) && top_of(s)->at.frame < at.frame) pop(s);
}

void profile_chain_leave(int rank, struct profile_frame at, const struct profile_chain_cost *now)
{
    profile_chain_resume(rank, at, now);
    struct stack *s = stack_of(rank);
    if (top_of(s) && top_of(s)->at.id == at.id) pop(s);
}

void profile_chain_call(int rank, const char *call, op_site site, uintptr_t frame,
                        const struct profile_chain_cost *now)
{
    struct stack *s = stack_of(rank);
    count(s, now);
    push(s, (struct profile_frame){CALL, frame}, (struct step){.site = site, .call = call});
}

void profile_chain_return(int rank, const struct profile_chain_cost *now)
{
    struct stack *s = stack_of(rank);
    guint depth = s->entry->len;
    count(s, now);
    while (depth > 0 && !node_at(g_array_index(s->entry, struct entry, depth - 1).node)->call)
        depth--;
    if (depth > 0) g_array_set_size(s->entry, depth - 1);
}

size_t profile_chains(void) { return tree ? tree->len : 0; }

const struct profile_chain *profile_chain_at(size_t i) { return node_at((uint32_t)i); }

void profile_chains_clear(void)
{
    profile_chains_on = false;
    if (!tree) return;
    g_ptr_array_unref(stacks);
    g_hash_table_unref(next_of);
    g_array_unref(tree);
    tree = NULL;
    next_of = NULL;
    stacks = NULL;
}

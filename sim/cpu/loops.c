/* Which blocks are heads of loops: those that an edge leads back to from what they lead to, in a
 * walk in depth. The order of the code does not say it: compilers put a loop's test last. Which
 * blocks are in a loop: those that lead to such an edge and that its head leads to (Havlak, Nesting
 * of reducible and irreducible loops, TOPLAS 1997). Of a loop without loops in it, how often the
 * compiler thinks that it goes round. */
#include "cpu/parts.h"

enum { ONE = BLOCK_PROBABILITY };
enum state { NEW, OPEN, DONE };
struct open {
    uint32_t block, next; /* the successor to look at */
};
struct walk {
    const struct cpu_object *object;
    struct cpu_loops *loops;
    uint8_t *state;
    GArray *stack;             /* struct open: the blocks on the way here */
    uint32_t *began, *ended;   /* of each block: when the walk came, and left */
    uint32_t now, done;        /* blocks that it came to, that it left */
    uint32_t *before;          /* the blocks before block b: from before[first[b]] on; */
    uint32_t *first;           /* first[b + 1] ends them */
    GArray *members, *waiting; /* of one loop; whose blocks before them are to be looked at */
    double *often;             /* of one loop: executions of a block a round */
};

static const struct cpu_successor *successor(const struct walk *w, uint32_t i)
{
    return &g_array_index(w->object->successor, struct cpu_successor, i);
}

/* ---- heads ----------------------------------------------------------------------------------- */

static void enter(struct walk *w, uint32_t block)
{
    g_array_append_val(w->stack, ((struct open){block, 0}));
    w->state[block] = OPEN;
    w->began[block] = w->now++;
}

static void walk_from(struct walk *w, uint32_t root)
{
    for (enter(w, root); w->stack->len > 0;) {
        struct open *at = &g_array_index(w->stack, struct open, w->stack->len - 1);
        const struct cpu_block *block = cpu_block_at(w->object, at->block);
        if (at->next == block->successors) {
            w->state[at->block] = DONE;
            w->ended[at->block] = w->done;
            w->loops->inner_first[w->done++] = at->block;
            g_array_set_size(w->stack, w->stack->len - 1);
            continue;
        }
        uint32_t to = successor(w, block->first_successor + at->next++)->block;
        if (w->state[to] == OPEN) w->loops->head[to] = true;
        if (w->state[to] == NEW) enter(w, to);
    }
}

/* ---- what is in a loop ----------------------------------------------------------------------- */

static void find_before(struct walk *w)
{
    const uint32_t blocks = w->object->blocks;
    for (uint32_t i = 0; i < w->object->successor->len; i++) w->first[successor(w, i)->block + 1]++;
    for (uint32_t b = 0; b < blocks; b++) w->first[b + 1] += w->first[b];
    g_autofree uint32_t *next = g_memdup2(w->first, (blocks + 1) * sizeof *next);
    for (uint32_t b = 0; b < blocks; b++) {
        const struct cpu_block *block = cpu_block_at(w->object, b);
        for (uint32_t i = block->first_successor; i < block->first_successor + block->successors;
             i++)
            w->before[next[successor(w, i)->block]++] = b;
    }
}

static bool leads_to(const struct walk *w, uint32_t head, uint32_t b)
{
    return w->began[head] <= w->began[b] && w->ended[b] <= w->ended[head];
}

/* The outermost loop found so far that a block is in, by its head; the block: in none. */
static uint32_t outermost(const struct walk *w, uint32_t b)
{
    while (w->loops->within[b] < w->object->blocks) b = w->loops->within[b];
    return b;
}

static void add_members_before(struct walk *w, uint32_t head, uint32_t b)
{
    for (uint32_t i = w->first[b]; i < w->first[b + 1]; i++) {
        uint32_t from = w->before[i];
        if (!leads_to(w, head, from))
            continue; /* its edge does not lead back, or into its middle */
        uint32_t member = outermost(w, from);
        if (member == head || !leads_to(w, head, member)) continue;
        w->loops->within[member] = head;
        g_array_append_val(w->waiting, member);
    }
}

/* Returns whether the loop has no loop in it. */
static bool find_members(struct walk *w, uint32_t head)
{
    bool innermost = true;
    g_array_set_size(w->members, 0);
    g_array_append_val(w->members, head);
    add_members_before(w, head, head);
    while (w->waiting->len > 0) {
        uint32_t b = g_array_index(w->waiting, uint32_t, w->waiting->len - 1);
        g_array_set_size(w->waiting, w->waiting->len - 1);
        g_array_append_val(w->members, b);
        innermost = innermost && !w->loops->head[b];
        add_members_before(w, head, b);
    }
    return innermost;
}

/* ---- how often it goes round ----------------------------------------------------------------- */

static gint later_first(gconstpointer a, gconstpointer b, gpointer walk)
{
    const struct walk *w = walk;
    uint32_t x = w->ended[*(const uint32_t *)a], y = w->ended[*(const uint32_t *)b];
    return x < y ? 1 : x > y ? -1 : 0;
}

/* gcc gives the end of a loop whose iterations it knows a probability of one in so many (predict.c:
 * PRED_LOOP_ITERATIONS); none of its guesses (11, 22, 33 %) is one in a whole number. */
static void count_rounds(struct walk *w, uint32_t head)
{
    struct cpu_rounds *r = &w->loops->rounds[head];
    double again = 0, most = -1;
    g_array_sort_with_data(w->members, later_first, w);
    for (uint32_t m = 0; m < w->members->len; m++)
        w->often[g_array_index(w->members, uint32_t, m)] = m == 0;
    for (uint32_t m = 0; m < w->members->len; m++) {
        uint32_t b = g_array_index(w->members, uint32_t, m);
        const struct cpu_block *block = cpu_block_at(w->object, b);
        for (uint32_t i = block->first_successor; i < block->first_successor + block->successors;
             i++) {
            const struct cpu_successor *s = successor(w, i);
            double goes = w->often[b] * s->probability / ONE;
            if (s->block == head) {
                again += goes;
            } else if (w->loops->within[s->block] == head) {
                w->often[s->block] += goes;
            } else if (goes > most) {
                most = goes;
                r->from = b, r->exit = s->block;
            }
        }
    }
    uint32_t leaves = ONE - (uint32_t)CLAMP(again * ONE + 0.5, 0, ONE - 1);
    r->times = (ONE + leaves / 2) / leaves;
    r->known = r->times > 2 && r->times < 100 && (ONE + r->times / 2) / r->times == leaves;
}

void cpu_find_loops(const struct cpu_object *object, struct cpu_loops *loops)
{
    const uint32_t blocks = object->blocks;
    g_autofree uint8_t *state = g_new0(uint8_t, blocks + 1);
    g_autofree uint32_t *began = g_new(uint32_t, blocks + 1), *ended = g_new(uint32_t, blocks + 1);
    g_autofree uint32_t *first = g_new0(uint32_t, blocks + 2);
    g_autofree uint32_t *before = g_new(uint32_t, object->successor->len + 1);
    g_autofree double *often = g_new(double, blocks + 1);
    g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(struct open));
    g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autoptr(GArray) waiting = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    struct walk w = {.object = object,
                     .loops = loops,
                     .state = state,
                     .stack = stack,
                     .began = began,
                     .ended = ended,
                     .first = first,
                     .before = before,
                     .members = members,
                     .waiting = waiting,
                     .often = often};
    loops->head = g_new0(bool, blocks + 1);
    loops->inner_first = g_new0(uint32_t, blocks + 1);
    loops->within = g_new(uint32_t, blocks + 1);
    loops->rounds = g_new0(struct cpu_rounds, blocks + 1);
    for (uint32_t b = 0; b < blocks; b++) {
        loops->within[b] = blocks;
        loops->rounds[b].exit = blocks;
    }
    for (uint32_t b = 0; b < blocks; b++)
        if (state[b] == NEW) walk_from(&w, b);
    find_before(&w);
    for (uint32_t i = 0; i < blocks; i++) {
        uint32_t b = loops->inner_first[i];
        if (loops->head[b] && find_members(&w, b)) count_rounds(&w, b);
    }
}

void cpu_loops_clear(struct cpu_loops *loops)
{
    g_free(loops->head);
    g_free(loops->inner_first);
    g_free(loops->within);
    g_free(loops->rounds);
}

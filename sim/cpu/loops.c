/* Which blocks are heads of loops: those that an edge leads back to from what they lead to, in a
 * walk in depth. The order of the code does not say it: compilers put a loop's test last. */
#include "cpu/parts.h"

enum state { NEW, OPEN, DONE };
struct walk {
    const struct cpu_object *object;
    struct cpu_loops *loops;
    uint8_t *state;
    GArray *stack; /* struct open: the blocks on the way here */
};
struct open {
    uint32_t block, next; /* the successor to look at */
};

static void enter(struct walk *w, uint32_t block)
{
    g_array_append_val(w->stack, ((struct open){block, 0}));
    w->state[block] = OPEN;
}

static void walk_from(struct walk *w, uint32_t root, uint32_t *done)
{
    for (enter(w, root); w->stack->len > 0;) {
        struct open *at = &g_array_index(w->stack, struct open, w->stack->len - 1);
        const struct cpu_block *block = cpu_block_at(w->object, at->block);
        if (at->next == block->successors) {
            w->state[at->block] = DONE;
            w->loops->inner_first[(*done)++] = at->block;
            g_array_set_size(w->stack, w->stack->len - 1);
            continue;
        }
        uint32_t i = block->first_successor + at->next++;
        uint32_t to = g_array_index(w->object->successor, struct cpu_successor, i).block;
        if (w->state[to] == OPEN) w->loops->head[to] = true;
        if (w->state[to] == NEW) enter(w, to);
    }
}

void cpu_find_loops(const struct cpu_object *object, struct cpu_loops *loops)
{
    g_autofree uint8_t *state = g_new0(uint8_t, object->blocks + 1);
    g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(struct open));
    struct walk w = {object, loops, state, stack};
    uint32_t done = 0;
    loops->head = g_new0(bool, object->blocks + 1);
    loops->inner_first = g_new0(uint32_t, object->blocks + 1);
    for (uint32_t b = 0; b < object->blocks; b++)
        if (state[b] == NEW) walk_from(&w, b, &done);
}

void cpu_loops_clear(struct cpu_loops *loops)
{
    g_free(loops->head);
    g_free(loops->inner_first);
}

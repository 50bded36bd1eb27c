/* fill: what a function's blocks cost, and what is known of their accesses and branches before they
 * run, in the form that instrumented code and mem find it. */
#include "world/prices/again.h"
#include "world/prices/rounds.h"
#include "world/prices/table.h"
#include "world/rank/state.h"

#include "mem/branch/branch.h"

#include <string.h>

/* Sites lie below each other: what the table says of the site that the address comes from. */
static int32_t after_of(const struct cpu_object *object, const struct cpu_op *op,
                        const struct cpu_timing *timing)
{
    if (timing->after == CPU_AFTER_NONE) return MEM_AFTER_NONE;
    if (timing->after == CPU_AFTER_YOUNGEST) return MEM_AFTER_YOUNGEST;
    const struct cpu_op *from = &g_array_index(object->op, struct cpu_op, timing->after);
    int64_t far = (int64_t)op->site - (int64_t)from->site;
    return far > MEM_AFTER_YOUNGEST && far < MEM_AFTER_NONE ? (int32_t)far : MEM_AFTER_YOUNGEST;
}
static int32_t beside_of(const struct cpu_object *object, const struct cpu_op *op,
                         const struct cpu_timing *timing)
{
    enum { MOST = (1 << (MEM_BESIDE_BITS - 1)) - 1 };
    if (timing->beside == CPU_AFTER_NONE) return 0;
    const struct cpu_op *first = &g_array_index(object->op, struct cpu_op, timing->beside);
    int64_t far = (int64_t)op->site - (int64_t)first->site;
    return far >= -MOST && far <= MOST ? (int32_t)far : 0;
}

/* Where a loop begins that hands on what it loads. */
static void fill_begun(const struct world_table *t, const struct cpu_object *object,
                       const struct cpu_op *phi, const struct cpu_timing *timing)
{
    struct mem_begun begun = {.after = after_of(object, phi, timing)};
    for (int i = 0; i < CPU_HANDED; i++) {
        if (timing->handed[i] == CPU_AFTER_NONE) continue;
        const struct cpu_op *load = &g_array_index(object->op, struct cpu_op, timing->handed[i]);
        const int64_t far = (int64_t)phi->site - (int64_t)load->site;
        if (far == (int16_t)far) begun.handed[i] = (int16_t)far, begun.matters = 1;
    }
    memcpy(world_site_at(t, phi->site), &begun, sizeof begun);
}

static uint32_t stores_of(const struct cpu_object *object, const struct cpu_block *b)
{
    uint32_t stores = 0;
    for (uint32_t i = b->first_op; i < b->first_op + b->ops; i++)
        stores += g_array_index(object->op, struct cpu_op, i).class == BLOCK_STORE;
    return stores;
}

/* The sites of a block. Its accesses are played in the order of the program: one that the schedule
 * issues before another which stands before it is issued with that one. */
static void fill_sites(const struct world_table *t, const struct cpu_object *object, uint32_t block,
                       int64_t price, const struct cpu_timing *timing)
{
    const struct cpu_block *b = &g_array_index(object->block, struct cpu_block, block);
    int64_t issue = 0;
    struct mem_site *last = NULL; /* what one instruction cannot load is several operations */
    for (uint32_t i = b->first_op; i < b->first_op + b->ops; i++) {
        const struct cpu_op *op = &g_array_index(object->op, struct cpu_op, i);
        if (op->flags & BLOCK_BEGUN) fill_begun(t, object, op, &timing[i]);
        if (!cpu_is_access(op)) continue;
        if (op->flags & BLOCK_AGAIN)
            world_again_at(world_site_at(t, op->again), &timing[i], stores_of(object, b));
        int32_t slack = (int32_t)(timing[i].slack * CPU_TICKS);
        struct mem_site *site = world_site_at(t, op->site);
        /* what the path does not need may be needed right behind it */
        if (timing[i].slack == CPU_SLACK) slack = 0;
        if (site == last) {
            site->slack = MIN(site->slack, slack);
            continue;
        }
        issue = MIN(MAX(issue, (int64_t)timing[i].issue * CPU_TICKS), price);
        *site = (struct mem_site){price - issue, slack, after_of(object, op, &timing[i]),
                                  beside_of(object, op, &timing[i]),
                                  MIN(timing[i].between, (1 << MEM_BETWEEN_BITS) - 1)};
        last = site;
    }
}

_Static_assert(sizeof(struct cpu_ways) == sizeof(struct mem_branch_ways), "one and the same");
_Static_assert((int)MEM_BRANCH_WAYS_PART == (int)CPU_OVERLAP_PART, "one and the same");

/* The branch that ends the loop of a block, if that has a site for what it saves; NULL. */
static const struct cpu_op *end_of_loop(const struct cpu_object *object, uint32_t block)
{
    const struct cpu_block *b = &g_array_index(object->block, struct cpu_block, block);
    const struct cpu_op *op =
        b->ops ? &g_array_index(object->op, struct cpu_op, b->first_op + b->ops - 1) : NULL;
    return op && world_has_rounds(op) ? op : NULL;
}

/* Predictors with a past know how many rounds a loop takes that counts, or not. Others lose at each
 * end, which is in the branch's own site. */
static void fill_rounds(const struct cpu_op *end, const struct cpu_price *price, uint8_t *loops,
                        struct cpu_overlap *o)
{
    const struct mem_branch_model *model = mem_branch_find(world_one.mach->cpu_predictor);
    if (!model->begin || !world_is_foreseen(end)) return;
    o->lost = (uint16_t)MIN(price->lost / CPU_OVERLAP_PART, UINT16_MAX);
    o->number = (*loops)++;
}

static void fill_overlap(const struct world_table *t, const struct cpu_object *object,
                         uint32_t block, const struct cpu_price *price, uint8_t *loops)
{
    const struct cpu_op *op = end_of_loop(object, block), *before = NULL;
    struct cpu_overlap o = price[block].overlap;
    if (!op) return;
    if (price[block].follows > 0) before = end_of_loop(object, price[block].follows - 1);
    int64_t far = before ? (int64_t)op->site - (int64_t)before->site : 0; /* sites go down */
    if (far != 0 && far > INT16_MIN && far <= INT16_MAX) o.behind = (int16_t)far;
    fill_rounds(op, &price[block], loops, &o);
    if (o.lost == 0 && o.round == 0) return; /* it saves nothing, and loses nothing */
    struct cpu_overlap *its = g_memdup2(&o, sizeof o);
    g_ptr_array_add(t->overlap, its);
    world_rounds_at(world_site_at(t, op->site + 1), its);
}

/* What a branch costs that was predicted wrongly, or a loop that was left. */
static void fill_branch(const struct world_table *t, const struct cpu_object *object,
                        uint32_t block, const struct cpu_price *price,
                        const struct cpu_timing *timing, uint8_t *loops)
{
    const struct cpu_block *b = &g_array_index(object->block, struct cpu_block, block);
    const struct mem_branch_model *model = mem_branch_find(world_one.mach->cpu_predictor);
    uint32_t last = b->first_op + b->ops - 1;
    const struct cpu_op *op = b->ops ? &g_array_index(object->op, struct cpu_op, last) : NULL;
    if (!op || !(op->flags & (BLOCK_PREDICTED | BLOCK_COUNTED))) return;
    bool counted = op->flags & BLOCK_COUNTED;
    *world_site_at(t, op->site) = (struct mem_site){
        .rest = (int64_t)(price[block].lost * (counted ? model->loop_end : 1)),
        .after = counted ? 0 : after_of(object, op, &timing[last]), /* counted: it counts there */
    };
    if (model->begin && price[block].ways.saved > 0)
        memcpy(&world_site_at(t, op->site)->slack, &price[block].ways, sizeof price->ways);
    fill_overlap(t, object, block, price, loops);
}

void world_fill(const struct world_table *t, const struct world_table_function *f,
                const struct cpu_object *object, const struct cpu_price *price,
                const struct cpu_timing *timing)
{
    uint8_t loops = f->loops;
    for (uint32_t block = 0; block < f->blocks; block++) {
        const int64_t ticks = (int64_t)price[block].ticks;
        t->block[f->first + block].price = ticks;
        fill_sites(t, object, block, ticks, timing);
        fill_branch(t, object, block, price, timing, &loops);
    }
}

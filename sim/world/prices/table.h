/* table: an object's blocks and their prices. Inside world/prices, not a door. */
#ifndef WORLD_TABLE_H
#define WORLD_TABLE_H

#include "cpu/cpu.h"
#include "mem/mem.h"
#include "world/prices/prices.h"

struct world_table_function {
    struct cpu_records_place place;
    uint32_t first, blocks; /* of the table */
    uint8_t loops;          /* in what has been read before it, whose rounds a predictor foresees */
    GArray *share;          /* of its lines, struct world_share; NULL: it has no prices yet */
};

struct world_table {
    uint64_t identity;
    uint32_t blocks, sites;
    const struct cpu_records *records;
    struct world_block *block; /* amid the allocation: sites lie below */
    GArray *function;          /* struct world_table_function */
    GPtrArray *overlap;        /* what sites point to, struct cpu_overlap */
};

static inline struct mem_site *world_site_at(const struct world_table *t, uint32_t site)
{
    return (struct mem_site *)t->block - 1 - site;
}

/* Has the operation a site? And the one behind that, of a branch that ends a loop: what the loop's
 * rounds took less. */
static inline bool world_has_site(const struct cpu_op *op)
{
    return cpu_is_access(op) || op->flags & (BLOCK_PREDICTED | BLOCK_COUNTED | BLOCK_BEGUN);
}
static inline bool world_has_rounds(const struct cpu_op *op)
{
    return op->flags & (BLOCK_COUNTED | BLOCK_ROUNDS);
}
/* Is that how a loop ends whose rounds a predictor with a past foresees? */
static inline bool world_is_foreseen(const struct cpu_op *op)
{
    const uint32_t counted = BLOCK_COUNTED | BLOCK_ROUNDS;
    return (op->flags & counted) == counted;
}

/* ---- survey.c */

/* Makes tables, without prices, of all objects of the records that have none. False: *error. */
bool world_survey(struct cpu_records *records, GError **error);

/* ---- fill.c */

/* The prices of a function, which is alone in the object, and its sites. */
void world_fill(const struct world_table *t, const struct world_table_function *f,
                const struct cpu_object *object, const struct cpu_price *price,
                const struct cpu_timing *timing);

#endif

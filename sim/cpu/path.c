/* The paths along which an object's blocks are priced.
 *
 * A block that is its own successor is a path of its own, a loop. The head of a loop of several
 * blocks begins one that follows the likelier successor until it is back. Whatever is left follows
 * the likelier successor until it meets a block that has a path. Inner loops go first. */
#include "cpu/parts.h"

/* object->blocks: there is none. */
static uint32_t likelier(const struct cpu_object *object, uint32_t b)
{
    const struct cpu_block *block = cpu_block_at(object, b);
    uint32_t best = object->blocks, most = 0;
    for (uint32_t i = 0; i < block->successors; i++) {
        const struct cpu_successor *s =
            &g_array_index(object->successor, struct cpu_successor, block->first_successor + i);
        if (best == object->blocks || s->probability > most) {
            best = s->block;
            most = s->probability;
        }
    }
    return best;
}

static bool passes(const struct cpu_path *path, uint32_t b)
{
    for (uint32_t i = 0; i < path->positions; i++)
        if (path->block[i] == b) return true;
    return false;
}

static void follow(struct cpu_search *s, uint32_t first, struct cpu_path *path)
{
    *path = (struct cpu_path){.object = s->object, .positions = 1, .block = {first}};
    path->cyclic = cpu_block_at(s->object, first)->flags & BLOCK_LOOP;
    for (uint32_t b = likelier(s->object, first); !path->cyclic; b = likelier(s->object, b)) {
        path->cyclic = b == first;
        if (b == s->object->blocks || s->taken[b] || passes(path, b)) break;
        if (path->positions == CPU_PATH_BLOCKS) break;
        path->block[path->positions++] = b;
    }
    for (uint32_t i = 0; i < path->positions; i++) s->taken[path->block[i]] = true;
}

/* The block that begins the next path; object->blocks: there is none. */
static uint32_t next_begin(struct cpu_search *s)
{
    uint64_t blocks = s->object->blocks;
    for (; s->at < blocks; s->at++)
        if (cpu_block_at(s->object, s->at)->flags & BLOCK_LOOP) return (uint32_t)s->at++;
    for (; s->at < 2 * blocks; s->at++) {
        uint32_t b = (uint32_t)(2 * blocks - 1 - s->at);
        if (!s->taken[b] && cpu_block_at(s->object, b)->flags & BLOCK_LOOP_ENTRY) return b;
    }
    for (; s->at < 3 * blocks; s->at++)
        if (!s->taken[s->at - 2 * blocks]) return (uint32_t)(s->at - 2 * blocks);
    return (uint32_t)blocks;
}

bool cpu_next_path(struct cpu_search *s, struct cpu_path *path)
{
    uint32_t begin = next_begin(s);
    if (begin < s->object->blocks) follow(s, begin, path);
    return begin < s->object->blocks;
}

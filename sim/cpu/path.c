/* The paths along which an object's blocks are priced.
 *
 * A block that is its own successor is a path of its own, a loop. The head of a
 * loop of several blocks begins one that follows the likelier successor until it
 * is back. Whatever is left follows the likelier successor until it meets a block
 * that has a path. Inner loops go first. Out of order, where the iterations of an
 * outer loop overlap, its path goes through an inner loop without loops in it as
 * often as the compiler thinks, if that is not too often; and a block beside a loop's
 * likelier way, which overlaps with the rest of its pass, is on the path of a
 * pass that goes through it, if that is no longer than AROUND blocks. */
#include "cpu/parts.h"

enum { AROUND = 16 };

uint32_t cpu_likelier(const struct cpu_object *object, uint32_t b)
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

/* Goes through an inner loop that has its prices, along its likelier way: as often as the compiler
 * thinks, in the last round until where it is left. False: that is too long, or on another way. */
static bool go_round(const struct cpu_search *s, uint32_t *b, struct cpu_path *path)
{
    const struct cpu_rounds *rounds = &s->loops->rounds[*b];
    uint32_t round[CPU_PATH_BLOCKS], blocks = 0, at = *b;
    if (!s->overlap || !s->loops->head[*b] || rounds->times == 0) return false;
    do {
        if (blocks == CPU_PATH_BLOCKS || !s->taken[at] || !cpu_is_in(s->loops, *b, at))
            return false;
        round[blocks++] = at;
        at = cpu_likelier(s->object, at);
    } while (at != *b);
    uint32_t last = 0;
    while (last < blocks && round[last] != rounds->from) last++;
    uint64_t all = (uint64_t)(rounds->times - 1) * blocks + last + 1;
    if (last == blocks || path->positions + all > CPU_PATH_BLOCKS) return false;
    for (uint32_t i = 0; i < all; i++) {
        path->inner[path->positions] = true;
        path->block[path->positions++] = round[i % blocks];
    }
    *b = rounds->exit;
    return true;
}

static bool leads_to(const struct cpu_object *object, uint32_t b, uint32_t to)
{
    const struct cpu_block *block = cpu_block_at(object, b);
    for (uint32_t i = block->first_successor; i < block->first_successor + block->successors; i++)
        if (g_array_index(object->successor, struct cpu_successor, i).block == to) return true;
    return false;
}

/* Is it in a loop that the other is not in? */
static bool is_deeper(const struct cpu_search *s, uint32_t b, uint32_t other)
{
    uint32_t head = s->loops->head[b] ? b : s->loops->within[b];
    return head < s->object->blocks && !cpu_is_in(s->loops, head, other);
}

/* The pass of a loop that goes through a block beside its path: on along the likelier way, to one
 * that leads to the block. Blocks that have their prices are as those of inner loops. False: there
 * is none. */
static bool go_around(struct cpu_search *s, uint32_t first, struct cpu_path *path)
{
    *path = (struct cpu_path){.object = s->object, .loops = s->loops, .cyclic = true};
    for (uint32_t b = first; path->positions < AROUND;) {
        if (b == s->object->blocks || passes(path, b)) return false;
        if (s->taken[b] && is_deeper(s, b, first)) return false; /* its rounds are not played */
        path->inner[path->positions] = s->taken[b];
        path->block[path->positions++] = b;
        if (leads_to(s->object, b, first)) break;
        b = cpu_likelier(s->object, b);
    }
    if (!leads_to(s->object, path->block[path->positions - 1], first)) return false;
    for (uint32_t i = 0; i < path->positions; i++) s->taken[path->block[i]] = true;
    return true;
}

static void follow(struct cpu_search *s, uint32_t first, struct cpu_path *path)
{
    *path =
        (struct cpu_path){.object = s->object, .loops = s->loops, .positions = 1, .block = {first}};
    path->cyclic = cpu_block_at(s->object, first)->flags & BLOCK_LOOP;
    uint32_t b = cpu_likelier(s->object, first), plain = 1; /* positions before an inner loop */
    while (!path->cyclic) {
        path->cyclic = b == first;
        if (b == s->object->blocks || passes(path, b)) break;
        if (s->taken[b]) {
            if (!go_round(s, &b, path)) break;
            continue;
        }
        if (path->positions == CPU_PATH_BLOCKS) break;
        path->block[path->positions++] = b;
        if (!path->inner[plain]) plain = path->positions;
        b = cpu_likelier(s->object, b);
    }
    if (!path->cyclic) path->positions = plain;
    for (uint32_t i = 0; i < path->positions; i++) s->taken[path->block[i]] = true;
}

/* The block that begins the next path; object->blocks: there is none. */
static uint32_t next_begin(struct cpu_search *s)
{
    uint64_t blocks = s->object->blocks;
    for (; s->at < blocks; s->at++)
        if (cpu_block_at(s->object, s->at)->flags & BLOCK_LOOP) return (uint32_t)s->at++;
    for (; s->at < 2 * blocks; s->at++) {
        uint32_t b = s->loops->inner_first[s->at - blocks];
        if (!s->taken[b] && s->loops->head[b]) return b;
    }
    for (; s->at < 3 * blocks; s->at++)
        if (!s->taken[s->at - 2 * blocks]) return (uint32_t)(s->at - 2 * blocks);
    return (uint32_t)blocks;
}

bool cpu_next_path(struct cpu_search *s, struct cpu_path *path)
{
    uint32_t begin = next_begin(s);
    if (begin == s->object->blocks) return false;
    bool beside = s->overlap && s->at >= 2 * (uint64_t)s->object->blocks;
    if (!beside || !go_around(s, begin, path)) follow(s, begin, path);
    return true;
}

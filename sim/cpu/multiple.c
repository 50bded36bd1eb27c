/* A product with a constant as the shifts, additions and subtractions that compilers make of it,
 * each of the result so far: the cheapest chain by the sum of latencies (Bernstein, Multiplication
 * by integer constants, Software: Practice and Experience 1986; gcc's synth_mult). Where a
 * multiplication takes less than any chain there is none.
 *
 * A shift and an addition are one operation where the machine has that: what
 * cpu.lower.scaled_index says of addresses. Those that scale by themselves scale sums by 2, 4 and 8
 * (x86: lea); one int_add is a scaled addition or subtraction of 4 and 8 (Alpha: s4addq, s8subq).
 *
 * Left out: chains that keep a second value beside the result. */
#include "cpu/parts.h"

#include <string.h>

enum { NEVER = 1 << 20, VISITS = 4096 };

/* One link: the result so far is shifted; then, but for PLAIN, x or itself is added or taken away.
 */
enum link { NONE, PLAIN, PLUS, MINUS };
struct best {
    uint64_t rest; /* the factor before the link */
    uint32_t cost;
    enum link link;
    uint32_t shift;
};
struct search {
    const struct cpu *cpu;
    GHashTable *best; /* of an odd factor: struct best */
    uint32_t visits;
};

static uint32_t cost_of(const struct cpu *cpu, const struct cpu_chain *chain)
{
    uint32_t cost = 0;
    for (uint32_t i = 0; i < chain->steps; i++)
        cost += (uint32_t)cpu->class[chain->step[i]].latency.cycles[MACH_USE_VALUE];
    return cost;
}

/* Is (a << shift) + b, or - b, one operation? */
static bool scaled(const struct cpu *cpu, enum link link, uint32_t shift)
{
    const struct mach_lower *lower = &cpu->lower[LOWER_SCALED_INDEX];
    if (lower->steps == 0) return link == PLUS && shift <= 3;
    bool one = lower->steps == 1 && lower->step[0] == MACH_INT_ADD;
    return one && (shift == 2 || shift == 3);
}

static void add_link(const struct cpu *cpu, enum link link, uint32_t shift, struct cpu_chain *chain)
{
    bool sum = link == PLUS || link == MINUS, together = sum && scaled(cpu, link, shift);
    if (chain->steps + 2 > CPU_CHAIN_MAX) return;
    if (!together) chain->step[chain->steps++] = shift == 1 ? MACH_INT_ADD : MACH_SHIFT;
    if (sum) chain->step[chain->steps++] = MACH_INT_ADD;
}

static uint32_t find(struct search *s, uint64_t times);

static void consider(struct search *s, struct best *best, uint64_t rest, enum link link,
                     uint32_t shift)
{
    struct cpu_chain one = {0};
    add_link(s->cpu, link, shift, &one);
    uint32_t cost = cost_of(s->cpu, &one);
    if (cost >= best->cost) return;
    cost += find(s, rest);
    if (cost < best->cost) *best = (struct best){rest, cost, link, shift};
}

/* Factors 2^shift + 1 and 2^shift - 1: the result so far and itself. */
static void consider_factors(struct search *s, struct best *best, uint64_t times)
{
    for (uint32_t shift = 1; shift < 63 && (1ULL << shift) <= times / 2 + 1; shift++) {
        uint64_t above = (1ULL << shift) + 1, below = (1ULL << shift) - 1;
        if (times != above && times % above == 0) consider(s, best, times / above, PLUS, shift);
        if (below > 1 && times != below && times % below == 0)
            consider(s, best, times / below, MINUS, shift);
    }
}

static struct best find_link(struct search *s, uint64_t times)
{
    struct best best = {.cost = NEVER};
    uint32_t shift = (uint32_t)__builtin_ctzll(times);
    if (shift > 0) {
        consider(s, &best, times >> shift, PLAIN, shift);
        return best;
    }
    shift = (uint32_t)__builtin_ctzll(times - 1);
    consider(s, &best, (times - 1) >> shift, PLUS, shift);
    if (times + 1 != 0) {
        shift = (uint32_t)__builtin_ctzll(times + 1);
        consider(s, &best, (times + 1) >> shift, MINUS, shift);
    }
    consider_factors(s, &best, times);
    return best;
}

/* The cost of the cheapest chain. */
static uint32_t find(struct search *s, uint64_t times)
{
    if (times == 1) return 0;
    const struct best *known = g_hash_table_lookup(s->best, &times);
    if (known) return known->cost;
    if (s->visits == 0) return NEVER;
    s->visits--;
    struct best best = find_link(s, times);
    uint64_t *key = g_memdup2(&times, sizeof times);
    g_hash_table_insert(s->best, key, g_memdup2(&best, sizeof best));
    return best.cost;
}

static void follow(const struct search *s, uint64_t times, struct cpu_chain *chain)
{
    if (times == 1) return;
    const struct best *best = g_hash_table_lookup(s->best, &times);
    follow(s, best->rest, chain);
    add_link(s->cpu, best->link, best->shift, chain);
}

static struct cpu_chain chain_for(const struct cpu *cpu, uint64_t times, bool negative)
{
    g_autoptr(GHashTable) best = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    struct search s = {cpu, best, VISITS};
    struct cpu_chain chain = {0};
    if (find(&s, times) >= NEVER) return chain;
    follow(&s, times, &chain);
    if (negative && chain.steps < CPU_CHAIN_MAX) chain.step[chain.steps++] = MACH_INT_ADD;
    return chain;
}

/* Is it a chain, of no more than that? */
static bool within(const struct cpu *cpu, const struct cpu_chain *chain, uint32_t most)
{
    return chain->steps > 0 && chain->steps + 3 <= CPU_CHAIN_MAX && cost_of(cpu, chain) <= most;
}

static struct cpu_chain cheapest(const struct cpu *cpu, uint64_t times, bool narrow)
{
    const uint64_t mask = narrow ? UINT32_MAX : UINT64_MAX, negative = -times & mask;
    const enum mach_class class = narrow ? MACH_INT_MULTIPLY_32 : MACH_INT_MULTIPLY;
    uint32_t most = (uint32_t)cpu->class[class].latency.cycles[MACH_USE_VALUE];
    struct cpu_chain chain = {0};
    if (negative == 0) return chain;
    struct cpu_chain plus = chain_for(cpu, times & mask, false);
    if (within(cpu, &plus, most)) chain = plus;
    if (negative > mask / 2) return chain; /* a positive number */
    struct cpu_chain minus = chain_for(cpu, negative, true);
    if (chain.steps > 0) most = cost_of(cpu, &chain);
    return within(cpu, &minus, most) ? minus : chain;
}

/* A search takes a millisecond, and programs multiply by few constants. */
struct cpu_chain cpu_multiple(const struct cpu *cpu, uint64_t times, bool narrow)
{
    const struct cpu_chain *known = g_hash_table_lookup(cpu->multiple[narrow], &times);
    if (known) return *known;
    const struct cpu_chain chain = cheapest(cpu, times, narrow);
    g_hash_table_insert(cpu->multiple[narrow], g_memdup2(&times, sizeof times),
                        g_memdup2(&chain, sizeof chain));
    return chain;
}

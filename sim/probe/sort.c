/* qsort: C's library merges halves, so does this. What it computes beside the comparisons is
 * charged with each of them, and which way each goes is a branch that the processor predicts. */
#include "base/floating/floating.h"
#include "probe/hooks.h"
#include "probe/stand_ins.h"
#include "world/prices/prices.h"

#include <stdlib.h>
#include <string.h>

/* Executed for a comparison, it left out, of 4,096 random numbers: glibc 2.36's msort_with_tmp and
 * the copies of its halves, by callgrind; one of the branches of a processor. */
enum { OPERATIONS = 25, BRANCH = 0xb50 };

struct sort {
    int (*compare)(const void *, const void *);
    size_t bytes;
    char *room; /* for a merge */
    uintptr_t pc;
    int64_t work; /* ticks of a comparison */
    struct mem_site branch;
};

/* Is the first to stay before the second? */
static bool is_before(const struct sort *s, const void *first, const void *second)
{
    const bool before = s->compare(first, second) <= 0;
    struct mem_cpu *cpu = world_cpu();
    mem_charge(&cpu->ledger, s->work, 0);
    profile_work(mem_place(cpu, s->pc), s->work);
    mem_goes(!before, BRANCH, cpu, &s->branch, s->pc);
    return before;
}

static void merge_sort(const struct sort *s, char *all, size_t n)
{
    if (n < 2) return;
    size_t firsts = n / 2, seconds = n - firsts;
    char *first = all, *second = all + firsts * s->bytes, *to = s->room;
    merge_sort(s, first, firsts);
    merge_sort(s, second, seconds);
    while (firsts > 0 && seconds > 0) {
        const bool before = is_before(s, first, second);
        char **from = before ? &first : &second;
        --*(before ? &firsts : &seconds);
        memcpy(to, *from, s->bytes);
        *from += s->bytes;
        to += s->bytes;
    }
    memcpy(to, first, firsts * s->bytes); /* what is left of the second half is in its place */
    memcpy(all, s->room, (n - seconds) * s->bytes);
}

/* In a block of the rank's heap, since the comparison's loads are played at the addresses it is
 * given. */
void probe_qsort(void *base, size_t n, size_t bytes, int (*compare)(const void *, const void *))
{
    size_t all, twice;
    bool fits = probe_product(n, bytes, &all) && probe_product(all, 2, &twice) && all > 0;
    char *block = probe_active() && fits ? probe_malloc(twice) : NULL;
    if (!block) {
        qsort(base, n, bytes, compare);
        return;
    }
    const unsigned floating = base_sse_begin();
    const struct sort sort = {
        .compare = compare,
        .bytes = bytes,
        .room = block + all,
        .pc = PROBE_CALLER,
        .work = world_comparison_ticks(OPERATIONS),
        .branch = {.rest = world_miss_ticks(), .after = MEM_AFTER_NONE},
    };
    base_sse_end(floating);
    probe_load_range(base, all, sort.pc);
    memcpy(block, base, all);
    merge_sort(&sort, block, n);
    probe_deliver(base, block, all, sort.pc);
    probe_free(block);
}

/* What the blocks of the program cost on the machine of the run. Each object is priced once, when
 * the first copy of it is loaded; its descriptions are read from the file and not kept. */
#include "world/prices/prices.h"
#include "world/prices/again.h"
#include "world/prices/rounds.h"
#include "world/prices/shares.h"
#include "base/copies/copies.h"
#include "profile/lines/lines.h"
#include "world/place/place.h"
#include "world/rank/state.h"

#include "cpu/cpu.h"
#include "mem/branch/branch.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct table {
    uint64_t identity;
    uint32_t blocks, sites;
    struct world_block *block; /* amid the allocation: sites lie below */
    GArray *share;             /* of the lines, struct world_share */
    GPtrArray *overlap;        /* what sites point to, struct cpu_overlap */
};

static void table_free(void *data)
{
    struct table *t = data;
    g_free((struct mem_site *)t->block - t->sites);
    g_array_unref(t->share);
    g_ptr_array_unref(t->overlap);
    g_free(t);
}

static struct mem_site *site_at(const struct table *t, uint32_t site)
{
    return (struct mem_site *)t->block - 1 - site;
}

static bool has_site(const struct cpu_op *op)
{
    return cpu_is_access(op) || op->flags & (BLOCK_PREDICTED | BLOCK_COUNTED | BLOCK_BEGUN);
}

/* The site behind it, of a branch that ends a loop: what the loop's rounds took less. */
static bool has_rounds(const struct cpu_op *op)
{
    return op->flags & (BLOCK_COUNTED | BLOCK_ROUNDS);
}

static uint32_t sites_of(const struct cpu_object *object)
{
    uint32_t sites = 0;
    for (uint32_t i = 0; i < object->op->len; i++) {
        const struct cpu_op *op = &g_array_index(object->op, struct cpu_op, i);
        if (op->flags & BLOCK_AGAIN) sites = MAX(sites, op->again + 2);
        if (has_site(op)) sites = MAX(sites, op->site + 1 + has_rounds(op));
    }
    return sites;
}

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
static void fill_begun(const struct table *t, const struct cpu_object *object,
                       const struct cpu_op *phi, const struct cpu_timing *timing)
{
    struct mem_begun begun = {.after = after_of(object, phi, timing)};
    for (int i = 0; i < CPU_HANDED; i++) {
        if (timing->handed[i] == CPU_AFTER_NONE) continue;
        const struct cpu_op *load = &g_array_index(object->op, struct cpu_op, timing->handed[i]);
        const int64_t far = (int64_t)phi->site - (int64_t)load->site;
        if (far == (int16_t)far) begun.handed[i] = (int16_t)far, begun.matters = 1;
    }
    memcpy(site_at(t, phi->site), &begun, sizeof begun);
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
static void fill_sites(const struct table *t, const struct cpu_object *object, uint32_t block,
                       const struct cpu_timing *timing)
{
    const struct cpu_block *b = &g_array_index(object->block, struct cpu_block, block);
    int64_t price = t->block[block].price, issue = 0;
    struct mem_site *last = NULL; /* what one instruction cannot load is several operations */
    for (uint32_t i = b->first_op; i < b->first_op + b->ops; i++) {
        const struct cpu_op *op = &g_array_index(object->op, struct cpu_op, i);
        if (op->flags & BLOCK_BEGUN) fill_begun(t, object, op, &timing[i]);
        if (!cpu_is_access(op)) continue;
        if (op->flags & BLOCK_AGAIN)
            world_again_at(site_at(t, op->again), &timing[i], stores_of(object, b));
        int32_t slack = (int32_t)(timing[i].slack * CPU_TICKS);
        struct mem_site *site = site_at(t, op->site);
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
    return op && has_rounds(op) ? op : NULL;
}

/* Predictors with a past know how many rounds a loop takes that counts, or not. Others lose at each
 * end, which is in the branch's own site. */
static void fill_rounds(const struct cpu_op *end, const struct cpu_price *price,
                        struct cpu_overlap *o)
{
    static uint8_t loops;
    const struct mem_branch_model *model = mem_branch_find(world_one.mach->cpu_predictor);
    const uint32_t counted = BLOCK_COUNTED | BLOCK_ROUNDS;
    if (!model->begin || (end->flags & counted) != counted) return;
    o->lost = (uint16_t)MIN(price->lost / CPU_OVERLAP_PART, UINT16_MAX);
    o->number = loops++;
}

static void fill_overlap(const struct table *t, const struct cpu_object *object, uint32_t block,
                         const struct cpu_price *price)
{
    const struct cpu_op *op = end_of_loop(object, block), *before = NULL;
    struct cpu_overlap o = price[block].overlap;
    if (!op) return;
    if (price[block].follows > 0) before = end_of_loop(object, price[block].follows - 1);
    int64_t far = before ? (int64_t)op->site - (int64_t)before->site : 0; /* sites go down */
    if (far != 0 && far > INT16_MIN && far <= INT16_MAX) o.behind = (int16_t)far;
    fill_rounds(op, &price[block], &o);
    if (o.lost == 0 && o.round == 0) return; /* it saves nothing, and loses nothing */
    struct cpu_overlap *its = g_memdup2(&o, sizeof o);
    g_ptr_array_add(t->overlap, its);
    world_rounds_at(site_at(t, op->site + 1), its);
}

/* What a branch costs that was predicted wrongly, or a loop that was left. */
static void fill_branch(const struct table *t, const struct cpu_object *object, uint32_t block,
                        const struct cpu_price *price, const struct cpu_timing *timing)
{
    const struct cpu_block *b = &g_array_index(object->block, struct cpu_block, block);
    const struct mem_branch_model *model = mem_branch_find(world_one.mach->cpu_predictor);
    uint32_t last = b->first_op + b->ops - 1;
    const struct cpu_op *op = b->ops ? &g_array_index(object->op, struct cpu_op, last) : NULL;
    if (!op || !(op->flags & (BLOCK_PREDICTED | BLOCK_COUNTED))) return;
    bool counted = op->flags & BLOCK_COUNTED;
    *site_at(t, op->site) = (struct mem_site){
        .rest = (int64_t)(price[block].lost * (counted ? model->loop_end : 1)),
        .after = counted ? 0 : after_of(object, op, &timing[last]), /* counted: it counts there */
    };
    if (model->begin && price[block].ways.saved > 0)
        memcpy(&site_at(t, op->site)->slack, &price[block].ways, sizeof price->ways);
    fill_overlap(t, object, block, price);
}

/* world_unseen looks for what it stored. */
static void note_assembly(const struct cpu_object *object, uint32_t block, const uint64_t *count)
{
    const struct cpu_block *b = &g_array_index(object->block, struct cpu_block, block);
    uint32_t looks = 2; /* an access before it may let others run, and that twice */
    for (uint32_t i = 0; i < b->ops; i++) {
        const struct cpu_op *op = &g_array_index(object->op, struct cpu_op, b->first_op + i);
        if (cpu_is_access(op)) looks += 2;
        if (!(op->flags & BLOCK_ANYWHERE)) continue;
        if (!world_one.assembly) world_one.assembly = g_ptr_array_new();
        g_ptr_array_add(world_one.assembly, (void *)(uintptr_t)count);
        world_one.assembly_looks = MAX(world_one.assembly_looks, looks);
        return;
    }
}

/* Beside a function's words. */
enum { words_known = BLOCK_WORDS_ALL + 1 };

/* What the program's own objects hand to a function. */
static void note_words(const struct cpu_object *object)
{
    if (!world_one.words)
        world_one.words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (uint32_t i = 0; i < object->op->len; i++) {
        const struct cpu_op *op = &g_array_index(object->op, struct cpu_op, i);
        if (!op->callee || op->described) continue;
        guint words = GPOINTER_TO_UINT(g_hash_table_lookup(world_one.words, op->callee));
        guint all = words | op->words | words_known;
        if (all != words)
            g_hash_table_insert(world_one.words, g_strdup(op->callee), GUINT_TO_POINTER(all));
    }
}

unsigned world_call_words(const char *callee)
{
    guint words = 0;
    if (world_one.words && !world_one.description.uninstrumented)
        words = GPOINTER_TO_UINT(g_hash_table_lookup(world_one.words, callee));
    return words & words_known ? words & BLOCK_WORDS_ALL : BLOCK_WORDS_ALL;
}

static struct table *price(const struct cpu *cpu, const struct cpu_object *object)
{
    g_autofree struct cpu_price *price = g_new0(struct cpu_price, object->blocks + 1);
    g_autofree struct cpu_timing *timing = g_new0(struct cpu_timing, object->op->len + 1);
    struct table *t = g_new0(struct table, 1);
    t->identity = object->identity;
    t->blocks = object->blocks;
    t->sites = sites_of(object);
    t->overlap = g_ptr_array_new_with_free_func(g_free);
    struct mem_site *room = g_malloc0(t->sites * sizeof *room + (t->blocks + 1) * sizeof *t->block);
    t->block = (struct world_block *)(room + t->sites);
    cpu_price(cpu, object, price, timing);
    for (uint32_t block = 0; block < t->blocks; block++) {
        t->block[block].price = (int64_t)price[block].ticks;
        fill_sites(t, object, block, timing);
        fill_branch(t, object, block, price, timing);
        note_assembly(object, block, &t->block[block].count);
    }
    note_words(object);
    t->share = world_shares(object, price, timing);
    return t;
}

static void refuse(const char *file, const char *why)
{
    world_say("%s: %s", file, why);
    _exit(2);
}

/* SMPI copies the program into the folder of the run, maybe without its descriptions. */
static const char *file_of(const void *at)
{
    const struct world_description *d = &world_one.description;
    Dl_info found;
    struct stat there, ours;
    if (!dladdr(at, &found)) return d->program;
    g_autofree char *folder = g_path_get_dirname(found.dli_fname);
    const char *file = base_copies_file(found.dli_fname);
    bool copy = file == found.dli_fname && stat(folder, &there) == 0 &&
                stat(d->tmpdir, &ours) == 0 && there.st_dev == ours.st_dev &&
                there.st_ino == ours.st_ino;
    return copy ? d->program : file;
}

/* All objects of a file. */
static void read_file(const char *file)
{
    GError *error = NULL;
    g_autoptr(GPtrArray) objects = cpu_read_file(file, &error);
    if (!objects) refuse(file, error->message);
    struct cpu *cpu = cpu_new(world_one.mach);
    for (guint i = 0; i < objects->len; i++) {
        const struct cpu_object *object = g_ptr_array_index(objects, i);
        if (g_hash_table_contains(world_one.prices, &object->identity)) continue;
        if (object->optimisation == 0 && object->blocks > 0) world_one.unoptimised = true;
        struct table *t = price(cpu, object);
        g_hash_table_insert(world_one.prices, &t->identity, t);
    }
    cpu_free(cpu);
}

const struct world_block *world_prices(uint64_t identity, uint32_t blocks, uint32_t sites,
                                       const void *at)
{
    if (!world_one.prices)
        world_one.prices = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, table_free);
    const struct table *t = g_hash_table_lookup(world_one.prices, &identity);
    if (!t) {
        const char *file = file_of(at);
        read_file(file);
        t = g_hash_table_lookup(world_one.prices, &identity);
        if (!t || t->blocks != blocks || t->sites > sites)
            refuse(file, "has lost the descriptions of its blocks; build it again");
    }
    return t->block;
}

static int64_t library_ticks(const char *function)
{
    const struct cpu_library *f = cpu_library_find(function);
    if (!f) return 0;
    struct cpu *cpu = cpu_new(world_one.mach);
    int64_t ticks = (int64_t)cpu_library_ticks(cpu, f);
    cpu_free(cpu);
    return ticks;
}

int64_t world_library_ticks(const char *function)
{
    gpointer known;
    if (!world_one.running) return 0;
    if (!world_one.library_ticks)
        world_one.library_ticks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (g_hash_table_lookup_extended(world_one.library_ticks, function, NULL, &known))
        return (int64_t)GPOINTER_TO_SIZE(known);
    int64_t ticks = library_ticks(function);
    g_hash_table_insert(world_one.library_ticks, g_strdup(function),
                        GSIZE_TO_POINTER((gsize)ticks));
    return ticks;
}

static int64_t said(enum mach_function f)
{
    return mem_cycles(world_one.mach->function[f].library);
}
int64_t world_comparison_ticks(uint32_t operations)
{
    const int64_t ticks = world_one.running ? said(MACH_FUNCTION_sort_comparison) : 0;
    return ticks ? ticks : world_issue_ticks(operations);
}
struct world_beside world_library_beside(void)
{
    if (!world_one.running) return (struct world_beside){0};
    return (struct world_beside){said(MACH_FUNCTION_memcpy), said(MACH_FUNCTION_memset),
                                 said(MACH_FUNCTION_memcmp)};
}

/* How often the block began, or its loop was left (in_line.h). */
static uint64_t executions(const struct table *t, const struct world_share *s)
{
    uint64_t n = t->block[s->block].count;
    if (s->at_site) memcpy(&n, &site_at(t, s->site)->slack, sizeof n);
    return n;
}

void world_prices_profile(void)
{
    GHashTableIter each;
    gpointer value;
    if (!world_one.prices || world_one.profiled) return;
    world_one.profiled = true;
    g_hash_table_iter_init(&each, world_one.prices);
    while (g_hash_table_iter_next(&each, NULL, &value)) {
        const struct table *t = value;
        for (guint i = 0; i < t->share->len; i++) {
            const struct world_share *s = &g_array_index(t->share, struct world_share, i);
            uint64_t n = executions(t, s);
            int64_t ticks = s->at_site ? site_at(t, s->site)->rest : s->ticks;
            if (n > 0)
                profile_line(&(struct profile_line){.function = s->function,
                                                    .file = s->file,
                                                    .line = s->line,
                                                    .executions = n,
                                                    .loads = n * s->loads,
                                                    .stores = n * s->stores,
                                                    .ticks = (int64_t)n * ticks,
                                                    .divided = (int64_t)n * s->divided});
        }
    }
}

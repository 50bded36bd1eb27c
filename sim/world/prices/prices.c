/* What the blocks of the program cost on the machine of the run. An object has one table, from when
 * the first copy of it is loaded; each of its functions is priced when it is first entered. Its
 * descriptions are kept as the file has them. */
#include "world/prices/again.h"
#include "world/prices/shares.h"
#include "world/prices/table.h"
#include "base/copies/copies.h"
#include "profile/lines/lines.h"
#include "world/place/place.h"
#include "world/rank/state.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct world_table_function *function_at(const struct world_table *t, guint i)
{
    return &g_array_index(t->function, struct world_table_function, i);
}

static void table_free(void *data)
{
    struct world_table *t = data;
    g_free((struct mem_site *)t->block - t->sites);
    for (guint i = 0; i < t->function->len; i++)
        if (function_at(t, i)->share) g_array_unref(function_at(t, i)->share);
    g_array_unref(t->function);
    g_ptr_array_unref(t->overlap);
    g_free(t);
}

static void records_free(void *records) { cpu_records_free(records); }

void world_prices_clear(void)
{
    g_clear_pointer(&world_one.prices, g_hash_table_unref);
    g_clear_pointer(&world_one.described, g_ptr_array_unref);
    g_clear_pointer(&world_one.cpu, cpu_free);
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

static struct cpu *pipeline(void)
{
    if (!world_one.cpu) world_one.cpu = cpu_new(world_one.mach);
    return world_one.cpu;
}

/* All objects of a file. */
static void read_file(const char *file)
{
    GError *error = NULL;
    struct cpu_records *records = cpu_records_open(file, &error);
    if (!world_one.described) world_one.described = g_ptr_array_new_with_free_func(records_free);
    if (records) g_ptr_array_add(world_one.described, records);
    if (!records || !world_survey(records, &error)) refuse(file, error->message);
}

const struct world_block *world_prices(uint64_t identity, uint32_t blocks, uint32_t sites,
                                       const void *at)
{
    if (!world_one.prices)
        world_one.prices = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, table_free);
    const struct world_table *t = g_hash_table_lookup(world_one.prices, &identity);
    if (!t) {
        const char *file = file_of(at);
        read_file(file);
        t = g_hash_table_lookup(world_one.prices, &identity);
        if (!t || t->blocks != blocks || t->sites > sites)
            refuse(file, "has lost the descriptions of its blocks; build it again");
    }
    return t->block;
}

/* The function that begins with that block. */
static struct world_table_function *find_function(const struct world_table *t, uint32_t first)
{
    guint low = 0, high = t->function->len - 1;
    while (low < high) {
        const guint middle = (low + high) / 2;
        const struct world_table_function *f = function_at(t, middle);
        if (f->first + f->blocks <= first)
            low = middle + 1;
        else
            high = middle;
    }
    return function_at(t, low);
}

void world_price(uint64_t identity, uint32_t first)
{
    const struct world_table *t = g_hash_table_lookup(world_one.prices, &identity);
    struct world_table_function *f = find_function(t, first);
    if (f->share) return;
    const struct cpu_object *object = cpu_records_again(t->records, f->place);
    g_autofree struct cpu_price *price = g_new0(struct cpu_price, object->blocks + 1);
    g_autofree struct cpu_timing *timing = g_new0(struct cpu_timing, object->op->len + 1);
    cpu_price(pipeline(), object, price, timing);
    f->share = world_shares(object, price, timing);
    world_fill(t, f, object, price, timing);
}

static int64_t library_ticks(const char *function)
{
    const struct cpu_library *f = cpu_library_find(function);
    if (!f) return 0;
    return (int64_t)cpu_library_ticks(pipeline(), f);
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
static uint64_t executions(const struct world_table *t, const struct world_table_function *f,
                           const struct world_share *s)
{
    uint64_t n = t->block[f->first + s->block].count;
    if (s->at_site) memcpy(&n, &world_site_at(t, s->site)->slack, sizeof n);
    return n;
}

static void profile_function(const struct world_table *t, const struct world_table_function *f)
{
    for (guint i = 0; f->share && i < f->share->len; i++) {
        const struct world_share *s = &g_array_index(f->share, struct world_share, i);
        const uint64_t n = executions(t, f, s);
        const struct mem_site *site = s->at_site ? world_site_at(t, s->site) : NULL;
        const int64_t ticks = site ? site->rest : s->ticks,
                      saved = s->again ? world_again_saved(site) : 0;
        if (n > 0)
            profile_line(&(struct profile_line){.function = s->function,
                                                .file = s->file,
                                                .line = s->line,
                                                .executions = n,
                                                .loads = n * s->loads,
                                                .stores = n * s->stores,
                                                .ticks = (int64_t)n * ticks - saved,
                                                .divided = (int64_t)n * s->divided});
    }
}

void world_prices_profile(void)
{
    GHashTableIter each;
    gpointer value;
    if (!world_one.prices || world_one.profiled) return;
    world_one.profiled = true;
    g_hash_table_iter_init(&each, world_one.prices);
    while (g_hash_table_iter_next(&each, NULL, &value)) {
        const struct world_table *t = value;
        for (guint i = 0; i < t->function->len; i++) profile_function(t, function_at(t, i));
    }
}

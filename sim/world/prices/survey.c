/* survey: what must be known of all blocks before the program runs: how long an object's table is,
 * what calls are handed, which blocks have assembly. Their prices come later, function by function.
 */
#include "world/prices/table.h"
#include "world/rank/state.h"

#include "mem/branch/branch.h"

/* The object whose functions are being read. */
struct survey {
    const struct cpu_object *object;
    struct world_table *table; /* NULL: there is one already */
    GArray *assembly;          /* blocks with some that may store anywhere */
    GHashTable *words;         /* of a callee's arguments, by its name */
};

/* Beside a function's words. */
enum { words_known = BLOCK_WORDS_ALL + 1 };

static void add_words(GHashTable *to, const char *callee, guint more)
{
    guint words = GPOINTER_TO_UINT(g_hash_table_lookup(to, callee));
    guint all = words | more | words_known;
    if (all != words) g_hash_table_insert(to, g_strdup(callee), GUINT_TO_POINTER(all));
}

/* What the program's own objects hand to functions of others. */
static void keep_words(GHashTable *words, const struct cpu_records *records)
{
    GHashTableIter each;
    gpointer callee, found;
    if (!world_one.words)
        world_one.words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_iter_init(&each, words);
    while (g_hash_table_iter_next(&each, &callee, &found))
        if (!cpu_records_describe(records, callee))
            add_words(world_one.words, callee, GPOINTER_TO_UINT(found));
}

unsigned world_call_words(const char *callee)
{
    guint words = 0;
    if (world_one.words && !world_one.description.uninstrumented)
        words = GPOINTER_TO_UINT(g_hash_table_lookup(world_one.words, callee));
    return words & words_known ? words & BLOCK_WORDS_ALL : BLOCK_WORDS_ALL;
}

/* world_unseen looks for what it stored. */
static void note_assembly(struct survey *s, uint32_t block, uint32_t looks)
{
    g_array_append_val(s->assembly, block);
    world_one.assembly_looks = MAX(world_one.assembly_looks, looks);
}

static void look_at_block(struct survey *s, const struct cpu_block *b, uint32_t block)
{
    uint32_t looks = 2; /* an access before it may let others run, and that twice */
    bool assembly = false;
    for (uint32_t i = b->first_op; i < b->first_op + b->ops; i++) {
        const struct cpu_op *op = &g_array_index(s->object->op, struct cpu_op, i);
        uint32_t *sites = &s->table->sites;
        if (op->flags & BLOCK_AGAIN) *sites = MAX(*sites, op->again + 2);
        if (world_has_site(op)) *sites = MAX(*sites, op->site + 1 + world_has_rounds(op));
        if (op->callee) add_words(s->words, op->callee, op->words);
        if (cpu_is_access(op)) looks += 2;
        if (op->flags & BLOCK_ANYWHERE && !assembly) note_assembly(s, block, looks);
        assembly |= op->flags & BLOCK_ANYWHERE;
    }
}

/* How many loops end in the function whose rounds are foreseen, by one of many entries. */
static uint32_t foreseen(const struct cpu_object *object)
{
    uint32_t loops = 0;
    if (!mem_branch_find(world_one.mach->cpu_predictor)->begin) return 0;
    for (uint32_t i = 0; i < object->blocks; i++) {
        const struct cpu_block *b = &g_array_index(object->block, struct cpu_block, i);
        const uint32_t last = b->first_op + b->ops - 1;
        loops += b->ops && world_is_foreseen(&g_array_index(object->op, struct cpu_op, last));
    }
    return loops;
}

static void add_function(struct survey *s, struct cpu_records_place place)
{
    static uint8_t loops;
    struct world_table *t = s->table;
    const struct world_table_function f = {
        .place = place, .first = t->blocks, .blocks = s->object->blocks, .loops = loops};
    g_array_append_val(t->function, f);
    for (uint32_t i = 0; i < f.blocks; i++)
        look_at_block(s, &g_array_index(s->object->block, struct cpu_block, i), f.first + i);
    t->blocks += f.blocks;
    loops += (uint8_t)foreseen(s->object);
    if (s->object->optimisation == 0 && f.blocks > 0) world_one.unoptimised = true;
}

static void begin(struct survey *s, const struct cpu_object *object,
                  const struct cpu_records *records)
{
    s->object = object;
    if (g_hash_table_contains(world_one.prices, &object->identity)) return;
    s->table = g_new0(struct world_table, 1);
    s->table->identity = object->identity;
    s->table->records = records;
    s->table->function = g_array_new(FALSE, FALSE, sizeof(struct world_table_function));
    s->table->overlap = g_ptr_array_new_with_free_func(g_free);
}

/* All functions of the object have been read. Of each the first block says that it has no price. */
static void end(struct survey *s)
{
    struct world_table *t = g_steal_pointer(&s->table);
    if (!t) return;
    struct mem_site *room = g_malloc0(t->sites * sizeof *room + (t->blocks + 1) * sizeof *t->block);
    t->block = (struct world_block *)(room + t->sites);
    for (guint i = 0; i < t->function->len; i++) {
        const struct world_table_function *f =
            &g_array_index(t->function, struct world_table_function, i);
        if (f->blocks > 0) t->block[f->first].price = WORLD_UNPRICED;
    }
    for (guint i = 0; i < s->assembly->len; i++) {
        if (!world_one.assembly) world_one.assembly = g_ptr_array_new();
        g_ptr_array_add(world_one.assembly,
                        &t->block[g_array_index(s->assembly, uint32_t, i)].count);
    }
    g_array_set_size(s->assembly, 0);
    g_hash_table_insert(world_one.prices, &t->identity, t);
}

bool world_survey(struct cpu_records *records, GError **error)
{
    g_autoptr(GArray) assembly = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autoptr(GHashTable) words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    struct survey s = {.assembly = assembly, .words = words};
    struct cpu_records_place place;
    const struct cpu_object *object;
    GError *wrong = NULL;
    while ((object = cpu_records_next(records, &place, &wrong))) {
        if (object != s.object) end(&s), begin(&s, object, records);
        if (s.table) add_function(&s, place);
    }
    end(&s);
    keep_words(words, records);
    if (wrong) g_propagate_error(error, wrong);
    return wrong == NULL;
}

/* The profile by object: windows by name, variables, blocks by the line that allocated them, stacks
 * by function; of all ranks together. */
#include "report/places/places.h"
#include "report/places/rows.h"

#include "findings/findings.h"
#include "profile/moves/moves.h"
#include "profile/objects/objects.h"
#include "report/source/source.h"

#include <string.h>

static char *variable(const char *program, uint64_t offset)
{
    uint64_t within, bytes;
    char *name = report_variable(program, offset, &within, &bytes);
    return name ? name : g_strdup("?");
}

static char *window(int segment)
{
    const struct op_segment *s = op_segment(segment);
    return g_strdup(s ? s->name : "?");
}

static char *stack(const char *program, op_site site)
{
    struct report_source_place place;
    bool known = report_source_place(program, site, &place) && place.function;
    return g_strdup_printf("in %s", known ? place.function : "?");
}

static char *name_of(const struct report_run *run, const struct profile_object *row)
{
    switch (row->memory) {
    case PROFILE_WINDOW: return window((int)row->key);
    case PROFILE_STATIC: return variable(run->program, row->key);
    case PROFILE_HEAP:
        return g_strdup_printf("allocated at %s", report_site(run->program, row->key));
    case PROFILE_STACK: return stack(run->program, row->key);
    default: return g_strdup("");
    }
}

/* The row of that object, whose name is taken. */
static struct report_object *row_of(struct report_rows *rows, enum profile_memory memory,
                                    char *name)
{
    static const char *const word[PROFILE_MEMORIES] = {"window", "static", "heap", "stack",
                                                       REPORT_ELSEWHERE};
    struct report_object fresh = {.memory = word[memory], .name = g_intern_string(name)};
    g_free(name);
    return report_rows_get(rows, g_strdup_printf("%d %s", memory, fresh.name), &fresh);
}

static int by_stall(gconstpointer a, gconstpointer b)
{
    const struct report_object *x = a, *y = b;
    int order = report_falling(x->load_s + x->store_s, y->load_s + y->store_s);
    if (order) return order;
    order = strcmp(x->memory, y->memory);
    return order ? order : strcmp(x->name, y->name);
}

/* What no object has of the stalls of the ranks: of libraries, and in MPI calls. */
static void add_rest(struct report_rows *rows, const struct report_run *run)
{
    double rest_s = 0;
    for (int rank = 0; rank < run->ranks; rank++) rest_s += run->rank[rank].memory_s;
    for (guint i = 0; i < rows->row->len; i++) {
        const struct report_object *row = &g_array_index(rows->row, struct report_object, i);
        rest_s -= row->load_s + row->store_s;
    }
    row_of(rows, PROFILE_REST, g_strdup(""))->load_s += rest_s;
}

static void add_stall(struct report_rows *rows, const struct report_run *run,
                      const struct profile_stall *from)
{
    uint64_t any = from->loads | from->stores;
    for (int level = 0; level < PROFILE_LEVELS; level++) any |= from->missed[level];
    if (!any || !from->object) return;
    struct report_object *row = row_of(rows, from->object->memory, name_of(run, from->object));
    row->loads += from->loads;
    row->stores += from->stores;
    row->load_s += (double)from->load_ticks * run->tick_s;
    row->store_s += (double)from->store_ticks * run->tick_s;
    for (int level = 0; level < PROFILE_LEVELS; level++) row->missed[level] += from->missed[level];
}

GArray *report_objects(const struct report_run *run)
{
    struct report_rows rows = report_rows_new(sizeof(struct report_object));
    for (size_t i = 0; i < profile_stalls(); i++) add_stall(&rows, run, profile_stall_at(i));
    for (size_t i = 0; i < profile_objects(); i++) {
        const struct profile_object *from = profile_object_at(i);
        if (!(from->hits | from->operations)) continue;
        struct report_object *row = row_of(&rows, from->memory, name_of(run, from));
        row->hits += from->hits;
        row->operations += from->operations;
    }
    for (size_t i = 0; i < findings_stale_count(); i++) {
        const struct findings_stale *stale = findings_stale_get(i);
        row_of(&rows, PROFILE_WINDOW, window(stale->segment))->stale += stale->count;
    }
    for (size_t i = 0; i < profile_moves(); i++) {
        const struct profile_moved *moved = profile_moved_at(i);
        row_of(&rows, PROFILE_WINDOW, window(moved->segment))->moves += moved->moves;
    }
    add_rest(&rows, run);
    return report_rows_sorted(&rows, by_stall);
}

const char *report_object_words(const struct report_run *run, const struct profile_object *object)
{
    g_autofree char *name = name_of(run, object), *words = NULL;
    switch (object->memory) {
    case PROFILE_WINDOW: words = g_strdup_printf("in %s", name); break;
    case PROFILE_STATIC: words = g_strdup_printf("in '%s'", name); break;
    case PROFILE_HEAP: words = g_strdup(name); break;
    case PROFILE_STACK: words = g_strdup("on the stack"); break;
    default: return NULL;
    }
    return g_intern_string(words);
}

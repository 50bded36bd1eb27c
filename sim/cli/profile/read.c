/* The file that `sidewinder run --profile` wrote. */
#include "cli/profile/parts.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static char *const *fields_are(char *const *field, const char *kind, guint n)
{
    if (strcmp(field[0], kind) != 0 || g_strv_length((char **)field) != n) return NULL;
    return field;
}

/* A field's number; *good turns false where it is none. */
static double number(const char *text, bool *good)
{
    char *end;
    double value = g_ascii_strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value)) *good = false;
    return value;
}

static uint64_t whole(const char *text, bool *good)
{
    guint64 value = 0;
    if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &value, NULL)) *good = false;
    return value;
}

static int small(const char *text, bool *good)
{
    guint64 value = 0;
    if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT, &value, NULL)) *good = false;
    return (int)value;
}

/* -1: none */
static int rank(const char *text, bool *good)
{
    gint64 value = -1;
    if (!g_ascii_string_to_signed(text, 10, -1, G_MAXINT, &value, NULL)) *good = false;
    return (int)value;
}

static bool read_run(struct cli_profile *p, char *const *f)
{
    bool good = true;
    p->version = g_strdup(f[1]);
    p->machine = g_strdup(f[2]);
    p->program = g_strdup(f[3]);
    p->ranks = small(f[4], &good);
    p->time_s = number(f[5], &good);
    p->levels = MIN(small(f[6], &good), CLI_PROFILE_LEVELS);
    return good;
}

static bool read_total(struct cli_profile *p, char *const *f)
{
    bool good = true;
    p->compute_s = number(f[1], &good);
    p->stall_s = number(f[2], &good);
    p->service_s = number(f[3], &good);
    p->wait_s = number(f[4], &good);
    return good;
}

static bool read_line(struct cli_profile *p, char *const *f)
{
    bool good = true;
    struct cli_profile_row row = {.function = g_intern_string(f[1]),
                                  .file = g_intern_string(f[2]),
                                  .path = g_intern_string(f[4]),
                                  .line = small(f[3], &good)};
    double *const time[] = {&row.cost.compute_s, &row.cost.load_s, &row.cost.store_s,
                            &row.cost.service_s, &row.cost.wait_s};
    uint64_t *const count[] = {&row.cost.executions, &row.cost.loads, &row.cost.stores,
                               &row.cost.stale, &row.cost.calls};
    for (size_t i = 0; i < G_N_ELEMENTS(time); i++) *time[i] = number(f[5 + i], &good);
    for (size_t i = 0; i < G_N_ELEMENTS(count); i++) *count[i] = whole(f[10 + i], &good);
    for (int level = 0; level < CLI_PROFILE_LEVELS; level++)
        row.cost.missed[level] = whole(f[15 + level], &good);
    g_array_append_val(p->line, row);
    return good;
}

static bool read_call(struct cli_profile *p, char *const *f)
{
    bool good = true;
    struct cli_profile_wait call = {.call = g_strdup(f[1]),
                                    .at = g_strdup(f[2]),
                                    .count = whole(f[3], &good),
                                    .time_s = number(f[4], &good),
                                    .wait_s = number(f[5], &good),
                                    .stall_s = number(f[6], &good),
                                    .longest_s = number(f[7], &good),
                                    .rank = rank(f[8], &good)};
    g_array_append_val(p->call, call);
    return good;
}

static bool read_cause(struct cli_profile *p, char *const *f)
{
    bool good = true;
    struct cli_profile_cause cause = {.cause = g_strdup(f[1]),
                                      .at = g_strdup(f[2]),
                                      .other_at = g_strdup(f[3]),
                                      .count = whole(f[4], &good),
                                      .wait_s = number(f[5], &good),
                                      .rank = rank(f[6], &good),
                                      .ranks = small(f[7], &good),
                                      .behind_rank = rank(f[8], &good),
                                      .behind_at = g_strdup(f[9])};
    g_array_append_val(p->cause, cause);
    return good;
}

static bool read_chain(struct cli_profile *p, char *const *f)
{
    bool good = true;
    struct cli_profile_chain chain = {.parent = rank(f[1], &good),
                                      .call = strcmp(f[2], "call") == 0,
                                      .in_line = strcmp(f[2], "inlined") == 0,
                                      .function = g_intern_string(f[3]),
                                      .file = g_intern_string(f[4]),
                                      .path = g_intern_string(f[5]),
                                      .line = small(f[6], &good),
                                      .at = small(f[7], &good),
                                      .count = whole(f[8], &good),
                                      .again = whole(f[9], &good),
                                      .cost = {.compute_s = number(f[10], &good),
                                               .load_s = number(f[11], &good),
                                               .service_s = number(f[12], &good),
                                               .wait_s = number(f[13], &good)}};
    for (int level = 0; level < CLI_PROFILE_LEVELS; level++)
        chain.cost.missed[level] = whole(f[14 + level], &good);
    good &=
        p->chain->len ? chain.parent >= 0 && chain.parent < (int)p->chain->len : chain.parent == -1;
    g_array_append_val(p->chain, chain);
    return good;
}

static bool read_lock(struct cli_profile *p, char *const *f)
{
    bool good = true;
    struct cli_profile_lock lock = {.memory = g_strdup(f[1]),
                                    .count = whole(f[2], &good),
                                    .ranks = small(f[3], &good),
                                    .queued = whole(f[4], &good),
                                    .longest_queue = whole(f[5], &good),
                                    .handovers = whole(f[6], &good),
                                    .handover_s = number(f[7], &good),
                                    .longest_s = number(f[8], &good),
                                    .rank = rank(f[9], &good),
                                    .at = g_strdup(f[10])};
    g_array_append_val(p->lock, lock);
    return good;
}

/* Of the lock before it. */
static bool read_locker(struct cli_profile *p, char *const *f)
{
    bool good = p->lock->len > 0;
    struct cli_profile_locker locker = {.lock = p->lock->len - 1,
                                        .at = g_strdup(f[2]),
                                        .kind = g_strdup(f[3]),
                                        .count = whole(f[4], &good),
                                        .wait_s = number(f[5], &good),
                                        .held_s = number(f[6], &good),
                                        .longest_s = number(f[7], &good),
                                        .rank = rank(f[8], &good)};
    g_array_append_val(p->locker, locker);
    return good;
}

static bool read_memory(struct cli_profile *p, char *const *f)
{
    bool good = true;
    struct cli_profile_memory memory = {.memory = g_strdup(f[1]),
                                        .who = g_strdup(f[2]),
                                        .moves = whole(f[3], &good),
                                        .bytes = whole(f[4], &good),
                                        .ranks = small(f[5], &good),
                                        .kind = g_strdup(f[6]),
                                        .cost_s = number(f[7], &good)};
    g_array_append_val(p->memory, memory);
    return good;
}

static bool read_variable(struct cli_profile *p, char *const *f)
{
    bool good = true;
    struct cli_profile_variable variable = {.memory = g_strdup(f[1]),
                                            .name = g_strdup(f[2]),
                                            .load_s = number(f[3], &good),
                                            .store_s = number(f[4], &good),
                                            .loads = whole(f[5], &good),
                                            .stores = whole(f[6], &good),
                                            .stale = whole(f[7], &good),
                                            .moves = whole(f[8], &good)};
    for (int level = 0; level < CLI_PROFILE_LEVELS; level++)
        variable.missed[level] = whole(f[9 + level], &good);
    variable.hits = whole(f[13], &good);
    variable.operations = whole(f[14], &good);
    g_array_append_val(p->variable, variable);
    return good;
}

static bool read_record(struct cli_profile *p, char *const *field)
{
    if (fields_are(field, "line", 19)) return read_line(p, field);
    if (fields_are(field, "call", 9)) return read_call(p, field);
    if (fields_are(field, "cause", 10)) return read_cause(p, field);
    if (fields_are(field, "chain", 18)) return read_chain(p, field);
    if (fields_are(field, "lock", 11)) return read_lock(p, field);
    if (fields_are(field, "locker", 9)) return read_locker(p, field);
    if (fields_are(field, "memory", 8)) return read_memory(p, field);
    if (fields_are(field, "variable", 15)) return read_variable(p, field);
    if (fields_are(field, "run", 7) && !p->version) return read_run(p, field);
    return fields_are(field, "total", 5) && read_total(p, field);
}

/* The compiler was given some of a function's lines by a path of less: all have the same. */
static void *path_key(const char *function, const char *file)
{
    g_autofree char *key = g_strdup_printf("%s\t%s", function, file);
    return (void *)g_intern_string(key);
}

static void same_paths(const struct cli_profile *p)
{
    g_autoptr(GHashTable) path_of = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < p->chain->len; i++) {
        const struct cli_profile_chain *c = &g_array_index(p->chain, struct cli_profile_chain, i);
        if (g_path_is_absolute(c->path))
            g_hash_table_insert(path_of, path_key(c->function, c->file), (void *)c->path);
    }
    for (guint i = 0; i < p->line->len; i++) {
        struct cli_profile_row *row = &g_array_index(p->line, struct cli_profile_row, i);
        const char *path = g_hash_table_lookup(path_of, path_key(row->function, row->file));
        if (path && !g_path_is_absolute(row->path)) row->path = path;
    }
}

struct cli_profile *cli_profile_read(const char *name, GError **error)
{
    g_autofree char *text = NULL;
    if (!base_read(name, &text, NULL, error)) return NULL;
    g_auto(GStrv) line = g_strsplit(text, "\n", -1);
    if (!line[0] || strcmp(line[0], "sidewinder-profile 1") != 0) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                    "%s is not a profile: sidewinder run --profile FILE writes one", name);
        return NULL;
    }
    struct cli_profile *p = g_new0(struct cli_profile, 1);
    p->name = g_strdup(name);
    p->line = g_array_new(FALSE, FALSE, sizeof(struct cli_profile_row));
    p->call = g_array_new(FALSE, FALSE, sizeof(struct cli_profile_wait));
    p->cause = g_array_new(FALSE, FALSE, sizeof(struct cli_profile_cause));
    p->chain = g_array_new(FALSE, FALSE, sizeof(struct cli_profile_chain));
    p->lock = g_array_new(FALSE, FALSE, sizeof(struct cli_profile_lock));
    p->locker = g_array_new(FALSE, FALSE, sizeof(struct cli_profile_locker));
    p->memory = g_array_new(FALSE, FALSE, sizeof(struct cli_profile_memory));
    p->variable = g_array_new(FALSE, FALSE, sizeof(struct cli_profile_variable));
    for (int i = 1; line[i]; i++) {
        if (!*line[i] && !line[i + 1]) break;
        g_auto(GStrv) field = g_strsplit(line[i], "\t", -1);
        if (field[0] && read_record(p, field)) continue;
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "%s:%d: not a line of a profile", name,
                    i + 1);
        cli_profile_free(p);
        return NULL;
    }
    same_paths(p);
    if (p->version) return p;
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "%s: the profile is cut short", name);
    cli_profile_free(p);
    return NULL;
}

void cli_profile_free(struct cli_profile *p)
{
    if (!p) return;
    for (guint i = 0; i < p->call->len; i++) {
        struct cli_profile_wait *call = &g_array_index(p->call, struct cli_profile_wait, i);
        g_free(call->call);
        g_free(call->at);
    }
    for (guint i = 0; i < p->cause->len; i++) {
        struct cli_profile_cause *cause = &g_array_index(p->cause, struct cli_profile_cause, i);
        g_free(cause->cause);
        g_free(cause->at);
        g_free(cause->other_at);
        g_free(cause->behind_at);
    }
    for (guint i = 0; i < p->lock->len; i++) {
        struct cli_profile_lock *lock = &g_array_index(p->lock, struct cli_profile_lock, i);
        g_free(lock->memory);
        g_free(lock->at);
    }
    for (guint i = 0; i < p->locker->len; i++) {
        struct cli_profile_locker *l = &g_array_index(p->locker, struct cli_profile_locker, i);
        g_free(l->at);
        g_free(l->kind);
    }
    for (guint i = 0; i < p->memory->len; i++) {
        struct cli_profile_memory *m = &g_array_index(p->memory, struct cli_profile_memory, i);
        g_free(m->memory);
        g_free(m->who);
        g_free(m->kind);
    }
    for (guint i = 0; i < p->variable->len; i++) {
        struct cli_profile_variable *v =
            &g_array_index(p->variable, struct cli_profile_variable, i);
        g_free(v->memory);
        g_free(v->name);
    }
    g_array_unref(p->variable);
    g_array_unref(p->chain);
    g_array_unref(p->lock);
    g_array_unref(p->locker);
    g_array_unref(p->memory);
    g_array_unref(p->line);
    g_array_unref(p->call);
    g_array_unref(p->cause);
    g_free(p->name);
    g_free(p->version);
    g_free(p->machine);
    g_free(p->program);
    g_free(p);
}

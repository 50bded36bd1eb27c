/* Plays of paths that are alike: out of order each is played once, since a program has many short
 * paths of the same operations. All that a play looks at is its key. Plays are kept until they take
 * KEPT_MAX bytes. */
#include "cpu/parts.h"

enum { KEPT_MAX = 16 << 20 };

struct cpu_alike {
    GHashTable *play; /* GBytes to struct cpu_play */
    size_t kept;      /* bytes */
};

static void play_free(void *data)
{
    struct cpu_play *play = data;
    g_free(play->issue);
    g_free(play->end);
    g_free(play);
}

struct cpu_alike *cpu_alike_new(void)
{
    struct cpu_alike *alike = g_new0(struct cpu_alike, 1);
    alike->play = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref,
                                        play_free);
    return alike;
}

void cpu_alike_free(struct cpu_alike *alike)
{
    g_hash_table_unref(alike->play);
    g_free(alike);
}

static void put_step(GArray *key, const struct cpu_path *path, const struct cpu_step *step)
{
    const uint32_t words[] = {step->class,
                              step->cycles,
                              step->beside | step->barrier << 1U | step->line << 2U |
                                  step->within << 3U | (uint32_t)step->writes << 4U |
                                  step->queued << 6U,
                              step->position,
                              step->deps,
                              step->holds};
    g_array_append_vals(key, words, G_N_ELEMENTS(words));
    for (uint32_t i = 0; i < step->deps; i++) {
        const struct cpu_dep *d = cpu_dep_at(path, step->first_dep + i);
        const uint32_t reason[] = {d->step, d->distance, d->use};
        g_array_append_vals(key, reason, G_N_ELEMENTS(reason));
    }
}

GBytes *cpu_alike_key(const struct cpu_path *path, const uint32_t *order, bool unlimited)
{
    GArray *key = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    const uint32_t steps = path->step->len,
                   whole[] = {unlimited | path->cyclic << 1U | path->joined << 2U, path->positions,
                              steps};
    g_array_append_vals(key, whole, G_N_ELEMENTS(whole));
    for (uint32_t at = 0; at < path->positions; at++) {
        const uint32_t ends =
            cpu_follows(path, at) | cpu_calls(path, at) << 1U | cpu_is_jumped_to(path, at) << 2U;
        g_array_append_val(key, ends);
    }
    g_array_append_vals(key, order, steps);
    for (uint32_t s = 0; s < steps; s++) put_step(key, path, cpu_step_at(path, s));
    const size_t bytes = key->len * sizeof(uint32_t);
    return g_bytes_new_take(g_array_free(key, FALSE), bytes);
}

bool cpu_alike_find(const struct cpu_alike *alike, GBytes *key, struct cpu_play *play)
{
    const struct cpu_play *same = g_hash_table_lookup(alike->play, key);
    if (same) *play = *same;
    return same != NULL;
}

void cpu_alike_keep(struct cpu_alike *alike, GBytes *key, const struct cpu_path *path,
                    struct cpu_play *play)
{
    const size_t dates = (size_t)play->passes * (path->step->len + path->positions) + 2,
                 bytes = sizeof *play + dates * sizeof *play->issue + g_bytes_get_size(key);
    if (bytes > KEPT_MAX - alike->kept) return;
    alike->kept += bytes;
    play->kept = true;
    g_hash_table_insert(alike->play, g_bytes_ref(key), g_memdup2(play, sizeof *play));
}

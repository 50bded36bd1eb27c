/* The table of keys, made from keys.def. */
#include "mach/parts.h"
#include "mach_words.h"

#include <string.h>

static const struct mach_key machine_key[] = {
#define MACH_KEY(kind, type, field, key, unit, words, def, min, max, help)                         \
    {(char *)key, help, kind, unit, words, def, min, max, offsetof(struct mach, field), 0},
#include "mach/keys.def"
#undef MACH_KEY
};
static const struct mach_key cache_key[] = {
#define MACH_CACHE_KEY(kind, type, field, unit, words, def, min, max, help)                        \
    {(char *)#field, help, kind, unit, words, def, min, max, offsetof(struct mach_cache, field), 0},
#include "mach/keys.def"
#undef MACH_CACHE_KEY
};

/* Of one of many; `owner` has the field. */
#define ONE_OF_MANY(owner, kind, field, unit, def, min, max, help)                                 \
    {(char *)#field, help, kind, unit, NULL, def, min, max, offsetof(struct owner, field), 0},
static const struct mach_key class_key[] = {
#define MACH_CLASS_KEY(kind, type, field, unit, def, min, max, help)                               \
    ONE_OF_MANY(mach_class_keys, kind, field, unit, def, min, max, help)
#include "mach/keys.def"
#undef MACH_CLASS_KEY
};
static const struct mach_key function_key[] = {
#define MACH_FUNCTION_KEY(kind, type, field, unit, def, min, max, help)                            \
    ONE_OF_MANY(mach_function_keys, kind, field, unit, def, min, max, help)
#include "mach/keys.def"
#undef MACH_FUNCTION_KEY
};
#undef ONE_OF_MANY
static const char *const function_word[] = {
#define FUNCTION(name) #name,
#include "mach/functions.def"
#undef FUNCTION
};
static const char *const class_help[] = {
#define CLASS(name, word, help) help,
#include "mach/classes.def"
#undef CLASS
};

/* cpu.latency.int_add to cpu.ports.fp_branch. */
static struct mach_key *add_classes(struct mach_key *k)
{
    for (size_t i = 0; i < G_N_ELEMENTS(class_key); i++)
        for (int c = 0; c < MACH_CLASSES; c++, k++) {
            *k = class_key[i];
            k->name = g_strdup_printf("cpu.%s.%s", class_key[i].name, mach_class_word(c));
            k->help = g_strdup_printf("%s: %s", class_help[c], class_key[i].help);
            k->offset += offsetof(struct mach, op) + c * sizeof(struct mach_class_keys);
        }
    return k;
}

const char *mach_function_word(enum mach_function f) { return function_word[f]; }

/* cpu.library.sin to cpu.library_result.fwrite. */
static struct mach_key *add_functions(struct mach_key *k)
{
    for (size_t i = 0; i < G_N_ELEMENTS(function_key); i++)
        for (int f = 0; f < MACH_FUNCTIONS; f++, k++) {
            *k = function_key[i];
            k->name = g_strdup_printf("cpu.%s.%s", function_key[i].name, function_word[f]);
            k->offset += offsetof(struct mach, function) + f * sizeof(struct mach_function_keys);
        }
    return k;
}

/* cache.l1.size to cache.l8.hit_cycles. */
static struct mach_key *add_levels(struct mach_key *k)
{
    for (int level = 1; level <= MACH_LEVELS; level++)
        for (size_t i = 0; i < G_N_ELEMENTS(cache_key); i++, k++) {
            *k = cache_key[i];
            k->name = g_strdup_printf("cache.l%d.%s", level, cache_key[i].name);
            k->offset += offsetof(struct mach, cache) + (level - 1) * sizeof(struct mach_cache);
            k->level = level;
        }
    return k;
}

static const struct mach_key *all_keys(void)
{
    static struct mach_key *all;
    if (g_once_init_enter(&all)) {
        struct mach_key *keys = g_new(struct mach_key, mach_keys()), *k = keys;
        for (size_t i = 0; i < G_N_ELEMENTS(machine_key); i++) {
            /* In reading order: classes and functions after the processor's keys, the levels before
             * the keys of all caches. */
            if (machine_key[i].offset == offsetof(struct mach, cache_flush_line_cycles))
                k = add_levels(add_functions(add_classes(k)));
            *k++ = machine_key[i];
        }
        g_once_init_leave(&all, keys);
    }
    return all;
}

size_t mach_keys(void)
{
    return G_N_ELEMENTS(machine_key) + MACH_CLASSES * G_N_ELEMENTS(class_key) +
           MACH_FUNCTIONS * G_N_ELEMENTS(function_key) + MACH_LEVELS * G_N_ELEMENTS(cache_key);
}

const struct mach_key *mach_key(size_t i) { return &all_keys()[i]; }

size_t mach_key_find(const char *name)
{
    size_t i = 0;
    while (i < mach_keys() && strcmp(mach_key(i)->name, name) != 0) i++;
    return i;
}

/* Keys of earlier versions, and what has taken their place. */
static const struct {
    const char *name, *instead;
} removed[] = {
    {"cpu.cycles_per_access",
     "the pipeline's keys (cpu.issue, cpu.latency.*, cpu.repeat.*, cpu.ports.*, cpu.lower.*) price "
     "what a program computes; 'sidewinder blocks' shows the prices"},
};

char *mach_key_unknown(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(removed); i++)
        if (strcmp(name, removed[i].name) == 0)
            return g_strdup_printf("%s is no longer a key: %s", name, removed[i].instead);
    g_autofree const char **names = g_new(const char *, mach_keys());
    for (size_t i = 0; i < mach_keys(); i++) names[i] = mach_key(i)->name;
    const char *near = base_nearest(name, names, mach_keys());
    g_autofree char *hint = near ? g_strdup_printf("did you mean %s? ", near) : g_strdup("");
    return g_strdup_printf("no key is called '%s' (%s'sidewinder machines --keys' lists them all)",
                           name, hint);
}

char *mach_key_accepts(const struct mach_key *key)
{
    if (key->kind == MACH_WORD) {
        g_auto(GStrv) words = g_strsplit(key->words, " ", -1);
        g_autofree char *list = g_strjoinv(", ", words);
        return g_strdup_printf("one of %s", list);
    }
    if (key->kind > MACH_WORD) return g_strdup(mach_text_accepts(key->kind));
    if (key->kind == MACH_BOOL) return g_strdup("yes, no, 0 or 1");
    g_autofree char *min = base_format(key->min, key->unit),
                    *max = base_format(key->max, key->unit);
    return g_strdup_printf("%s, from %s to %s", base_unit_accepts(key->unit), min, max);
}

/* ---- values ---------------------------------------------------------------------------------- */

double mach_number(const struct mach *m, size_t i)
{
    const struct mach_key *key = mach_key(i);
    const void *field = (const char *)m + key->offset;
    switch (key->kind) {
    case MACH_REAL: return *(const double *)field;
    case MACH_INT: return *(const int *)field;
    case MACH_SIZE: return (double)*(const uint64_t *)field;
    case MACH_BOOL: return *(const bool *)field;
    case MACH_WORD:
    case MACH_LATENCY:
    case MACH_PORTS:
    case MACH_LOWER: break;
    }
    return 0;
}

char *mach_show(const struct mach *m, size_t i)
{
    const struct mach_key *key = mach_key(i);
    if (key->kind >= MACH_WORD)
        return g_strdup(*(const char *const *)((const char *)m + key->offset));
    return base_format(mach_number(m, i), key->unit);
}

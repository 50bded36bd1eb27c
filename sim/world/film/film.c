/* Films of pieces of segments: looked at, compared with the look before, written as steps. */
#include "world/film/film.h"

#include "mem/agent/agent.h"
#include "op/op.h"
#include "serve/clock/clock.h"
#include "trace/trace.h"
#include "world/place/place.h"
#include "world/rank/state.h"

#include <string.h>

enum {
    PROCESSORS = 24, /* their places fit a number of JavaScript, a bit each */
    PLACES = 1 + 2 * PROCESSORS,
    STEPS = 400,
    BEFORE = STEPS / 2, /* of them, before the date that the film is about */
    UNKNOWN = -1,
    WORD = 8,
    LARGE = 1000000
};

/* One film. Its places: memory, then of each processor its cache and its write buffer. */
struct film {
    struct op_memory what;
    int number, segment; /* in order of appearance; UNKNOWN: it has not been there yet */
    uintptr_t addr;
    int ranks, rank[PROCESSORS]; /* of the segment's node; its owner first */
    bool whole_node;             /* these are all */
    int places, cache[PROCESSORS], buffer[PROCESSORS];
    char *value[PLACES]; /* at the last look */
    uint64_t old;
    int steps;
    GQueue before; /* struct trace_step, while that date has not come: the last of them */
    int left_out;  /* still earlier ones */
    /* a store that had not happened at the last look */
    struct trace_step store;
    bool stores;
};

bool world_filming;
static GArray *films;
static int shown; /* films that have begun */

/* ---- copies as texts ------------------------------------------------------------------------- */

/* " = 1", of several words " = 1 2": what they are as numbers, if none is large. */
static void append_numbers(GString *text, const uint8_t *byte, uint64_t bytes)
{
    g_autoptr(GString) numbers = g_string_new(" =");
    const uint64_t word = MIN(bytes, WORD);
    for (uint64_t at = 0; at < bytes; at += word) {
        int64_t number = 0;
        int32_t half;
        memcpy(&half, byte + at, sizeof half);
        memcpy(&number, byte + at, word);
        if (word == sizeof half) number = half;
        if (number <= -LARGE || number >= LARGE) return;
        g_string_append_printf(numbers, " %" G_GINT64_FORMAT, (gint64)number);
    }
    g_string_append(text, numbers->str);
}

/* "01000000", and of whole words what they are as numbers: "01000000 = 1". A blank between words of
 * 8 bytes. */
static char *bytes_text(const uint8_t *byte, uint64_t bytes, uint64_t mask)
{
    GString *text = g_string_new(NULL);
    for (uint64_t i = 0; i < bytes; i++) {
        if (i > 0 && i % WORD == 0) g_string_append_c(text, ' ');
        if (mask >> i & 1)
            g_string_append_printf(text, "%02x", byte[i]);
        else
            g_string_append(text, "..");
    }
    bool whole = mask == (bytes < 64 ? (UINT64_C(1) << bytes) - 1 : UINT64_MAX);
    if (whole && (bytes == 4 || bytes % WORD == 0)) append_numbers(text, byte, bytes);
    return g_string_free(text, FALSE);
}

/* Memory of a coherent node, whose image shows a store only when somebody asks: it lags behind a
 * line that a cache holds modified or owned, and has what every copy has otherwise. */
static void coherent_memory(const struct film *f, char **memory, bool lags, const uint8_t *copy)
{
    uint64_t bytes = f->what.bytes;
    if (lags && !*f->value[0]) return; /* what it was is not known */
    g_free(*memory);
    *memory = lags ? g_strdup(f->value[0])
                   : bytes_text(copy, bytes, bytes < 64 ? (UINT64_C(1) << bytes) - 1 : UINT64_MAX);
}

/* The copies now; false: the segment is not there any more. */
static bool look(const struct film *f, char *value[PLACES], uint64_t *old, struct mem_look *owner)
{
    uint64_t bytes = f->what.bytes, all = bytes < 64 ? (UINT64_C(1) << bytes) - 1 : UINT64_MAX;
    bool lags = false;
    *old = 0;
    for (int i = 0; i < f->ranks; i++) {
        struct mem_look l;
        struct mem_cpu *cpu = world_one.proc[f->rank[i]]->cpu;
        if (!mem_look(cpu, f->addr, (uint32_t)bytes, &l)) return false;
        if (i == 0) *owner = l, value[0] = bytes_text(l.memory, bytes, all);
        lags = lags || l.state == 'M' || l.state == 'O';
        if (f->cache[i]) {
            g_autofree char *held = l.held ? bytes_text(l.load, bytes, all) : g_strdup("");
            value[f->cache[i]] = l.held && l.state ? g_strdup_printf("%s (%c)", held, l.state)
                                                   : g_steal_pointer(&held);
            if (l.old) *old |= UINT64_C(1) << f->cache[i];
        }
        if (f->buffer[i])
            value[f->buffer[i]] = l.waits ? bytes_text(l.waiting, bytes, l.waits) : g_strdup("");
    }
    if (owner->coherent && f->whole_node) coherent_memory(f, &value[0], lags, owner->load);
    return true;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The next one of that name that is there: a range may be lent again and again. */
static bool find_segment(struct film *f)
{
    const struct op_segment *s;
    struct mem_look l;
    for (int id = f->segment + 1; (s = op_segment(id)) != NULL; id++) {
        const uintptr_t addr = s->base + f->what.offset;
        if (s->rank != f->what.rank || strcmp(s->name, f->what.name) != 0 ||
            f->what.offset + f->what.bytes > s->bytes ||
            !mem_look(world_one.proc[s->rank]->cpu, addr, (uint32_t)f->what.bytes, &l))
            continue;
        f->segment = id;
        f->addr = addr;
        return true;
    }
    return false;
}

static void add_place(struct film *f, const char *names[], const char *kind, int rank, int *place)
{
    g_autofree char *name = g_strdup_printf("%s of rank %d", kind, rank);
    *place = f->places;
    names[f->places++] = g_intern_string(name);
}

/* The segment is there: whose copies are looked at. */
static bool begin(struct film *f)
{
    const char *names[PLACES + 1] = {"memory"};
    struct mem_look l;
    if (!find_segment(f)) return false;
    f->number = shown++;
    int node = mach_node_of(world_one.mach, f->what.rank);
    f->places = 1;
    f->rank[f->ranks++] = f->what.rank;
    f->whole_node = true;
    for (int rank = 0; rank < world_one.description.ranks; rank++) {
        if (rank == f->what.rank || mach_node_of(world_one.mach, rank) != node) continue;
        f->whole_node = f->ranks < PROCESSORS;
        if (!f->whole_node) break;
        f->rank[f->ranks++] = rank;
    }
    for (int i = 0; i < f->ranks; i++) {
        mem_look(world_one.proc[f->rank[i]]->cpu, f->addr, (uint32_t)f->what.bytes, &l);
        if (l.cached) add_place(f, names, "cache", f->rank[i], &f->cache[i]);
        if (l.buffered) add_place(f, names, "write buffer", f->rank[i], &f->buffer[i]);
    }
    g_autofree char *memory = g_strdup_printf(
        "%" G_GUINT64_FORMAT " byte%s at offset %" G_GUINT64_FORMAT " of %s of rank %d",
        (guint64)f->what.bytes, f->what.bytes == 1 ? "" : "s", (guint64)f->what.offset,
        f->what.name, f->what.rank);
    trace_film(&(struct trace_film){.number = f->number, .memory = memory, .places = names});
    for (int place = 0; place < f->places; place++) f->value[place] = g_strdup("");
    return true;
}

bool world_films_open(char **watch, GError **error)
{
    films = g_array_new(FALSE, TRUE, sizeof(struct film));
    shown = 0;
    for (char **name = watch; name && *name; name++) {
        struct film f = {.segment = UNKNOWN};
        if (!op_memory_read(*name, &f.what, error)) return false;
        g_array_append_val(films, f);
    }
    world_filming = films->len > 0;
    return true;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void write_one(struct film *f, struct trace_step *step)
{
    if (f->steps++ >= STEPS) return;
    if (f->steps == STEPS) step->text = "Further steps are left out.";
    trace_step(step);
}

static void free_kept(void *data)
{
    struct trace_step *step = data;
    g_free((void *)step->text);
    g_strfreev((char **)step->values);
    g_free(step);
}

/* Those that came before the film's date. */
static void write_kept(struct film *f)
{
    struct trace_step *step = g_queue_peek_head(&f->before);
    if (f->left_out > 0) {
        char *text = g_strconcat("Earlier steps are left out. ", step->text, NULL);
        g_free((void *)step->text);
        step->text = text;
    }
    f->left_out = 0;
    while ((step = g_queue_pop_head(&f->before)) != NULL) {
        write_one(f, step);
        free_kept(step);
    }
}

static void keep(struct film *f, const struct trace_step *step)
{
    struct trace_step *kept = g_memdup2(step, sizeof *step);
    kept->text = g_strdup(step->text);
    kept->values = (const char *const *)g_strdupv((char **)step->values);
    g_queue_push_tail(&f->before, kept);
    if (f->before.length <= BEFORE) return;
    free_kept(g_queue_pop_head(&f->before));
    f->left_out++;
}

static void write_step(struct film *f, struct trace_step step)
{
    const char *values[PLACES + 1] = {NULL};
    for (int place = 0; place < f->places; place++) values[place] = f->value[place];
    step.film = f->number;
    step.values = values;
    step.old = f->old;
    if (step.time_s < f->what.at_s) {
        keep(f, &step);
        return;
    }
    f->what.at_s = 0;
    write_kept(f);
    write_one(f, &step);
}

/* What has changed since the last look, in words; NULL: nothing. */
static char *changes(const struct film *f, char *const value[PLACES], const struct mem_look *owner)
{
    GString *text = g_string_new(NULL);
    if (strcmp(value[0], f->value[0]) != 0) {
        struct op_writer writer = op_writer(owner->writer);
        g_string_append_printf(text, "Memory now has %s", value[0]);
        if (owner->writer && writer.call)
            g_string_append_printf(text, ", by the %s of rank %d at %s", writer.call, writer.rank,
                                   writer.site ? world_place(writer.site) : "?");
        g_string_append(text, ". ");
    }
    for (int i = 0; i < f->ranks; i++) {
        int cache = f->cache[i], buffer = f->buffer[i];
        bool held = cache && *f->value[cache], holds = cache && *value[cache];
        bool waited = buffer && *f->value[buffer], waits = buffer && *value[buffer];
        if (held != holds)
            g_string_append_printf(text, "The line %s the cache of rank %d. ",
                                   holds ? "comes into" : "leaves", f->rank[i]);
        else if (holds && strcmp(f->value[cache], value[cache]) != 0)
            g_string_append_printf(text, "The cache of rank %d now has %s. ", f->rank[i],
                                   value[cache]);
        if (waited != waits)
            g_string_append_printf(text, "Bytes %s the write buffer of rank %d. ",
                                   waits ? "wait in" : "leave", f->rank[i]);
    }
    g_strchomp(text->str);
    if (*text->str) return g_string_free(text, FALSE);
    g_string_free(text, TRUE);
    return NULL;
}

/* Looks, and takes what it sees for the last look; what changed in words, NULL: nothing did. A
 * store that had not happened then has now. */
static char *look_again(struct film *f, bool *there)
{
    char *value[PLACES] = {NULL};
    uint64_t old;
    struct mem_look owner = {.writer = 0};
    *there = look(f, value, &old, &owner);
    char *text = *there ? changes(f, value, &owner) : NULL;
    for (int place = 0; *there && place < f->places; place++) {
        g_free(f->value[place]);
        f->value[place] = value[place];
    }
    for (int place = 0; !*there && place < PLACES; place++) g_free(value[place]);
    if (*there) f->old = old;
    if (!f->stores) return text;
    f->stores = false;
    g_autofree char *both = text ? g_strconcat("Stores. ", text, NULL) : g_strdup("Stores.");
    f->store.text = both;
    write_step(f, f->store);
    g_free(text);
    return NULL;
}

void world_film_access(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, bool store,
                       op_site site, double now_s)
{
    for (guint i = 0; i < films->len; i++) {
        struct film *f = &g_array_index(films, struct film, i);
        if (f->segment == UNKNOWN || addr + bytes <= f->addr || addr >= f->addr + f->what.bytes)
            continue;
        bool there;
        struct trace_step step = {.rank = cpu->rank, .time_s = now_s, .site = site};
        g_autofree char *changed = look_again(f, &there);
        if (!there) continue;
        if (store) {
            f->store = step;
            f->stores = true;
            continue;
        }
        g_autofree char *seen =
            bytes_text((const uint8_t *)f->addr, f->what.bytes,
                       f->what.bytes < 64 ? (UINT64_C(1) << f->what.bytes) - 1 : UINT64_MAX);
        g_autofree char *text =
            g_strdup_printf("Loads %s%s.%s%s", seen, f->old ? ", older than what memory has" : "",
                            changed ? " " : "", changed ? changed : "");
        step.text = text;
        write_step(f, step);
    }
}

void world_film_call(int rank, const char *call, bool begins, op_site site, double now_s)
{
    for (guint i = 0; i < films->len; i++) {
        struct film *f = &g_array_index(films, struct film, i);
        bool there, fresh = f->segment == UNKNOWN;
        if (fresh && !begin(f)) continue;
        g_autofree char *changed = look_again(f, &there);
        if (!there && f->steps < STEPS && find_segment(f)) changed = look_again(f, &there);
        if (!there || (!changed && !fresh)) continue;
        g_autofree char *text =
            g_strdup_printf("%s %s. %s", begins ? "Before" : "After", call, changed ? changed : "");
        write_step(f,
                   (struct trace_step){.rank = rank, .time_s = now_s, .site = site, .text = text});
    }
}

/* ---- closing --------------------------------------------------------------------------------- */

/* The rank's segments, as --watch names them: "window 0 (4 bytes), ..."; the first few. */
static char *names_of(int rank)
{
    enum { NAMES = 4 };
    GString *text = g_string_new(NULL);
    const struct op_segment *s;
    int names = 0;
    for (int id = 0; (s = op_segment(id)) != NULL && names <= NAMES; id++) {
        if (s->rank != rank || s->bytes == 0) continue;
        if (names++ == NAMES)
            g_string_append(text, ", ...");
        else
            g_string_append_printf(text, "%s%s (%" G_GUINT64_FORMAT " bytes)",
                                   text->len ? ", " : "", s->name, (guint64)s->bytes);
    }
    return g_string_free(text, FALSE);
}

static void end(struct film *f)
{
    bool there;
    if (f->segment == UNKNOWN) {
        g_autofree char *names = names_of(f->what.rank);
        world_say("--watch: no %s of rank %d had %" G_GUINT64_FORMAT
                  " bytes at offset %" G_GUINT64_FORMAT "; it had %s",
                  f->what.name, f->what.rank, (guint64)f->what.bytes, (guint64)f->what.offset,
                  *names ? names : "none");
    }
    if (f->stores) g_free(look_again(f, &there));
    write_kept(f);
    for (int place = 0; place < PLACES; place++) g_free(f->value[place]);
}

void world_films_close(void)
{
    for (guint i = 0; films && i < films->len; i++) end(&g_array_index(films, struct film, i));
    g_clear_pointer(&films, g_array_unref);
    world_filming = false;
}

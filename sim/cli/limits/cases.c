/* What `sidewinder limits` changes: times, cycles and rates of the machine. Sizes, numbers of
 * things and policies are not better when they are larger or smaller, and are left alone; so are
 * values of 0, which mean that the machine has no such thing. */
#include "cli/limits/parts.h"

#include "report/print/print.h"

#include <string.h>

/* Parts of a machine, by the names of their keys. */
static const struct part {
    const char *name;
    const char *prefix[8]; /* NULL ends them */
} part[] = {
    {"network and its interfaces", {"net.", "ni.", "barrier."}},
    {"memory, caches and bus", {"dram.", "pool.", "bus.", "cache.", "tlb.", "wb."}},
    {"servicing and MPI calls", {"serve.", "mpi."}},
};

static bool is_rate(const struct mach_key *key)
{
    return key->unit == BASE_HERTZ || key->unit == BASE_BYTES_PER_S;
}

static bool can_be_better(const struct mach *m, size_t i)
{
    const struct mach_key *key = mach_key(i);
    bool time = key->unit == BASE_SECONDS || key->unit == BASE_CYCLES;
    /* a time out that is shorter is not better, nor a clock that is read faster; the quantum
     * is the simulator's */
    if (strcmp(key->name, "wb.timeout") == 0 || strcmp(key->name, "clock.read") == 0 ||
        strcmp(key->name, "quantum") == 0)
        return false;
    return key->kind == MACH_REAL && (time || is_rate(key)) && mach_number(m, i) > 0 &&
           key->level <= m->levels;
}

static double better(const struct mach *m, size_t i, double factor)
{
    const struct mach_key *key = mach_key(i);
    double value = is_rate(key) ? mach_number(m, i) * factor : mach_number(m, i) / factor;
    return CLAMP(value, key->min, key->max);
}

/* "net.latency=4.5e-06s" */
static char *set_better(const struct mach *m, size_t i, double factor)
{
    const struct mach_key *key = mach_key(i);
    static const char *const unit[] = {[BASE_SECONDS] = "s",
                                       [BASE_CYCLES] = "cycles",
                                       [BASE_HERTZ] = "Hz",
                                       [BASE_BYTES_PER_S] = "Bps"};
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(number, sizeof number, "%.12g", better(m, i, factor));
    return g_strconcat(key->name, "=", number, unit[key->unit], NULL);
}

static void free_case(gpointer data)
{
    struct cli_limit *c = data;
    g_free(c->name);
    g_free(c->was);
    g_free(c->is);
    g_strfreev(c->sets);
    g_free(c->why);
    g_free(c->order);
    g_free(c);
}

GPtrArray *cli_limit_none(void) { return g_ptr_array_new_with_free_func(free_case); }

struct cli_limit *cli_limit_add(GPtrArray *cases, const char *name)
{
    struct cli_limit *c = g_new0(struct cli_limit, 1);
    c->name = g_strdup(name);
    c->share = c->derived_s = -1;
    c->sets = g_new0(char *, mach_keys() + 1);
    g_ptr_array_add(cases, c);
    return c;
}

/* "4.5 us", "185.6 MHz": for people. */
static char *shown(const struct mach_key *key, double value)
{
    if (key->unit == BASE_SECONDS) return report_time(value);
    if (key->unit == BASE_CYCLES) return g_strdup_printf("%.4g cycles", value);
    return g_strdup_printf("%.4g M%s", value / 1e6, key->unit == BASE_HERTZ ? "Hz" : "B/s");
}

static void add_key(GPtrArray *cases, const struct mach *m, size_t i, double factor)
{
    struct cli_limit *c = cli_limit_add(cases, mach_key(i)->name);
    c->sets[0] = set_better(m, i, factor);
    c->was = shown(mach_key(i), mach_number(m, i));
    c->is = shown(mach_key(i), better(m, i, factor));
    const double was = mach_number(m, i), is = better(m, i, factor);
    c->saves = is_rate(mach_key(i)) ? 1 - was / is : 1 - is / was;
}

static void add_part(GPtrArray *cases, const struct mach *m, const struct part *p)
{
    struct cli_limit *c = cli_limit_add(cases, p->name);
    c->prefixes = p->prefix;
    for (size_t i = 0; i < mach_keys(); i++)
        for (const char *const *prefix = p->prefix; can_be_better(m, i) && *prefix; prefix++)
            if (g_str_has_prefix(mach_key(i)->name, *prefix))
                c->sets[c->keys++] = set_better(m, i, CLI_LIMITS_FAST);
}

GPtrArray *cli_limit_cases(const struct mach *m, double percent)
{
    GPtrArray *cases = cli_limit_none();
    cli_limit_add(cases, "");
    for (size_t i = 0; i < mach_keys(); i++)
        if (can_be_better(m, i)) add_key(cases, m, i, 1 / (1 - percent / 100));
    for (size_t i = 0; i < G_N_ELEMENTS(part); i++) add_part(cases, m, &part[i]);
    return cases;
}

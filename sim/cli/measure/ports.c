/* Ports from pairs: so many of either class that each alone fills a cycle. Together they take as
 * many cycles as their number over that of the ports of both: how many they share follows, and each
 * class gets the set that fits those before it best. The numbers of ports are names: which is
 * called 0 means nothing.
 *
 * Left out: operations of several steps (division) take their first step's port only; the front of
 * the pipeline may place operations unevenly, so shared ports are rounded. */
#include "cli/measure/ports.h"

#include <math.h>

/* arithmetic; loads; stores. */
enum { ARITHMETIC = 10, FIRST_LOAD = 10, FIRST_STORE = 13, PORTS = 16, CLASSES = MACH_CLASSES };

static int ports_of(double rate) { return MAX(1, (int)(rate + 0.4)); }

static bool is_load(enum mach_class c) { return c == MACH_LOAD || c == MACH_LOAD_SIGNED; }
static bool is_store(enum mach_class c) { return c == MACH_STORE || c == MACH_FP_STORE; }

uint16_t cli_ports_fit(int count, int universe, const struct cli_port_class *before, int n,
                       const double *overlap)
{
    uint16_t best = 0;
    double least = INFINITY;
    for (uint32_t set = 1; set < 1U << universe; set++) {
        if (__builtin_popcount(set) != count) continue;
        double wrong = 0;
        for (int i = 0; i < n; i++) {
            double off = __builtin_popcount(set & before[i].ports) - overlap[i];
            wrong += off * off;
        }
        if (wrong >= least - 1e-9) continue;
        least = wrong;
        best = (uint16_t)set;
    }
    return best;
}

/* Ports that both can use. */
static double shared(struct cli_bench *b, const struct cli_port_class *one,
                     const struct cli_port_class *two)
{
    int n = ports_of(one->rate), m = ports_of(two->rate), pairs = 96 / (n + m), at = 0, to = 0;
    struct cli_data data;
    cli_data_init(&data);
    cli_code_begin();
    for (int i = 0; i < pairs; i++) {
        for (int k = 0; k < n; k++) cli_code_add(one->many, at++ % CLI_INSTANCES);
        for (int k = 0; k < m; k++) cli_code_add(two->many, to++ % CLI_INSTANCES);
    }
    cli_code_end();
    double cycles = cli_sample_cycles(b, &data, pairs).cycles;
    return n + m - (n + m) / MAX(cycles, 1);
}

static void add_row(struct cli_bench *b, const struct cli_port_class *c, const char *how)
{
    g_autofree char *key = g_strdup_printf("cpu.ports.%s", mach_class_word(c->class));
    g_autoptr(GString) text = g_string_new("p");
    for (int p = 0; p < PORTS; p++)
        if (c->ports >> p & 1) g_string_append_printf(text, "%X", (unsigned)p);
    cli_row_add(b, key, -1, text->str, "%s", how);
}

/* Operations that are not pipelined: too few of them in a cycle to see what they share. */
static bool is_slow(const struct cli_port_class *c) { return c->rate < 0.7; }

static void find(struct cli_bench *b, struct cli_port_class *c, int i)
{
    struct cli_port_class before[CLASSES];
    double overlap[CLASSES];
    int n = 0;
    for (int k = 0; k < i; k++) {
        if (is_load(c[k].class) || is_store(c[k].class) || is_slow(&c[k])) continue;
        before[n] = c[k];
        overlap[n++] = shared(b, &c[i], &c[k]);
    }
    c[i].ports = cli_ports_fit(ports_of(c[i].rate), ARITHMETIC, before, n, overlap);
}

/* A divider stands at the first port of the multiplier of its kind; on a computer so busy that this
 * seemed slow, too, at the first of all. */
static uint16_t port_of_slow(const struct cli_port_class *c, int n, enum mach_class class)
{
    bool integer = class <= MACH_INT_DIVIDE;
    for (int i = 0; i < n; i++)
        if (c[i].class == (integer ? MACH_INT_MULTIPLY : MACH_FP_MULTIPLY) && c[i].ports)
            return (uint16_t)(c[i].ports & -c[i].ports);
    return 1;
}

void cli_measure_ports(struct cli_bench *b, struct cli_port_class *c, int n)
{
    g_assert(n <= CLASSES);
    for (int i = 0; i < n; i++) {
        int count = ports_of(c[i].rate);
        if (is_load(c[i].class)) {
            c[i].ports = (uint16_t)(((1U << MIN(count, 3)) - 1) << FIRST_LOAD);
            add_row(b, &c[i], "measured: as many as loads a cycle; [D] shared with nothing else");
        } else if (is_store(c[i].class)) {
            c[i].ports = (uint16_t)(((1U << MIN(count, 3)) - 1) << FIRST_STORE);
            add_row(b, &c[i], "measured: as many as stores a cycle; [D] shared with nothing else");
        } else if (!is_slow(&c[i])) {
            find(b, c, i);
            add_row(b, &c[i],
                    "measured: as many as there are a cycle, shared as pairs of them show");
        }
    }
    for (int i = 0; i < n; i++)
        if (is_slow(&c[i]) && !c[i].ports) {
            c[i].ports = port_of_slow(c, n, c[i].class);
            add_row(b, &c[i], "[D] a port of the multiplier's");
        }
}

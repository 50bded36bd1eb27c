/* The texts of a pipeline: latencies by use, ports, and what stands for an operation that the
 * machine lacks. Ports are written as uops.info writes them. */
#include "mach/parts.h"

#include <string.h>

enum { CYCLES_MAX = 9999 };
static const char *const class_word[] = {
#define CLASS(name, word, help) word,
#include "mach/classes.def"
#undef CLASS
};
static const char *const use_word[] = {NULL, "address", "store", "branch"};

const char *mach_class_word(enum mach_class c) { return class_word[c]; }

static bool wrong(GError **error, const char *what, const char *accepts)
{
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "%s; %s", what, accepts);
    return false;
}

/* A whole number of cycles, with or without the unit, from least to CYCLES_MAX. */
static bool cycles_of(const char *text, int least, int *cycles)
{
    char *end;
    if (!g_ascii_isdigit(*text)) return false;
    guint64 n = g_ascii_strtoull(text, &end, 10);
    if (strcmp(end, "") != 0 && strcmp(end, "cycle") != 0 && strcmp(end, "cycles") != 0)
        return false;
    *cycles = (int)MIN(n, CYCLES_MAX + 1);
    return *cycles >= least && *cycles <= CYCLES_MAX;
}

/* ---- latencies ------------------------------------------------------------------------------- */

static bool add_exception(const char *text, struct mach_latency *latency)
{
    for (int use = MACH_USE_ADDRESS; use < MACH_USES; use++) {
        size_t length = strlen(use_word[use]);
        if (strncmp(text, use_word[use], length) == 0 && text[length] == ' ')
            return cycles_of(text + length + 1, 0, &latency->cycles[use]);
    }
    return false;
}

bool mach_parse_latency(const char *text, struct mach_latency *latency, GError **error)
{
    static const char accepts[] = "whole cycles from 1 to 9999, then from 0 by use: "
                                  "'4, address 5, store 6, branch 6'";
    g_auto(GStrv) part = g_strsplit(text, ",", -1);
    if (!part[0] || !cycles_of(g_strstrip(part[0]), 1, &latency->cycles[MACH_USE_VALUE]))
        return wrong(error, "not a latency", accepts);
    for (int use = MACH_USE_ADDRESS; use < MACH_USES; use++)
        latency->cycles[use] = latency->cycles[MACH_USE_VALUE];
    for (char **p = part + 1; *p; p++)
        if (!add_exception(g_strstrip(*p), latency))
            return wrong(error, "not a latency by use", accepts);
    return true;
}

/* ---- ports ----------------------------------------------------------------------------------- */

static uint16_t port_set(const char *text)
{
    uint16_t set = 0;
    if (*text++ != 'p') return 0;
    for (; *text; text++) {
        if (!g_ascii_isxdigit(*text)) return 0;
        set |= (uint16_t)(1U << g_ascii_xdigit_value(*text));
    }
    return set;
}

/* Is there a port for each set from i on, all different? */
static bool together(const struct mach_ports *ports, int i, uint32_t taken)
{
    if (i >= MIN(ports->sets, MACH_PORT_SETS)) return true;
    for (uint32_t bit = 1; bit < 1U << MACH_PORT_COUNT; bit <<= 1)
        if ((ports->set[i] & bit & ~taken) && together(ports, i + 1, taken | bit)) return true;
    return false;
}

bool mach_parse_ports(const char *text, struct mach_ports *ports, GError **error)
{
    static const char accepts[] = "'any', or up to four sets of ports 0 to F: 'p0', 'p01+p6'";
    *ports = (struct mach_ports){0};
    if (strcmp(text, "any") == 0) return true;
    g_auto(GStrv) part = g_strsplit(text, "+", -1);
    for (char **p = part; *p; p++) {
        uint16_t set = port_set(g_strstrip(*p));
        if (!set || ports->sets == MACH_PORT_SETS) return wrong(error, "not ports", accepts);
        ports->set[ports->sets++] = set;
    }
    if (ports->sets == 0) return wrong(error, "not ports", accepts);
    return together(ports, 0, 0) || wrong(error, "ports that no operation gets together", accepts);
}

/* ---- what the machine lacks ------------------------------------------------------------------ */

static bool add_step(const char *word, struct mach_lower *lower)
{
    for (int c = 0; c < MACH_CLASSES; c++)
        if (strcmp(word, class_word[c]) == 0 && lower->steps < MACH_LOWER_STEPS) {
            lower->step[lower->steps++] = (uint8_t)c;
            return true;
        }
    return false;
}

bool mach_parse_lower(const char *text, struct mach_lower *lower, GError **error)
{
    static const char accepts[] =
        "'native', whole cycles from 1 to 9999 ('100cycles'), or up to 16 classes of operations "
        "('load+shift')";
    *lower = (struct mach_lower){0};
    if (strcmp(text, "native") == 0 || cycles_of(text, 1, &lower->cycles)) return true;
    g_auto(GStrv) part = g_strsplit(text, "+", -1);
    for (char **p = part; *p; p++)
        if (!add_step(g_strstrip(*p), lower))
            return wrong(error, "neither operations nor cycles", accepts);
    return lower->steps > 0 || wrong(error, "neither operations nor cycles", accepts);
}

double mach_word_cycles(const struct mach *m, enum mach_class c)
{
    struct mach_ports ports;
    double cycles = m->op[c].repeat > 1 ? m->op[c].repeat : 1.0 / m->cpu_issue;
    mach_parse_ports(m->op[c].ports, &ports, NULL);
    for (int i = 0; i < ports.sets; i++)
        cycles = MAX(cycles, 1.0 / __builtin_popcount(ports.set[i]));
    return cycles;
}

bool mach_parse_text(enum mach_kind kind, const char *text, GError **error)
{
    struct mach_latency latency;
    struct mach_ports ports;
    struct mach_lower lower;
    switch (kind) {
    case MACH_LATENCY: return mach_parse_latency(text, &latency, error);
    case MACH_PORTS: return mach_parse_ports(text, &ports, error);
    case MACH_LOWER: return mach_parse_lower(text, &lower, error);
    case MACH_REAL:
    case MACH_INT:
    case MACH_SIZE:
    case MACH_BOOL:
    case MACH_WORD: break;
    }
    return true;
}

const char *mach_text_accepts(enum mach_kind kind)
{
    switch (kind) {
    case MACH_LATENCY: return "whole cycles from 1 to 9999, also by use: '4, store 6'";
    case MACH_PORTS: return "'any', or sets of ports 0 to F: 'p0', 'p01+p6'";
    case MACH_LOWER: return "'native', '100cycles', or classes of operations: 'load+shift'";
    case MACH_REAL:
    case MACH_INT:
    case MACH_SIZE:
    case MACH_BOOL:
    case MACH_WORD: break;
    }
    return "";
}

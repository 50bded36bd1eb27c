/* Calls of C's library: how many cycles apart many of them are, and how long a result is waited
 * for. Measured is the call as programs make it, through the table of a shared library, with all
 * its jumps, which counts of its operations do not show.
 *
 * Left out: other arguments, which may take another way. */
#include "cli/measure/families.h"

#include "mach/mach.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND = 4 }; /* calls in a round of a loop */

/* What the compiler must not know beforehand. */
static struct {
    volatile double small, large, zero, real;
    volatile long whole;
    volatile size_t bytes;
    void *volatile pointer;
    unsigned seed;
} argument = {.small = 0.3, .large = 2.6, .bytes = 8};
static char text[64] = "1234567", other[64] = "1234568", number[64] = "123.456", buffer[256];
static FILE *sink;
static char tokens[2048], torn[2048]; /* words of one to seven letters */
#ifdef __x86_64__                     /* elsewhere nothing is measured */
/* gcc makes calls of these itself. */
__extension__ typedef __int128 whole;
__extension__ typedef unsigned __int128 positive;
__extension__ typedef __float128 quad;
static volatile positive wide = (positive)1234567890123456789 << 40;
static volatile quad quad_made, third = 0.3, other_quad = 1.25;
int __popcountdi2(long);
whole __divti3(whole, whole), __modti3(whole, whole);
positive __udivti3(positive, positive), __umodti3(positive, positive);
quad __addtf3(quad, quad), __subtf3(quad, quad), __multf3(quad, quad), __divtf3(quad, quad);
#endif
/* Declared without what lets a compiler call it once for all. */
void *classes(void) __asm__("__ctype_b_loc");

#define ONCE(...)                                                                                  \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
#define CALL(name, ...)                                                                            \
    static void apart_##name(long rounds)                                                          \
    {                                                                                              \
        while (rounds-- > 0) {                                                                     \
            ONCE(__VA_ARGS__)                                                                      \
            ONCE(__VA_ARGS__)                                                                      \
            ONCE(__VA_ARGS__)                                                                      \
            ONCE(__VA_ARGS__)                                                                      \
        }                                                                                          \
    }
/* Each made of the one before, by a multiplication and an addition. */
#define RESULT(name, type, call)                                                                   \
    CALL(name, type v = (type)argument.small; argument.real = (double)call)                        \
    static void chain_##name(long rounds)                                                          \
    {                                                                                              \
        const type least = (type)argument.small, zero = (type)argument.zero;                       \
        type v = least;                                                                            \
        for (rounds *= ROUND; rounds > 0; rounds--) v = call * zero + least;                       \
        argument.real = (double)v;                                                                 \
    }
#include "cli/measure/calls.def"
#undef CALL
#undef RESULT

static const struct {
    void (*apart)(long rounds), (*chain)(long rounds);
} call[MACH_FUNCTIONS] = {
#define CALL(name, ...)          [MACH_FUNCTION_##name] = {apart_##name, NULL},
#define RESULT(name, type, call) [MACH_FUNCTION_##name] = {apart_##name, chain_##name},
#include "cli/measure/calls.def"
#undef CALL
#undef RESULT
};

static void add(struct cli_bench *b, const char *family, enum mach_function f,
                struct cli_figure figure, const char *how)
{
    g_autofree char *key = g_strdup_printf("cpu.%s.%s", family, mach_function_word(f)),
                    *value = g_strdup_printf("%.1fcycles", MAX(figure.cycles, 1));
    cli_row_add(b, key, figure.spread, value, "measured: %s", how);
}

static struct cli_figure apart(struct cli_bench *b, enum mach_function f)
{
    return cli_sample_calls(b, call[f].apart, ROUND);
}

/* The two of a pair are not distinguished. */
static void add_pair(struct cli_bench *b)
{
    struct cli_figure pair = apart(b, MACH_FUNCTION_malloc),
                      zeroed = apart(b, MACH_FUNCTION_calloc);
    pair.cycles /= 2;
    zeroed.cycles -= pair.cycles;
    add(b, "library", MACH_FUNCTION_malloc, pair, "half of a malloc and its free, again and again");
    add(b, "library", MACH_FUNCTION_free, pair, "half of a malloc and its free, again and again");
    add(b, "library", MACH_FUNCTION_calloc, zeroed,
        "a calloc and its free, again and again, less the free");
}

/* What a conversion costs beside the call. */
static void add_conversions(struct cli_bench *b)
{
    const double plain = apart(b, MACH_FUNCTION_snprintf).cycles;
    for (int f = MACH_FUNCTION_print_integer; f <= MACH_FUNCTION_print_text; f++) {
        struct cli_figure figure = apart(b, f);
        figure.cycles -= plain;
        add(b, "library", f, figure, "snprintf of one, less that of a text");
    }
}

/* A text is torn once, so each time it is copied anew, which is little of it. */
static void tear(long rounds)
{
    for (; rounds > 0; rounds--) {
        memcpy(torn, tokens, sizeof torn);
        for (char *t = strtok(torn, " "); t; t = strtok(NULL, " ")) argument.pointer = t;
    }
}
static void add_tokens(struct cli_bench *b)
{
    int n = 0, length = 0;
    for (; length + 9 < (int)sizeof tokens; length += 2 + n++ % 7) {
        memset(tokens + length, 'a', 1 + (size_t)n % 7);
        tokens[length + 1 + n % 7] = ' ';
    }
    add(b, "library", MACH_FUNCTION_strtok, cli_sample_calls(b, tear, n + 1),
        "each of a text of many tokens");
}

/* Of a sorted array, whose comparisons all go one way: what the library computes between them, and
 * the call of a function that returns at once. */
enum { SORTED = 1024 };
static int is_first(const void *a, const void *b)
{
    (void)a;
    (void)b;
    return -1;
}
static void sort(long rounds)
{
    static long sorted[SORTED];
    for (; rounds > 0; rounds--) qsort(sorted, SORTED, sizeof *sorted, is_first);
}
static void add_comparison(struct cli_bench *b)
{
    /* a half of a merge is taken to its end */
    const int comparisons = SORTED / 2 * (g_bit_storage(SORTED) - 1);
    add(b, "library", MACH_FUNCTION_sort_comparison, cli_sample_calls(b, sort, comparisons),
        "each of a qsort of numbers in order, with the call of a function that returns at once");
}

static bool is_conversion(enum mach_function f)
{
    return f >= MACH_FUNCTION_print_integer && f <= MACH_FUNCTION_print_text;
}

void cli_measure_calls(struct cli_bench *b)
{
    const double beside =
        cli_row_number(b, "cpu.latency.fp_multiply") + cli_row_number(b, "cpu.latency.fp_add");
    sink = fopen("/dev/null", "w");
    for (int f = 0; f < MACH_FUNCTIONS; f++) {
        if (!call[f].apart || f == MACH_FUNCTION_malloc || f == MACH_FUNCTION_calloc) continue;
        if (is_conversion(f) || (!sink && f >= MACH_FUNCTION_fprintf)) continue;
        add(b, "library", f, apart(b, f), "four calls in a loop");
        if (!call[f].chain) continue;
        struct cli_figure chain = cli_sample_calls(b, call[f].chain, ROUND);
        chain.cycles -= beside;
        add(b, "library_result", f, chain,
            "a chain of calls, less the multiplication and the addition between them");
    }
    add_pair(b);
    add_conversions(b);
    add_tokens(b);
    add_comparison(b);
    if (sink) fclose(sink);
}

/* The node: its processors, and with -n what they take from each other: a line that two of them
 * store to in turn, and what memory gives to all at once. */
#include "cli/measure/arena.h"
#include "cli/measure/families.h"
#include "cli/measure/pin.h"

#include <stdatomic.h>

/* ---- a line between two processors ----------------------------------------------------------- */

enum { ROUNDS = 20000, REPEATS = 15 };
static _Alignas(256) atomic_int turn;

static void play(int side)
{
    for (int i = 0; i < ROUNDS; i++) {
        while (atomic_load_explicit(&turn, memory_order_acquire) != side) {
        }
        atomic_store_explicit(&turn, 1 - side, memory_order_release);
    }
}

static void *opponent(void *data)
{
    int *repeats = data;
    cli_pin_to(1);
    for (int i = 0; i < *repeats; i++) play(1);
    return NULL;
}

static void measure_line(struct cli_bench *b)
{
    int repeats = b->quick ? 3 : REPEATS;
    double seconds[REPEATS], spread;
    cli_pin_to(0);
    GThread *thread = g_thread_new("opponent", opponent, &repeats);
    for (int i = 0; i < repeats; i++) {
        double begun = cli_now();
        play(0);
        seconds[i] = (cli_now() - begun) / (2 * ROUNDS);
    }
    g_thread_join(thread);
    g_autofree char *value = g_strdup_printf("%.1fns", 1e9 * cli_least(seconds, repeats, &spread));
    cli_row_add(b, "bus.cache_to_cache", spread, value,
                "measured: half of the way there and back of a line that two processors store to");
}

/* ---- memory, all at once --------------------------------------------------------------------- */

struct reader {
    int cpu;
    char *arena;
    long rounds;
    double seconds; /* that it took */
};
static atomic_int waiting;

static void *reading(void *data)
{
    struct reader *r = data;
    struct cli_data start;
    cli_data_init(&start);
    start.chain[0] = r->arena;
    cli_pin_to(r->cpu);
    atomic_fetch_sub(&waiting, 1);
    while (atomic_load(&waiting) > 0) {
    }
    double begun = cli_now();
    cli_code_run(&start, r->rounds);
    r->seconds = cli_now() - begun;
    return NULL;
}

/* Seconds of a line when all read; the slowest of them counts. */
static double all_read(struct reader *reader, int n, double lines)
{
    GThread *thread[CLI_PROCESSORS];
    double slowest = 0;
    atomic_store(&waiting, n);
    for (int i = 0; i < n; i++) thread[i] = g_thread_new("reader", reading, &reader[i]);
    for (int i = 0; i < n; i++) {
        g_thread_join(thread[i]);
        slowest = MAX(slowest, reader[i].seconds);
    }
    return slowest / (lines * n);
}

static void measure_bandwidth(struct cli_bench *b, int processors)
{
    struct reader reader[CLI_PROCESSORS];
    int n = 0, repeats = b->quick ? 3 : REPEATS;
    size_t least = (size_t)16 << 20, share = b->memory / (size_t)processors;
    size_t bytes = MAX(share / CLI_PAGE * CLI_PAGE, least);
    for (; n < processors; n++) {
        reader[n] = (struct reader){n, cli_arena(bytes), (long)(bytes / CLI_READ_BYTES), 0};
        if (!reader[n].arena) break;
    }
    double seconds[REPEATS], spread;
    cli_code_reading();
    for (int i = 0; i < repeats && n > 0; i++)
        seconds[i] = all_read(reader, n, (double)(bytes / b->line));
    for (int i = 0; i < n; i++) cli_arena_free(reader[i].arena, bytes);
    if (n == 0) return;
    double slot = cli_least(seconds, repeats, &spread);
    g_autofree char *value = g_strdup_printf("%.2fns", 1e9 * slot);
    cli_row_add(b, "bus.slot", spread, value, "measured: %d processors read %.1f GB/s together", n,
                1e-9 * (double)b->line / slot);
}

/* ---- rows ------------------------------------------------------------------------------------ */

void cli_measure_node(struct cli_bench *b)
{
    int processors = MIN(cli_pin_allowed(), CLI_PROCESSORS);
    g_autofree char *cpus = g_strdup_printf("%d", processors),
                    *vector = g_strdup_printf("%dB", cli_code_vector_bytes());
    cli_row_add(b, "nodes", -1, "1", "this computer alone");
    cli_row_add(b, "cpus", -1, cpus, "processors that this process is allowed");
    cli_row_add(b, "net.topology", -1, "none", "this computer alone");
    cli_row_add(b, "cpu.vector", -1, vector, "what cpuid says");
    if (b->all && processors > 1)
        cli_row_add(b, "ranks_per_node", -1, cpus, "its processors were measured together");
    if (b->all && processors > 1) measure_line(b);
    if (b->all && processors > 1 && b->levels > 0) measure_bandwidth(b, processors);
}

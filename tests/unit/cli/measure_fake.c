#include "cli/measure_fake.h"

#include "cli/measure/parts.h"

#include <string.h>

enum { BODY = 8192, ADDERS = 4, LOADERS = 3, FP_ADDERS = 2 };
enum { WRONG_CYCLES = 20 };
enum { LINE = 64, FIRST_CYCLES = 4, LAST_CYCLES = 40, MISS_CYCLES = 400, SIDE_BY_SIDE_CYCLES = 2 };
struct measure_fake measure_fake;
static enum cli_snippet body[BODY];
static int length;
static double now;
static bool just_read;

void cli_data_init(struct cli_data *data) { memset(data, 0, sizeof *data); }
const char *cli_code_refused(void) { return NULL; }
void cli_code_begin(void) { length = 0; }
void cli_code_add(enum cli_snippet snippet, int instance)
{
    (void)instance;
    g_assert(length < BODY);
    body[length++] = snippet;
}
void cli_code_repeat(enum cli_snippet snippet, int times, int instances)
{
    for (int i = 0; i < times; i++) cli_code_add(snippet, i % instances);
}
void cli_code_end(void) {}
void cli_code_keep_reference(void) {}
void cli_code_run_reference(struct cli_data *data, long rounds) { (void)data, (void)rounds; }
void cli_code_reading(void) { length = 0; }
void cli_code_read(void *const *pointer, size_t n)
{
    (void)pointer, (void)n;
    just_read = true;
}

/* Cycles of a load of a ring; the second of two in a line hits the first cache. */
static double ring_cycles(void *ring)
{
    size_t loads = 0, lines = 0;
    void *p = ring;
    do {
        void *next = *(void **)p;
        lines += (uintptr_t)p / LINE != (uintptr_t)next / LINE;
        loads++;
        p = next;
    } while (p != ring);
    double line = MISS_CYCLES;
    if (lines * LINE <= measure_fake.last_cache)
        line = just_read ? LAST_CYCLES : (LAST_CYCLES + MISS_CYCLES) / 2;
    if (lines * LINE <= measure_fake.first_cache) line = FIRST_CYCLES;
    just_read = false;
    return ((double)lines * line + (double)(loads - lines) * FIRST_CYCLES) / (double)loads;
}

static bool is_ring(const struct cli_data *data)
{
    return measure_fake.last_cache > 0 && length > 0 && data->chain[0];
}

void cli_code_run(struct cli_data *data, long rounds)
{
    if (is_ring(data)) now += (double)rounds * length * ring_cycles(data->chain[0]);
}

double cli_now(void) { return now; } /* a cycle takes a second */
double cli_least(double *value, int n, double *spread)
{
    (void)n;
    *spread = 0;
    return value[0];
}
double cli_cycle_spread(struct cli_bench *b)
{
    (void)b;
    return 0;
}

static int count(enum cli_snippet of, int from, int to)
{
    int n = 0;
    for (int i = from; i < to; i++) n += body[i] == of;
    return n;
}

static struct cli_figure figure(double cycles) { return (struct cli_figure){cycles, cycles, 0}; }

struct cli_figure cli_sample_cycles(struct cli_bench *b, const struct cli_data *start,
                                    double operations)
{
    (void)b, (void)start;
    int slots = length - (measure_fake.joins_nop ? count(CLI_CODE_NOP, 1, length) : 0);
    double cycles = (double)slots / measure_fake.issue;
    cycles = MAX(cycles, (double)count(CLI_CODE_ADD, 0, length) / ADDERS);
    cycles = MAX(cycles, (double)count(CLI_CODE_LOAD, 0, length) / LOADERS);
    return figure(MAX(cycles, (double)count(CLI_CODE_FP_ADD, 0, length) / FP_ADDERS) / operations);
}

/* Is all between two positions in the window together? */
static bool fits(int from, int to)
{
    int entries = 0, room = 0; /* room: of the last entry, for registers set to 0 */
    for (int i = from; i < to; i++) {
        bool zero = body[i] == CLI_CODE_ZERO;
        if (zero && room > 0) {
            room--;
            continue;
        }
        entries++;
        room = zero ? measure_fake.zeros - 1 : 0;
    }
    return entries + 1 <= measure_fake.window &&
           count(CLI_CODE_ADD, from, to) <= measure_fake.registers &&
           count(CLI_CODE_FP_ADD, from, to) <= measure_fake.fp_registers &&
           count(CLI_CODE_MULTIPLY_OF, from, to) <= measure_fake.queue &&
           count(CLI_CODE_STORE, from, to) <= measure_fake.stores;
}

/* Branches on bytes: half of the random ones are predicted wrongly if they are too many. */
static double branch_cycles(const char *bytes, long n)
{
    bool random = false;
    for (long i = 0; i < n; i++) random |= bytes[i] != 0;
    return random && n > measure_fake.outcomes ? 2 + WRONG_CYCLES / 2 : 2;
}

/* The same on numbers of floating point, which are known so much later. */
static double float_cycles(const float *number, long n)
{
    long negative = 0;
    for (long i = 0; i < n; i++) negative += number[i] < 0;
    return negative > 0 ? 2 + (WRONG_CYCLES + measure_fake.floats_later) / 2 : 2;
}

/* Lines by pointers to them. */
static double gather_cycles(void *const *pointer)
{
    const bool one_set = ((uintptr_t)pointer[0] ^ (uintptr_t)pointer[1]) % 4096 == 0;
    return one_set ? measure_fake.set : SIDE_BY_SIDE_CYCLES;
}

struct cli_figure cli_sample(struct cli_bench *b, const struct cli_data *start, bool again,
                             long rounds, double operations)
{
    (void)b, (void)again;
    if (body[0] == CLI_CODE_GATHER) return figure(gather_cycles(start->chain[0]));
    if (body[0] == CLI_CODE_BRANCH_ON_BYTE)
        return figure(branch_cycles(start->chain[0], rounds * (long)operations));
    if (body[0] == CLI_CODE_BRANCH_ON_FLOAT)
        return figure(float_cycles(start->chain[0], rounds * (long)operations));
    if (is_ring(start)) return figure(ring_cycles(start->chain[0]));
    int second = 1;
    while (second < length && body[second] != CLI_CODE_CHASE) second++;
    return figure(second == length || fits(1, second) ? MISS_CYCLES : 2 * MISS_CYCLES);
}

uint64_t cli_code_sum(void) { return 0; }
int cli_code_levels(void) { return 0; }
struct cli_said cli_code_level(int level)
{
    return level == 1 ? measure_fake.first_said : (struct cli_said){0};
}

/* Puts snippets together to a function in executable memory and calls it. */
#include "cli/measure/snippets.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 64 << 10, ALIGNED = 64 };
static struct {
    unsigned char *at; /* twice BYTES: the code, and the reference; NULL: none yet */
    size_t length, loop;
} code;

void cli_data_init(struct cli_data *data)
{
    G_STATIC_ASSERT(G_STRUCT_OFFSET(struct cli_data, zero) == 64);
    G_STATIC_ASSERT(G_STRUCT_OFFSET(struct cli_data, scratch) == 256);
    memset(data, 0, sizeof *data);
    data->one = 1;
    data->five_fourths = 1.25;
    data->four_fifths = 0.8;
    data->other = 2.3;
}

/* Writable, or executable: some systems refuse both at once. */
static bool allow(int what) { return mprotect(code.at, 2 * BYTES, what) == 0; }

const char *cli_code_refused(void)
{
    if (!cli_snippet(CLI_CODE_NOP, 0))
        return "the benchmarks are written for x86-64, and this is another processor";
    if (!code.at) {
        void *at =
            mmap(NULL, 2 * BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) return "no memory for the benchmarks' code";
        code.at = at;
    }
    return allow(PROT_READ | PROT_EXEC) ? NULL
                                        : "this system lets no program execute code that it made";
}

static void add_bytes(const void *bytes, size_t length)
{
    g_assert(code.length + length <= BYTES);
    memcpy(code.at + code.length, bytes, length);
    code.length += length;
}

void cli_code_add(enum cli_snippet snippet, int instance)
{
    const unsigned char *record = cli_snippet(snippet, instance);
    g_assert(record[0] < CLI_SNIPPET_BYTES);
    add_bytes(record + 1, record[0]);
}

void cli_code_repeat(enum cli_snippet snippet, int times, int instances)
{
    for (int i = 0; i < times; i++) cli_code_add(snippet, i % instances);
}

void cli_code_begin(void)
{
    bool writable = allow(PROT_READ | PROT_WRITE);
    g_assert(writable);
    code.length = 0;
    cli_code_add(CLI_CODE_PUSH, 0);
    cli_code_add(CLI_CODE_ZERO_ONE, 0);
    cli_code_add(CLI_CODE_DIVISORS, 0);
    cli_code_repeat(CLI_CODE_ENTER, CLI_INSTANCES, CLI_INSTANCES);
    cli_code_add(CLI_CODE_INTEGERS, 0);
    while (code.length % ALIGNED) cli_code_add(CLI_CODE_NOP, 0);
    code.loop = code.length;
    cli_code_add(CLI_CODE_CLEAR_CARRY, 0);
}

void cli_code_end(void)
{
    static const unsigned char jump_if_not_zero[] = {0x0f, 0x85};
    cli_code_add(CLI_CODE_COUNT, 0);
    add_bytes(jump_if_not_zero, sizeof jump_if_not_zero);
    int32_t back = (int32_t)code.loop - (int32_t)(code.length + sizeof back);
    add_bytes(&back, sizeof back);
    cli_code_repeat(CLI_CODE_LEAVE, CLI_INSTANCES, CLI_INSTANCES);
    cli_code_add(CLI_CODE_POP, 0);
    bool executable = allow(PROT_READ | PROT_EXEC);
    g_assert(executable);
}

static void run(const unsigned char *at, struct cli_data *data, long rounds)
{
    void (*entry)(struct cli_data *, long);
    memcpy(&entry, &at, sizeof entry);
    entry(data, rounds);
}

/* FNV-1a (Fowler, Noll, Vo) */
uint64_t cli_code_sum(void)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < code.length; i++) sum = (sum ^ code.at[i]) * UINT64_C(0x100000001b3);
    return sum;
}

void cli_code_run(struct cli_data *data, long rounds) { run(code.at, data, rounds); }

/* Its jumps are relative. */
void cli_code_keep_reference(void)
{
    bool writable = allow(PROT_READ | PROT_WRITE);
    memcpy(code.at + BYTES, code.at, code.length);
    bool executable = allow(PROT_READ | PROT_EXEC);
    g_assert(writable && executable);
}

void cli_code_run_reference(struct cli_data *data, long rounds)
{
    run(code.at + BYTES, data, rounds);
}

void cli_code_reading(void)
{
    cli_code_begin();
    cli_code_repeat(CLI_CODE_LOAD_LINE, CLI_INSTANCES, CLI_INSTANCES);
    cli_code_add(CLI_CODE_NEXT_LINES, 0);
    cli_code_end();
}

void cli_code_read(void *const *pointer, size_t n)
{
    for (size_t i = 0; i < n; i++) (void)*(void *volatile *)pointer[i];
}

int cli_code_levels(void)
{
    static const int name[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE,
                               _SC_LEVEL4_CACHE_SIZE};
    int levels = 0;
    for (int i = 0; i < (int)G_N_ELEMENTS(name); i++)
        if (sysconf(name[i]) > 0) levels = i + 1;
    return levels > 2 ? levels : 0; /* some virtual machines do not say what they share */
}

struct cli_said cli_code_level(int level)
{
    static const int name[][3] = {
        {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL1_DCACHE_LINESIZE, _SC_LEVEL1_DCACHE_ASSOC},
        {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL2_CACHE_LINESIZE, _SC_LEVEL2_CACHE_ASSOC}};
    long said[3];
    for (int i = 0; i < 3; i++) said[i] = MAX(sysconf(name[level - 1][i]), 0);
    return (struct cli_said){(uint64_t)said[0], (uint64_t)said[1], (int)said[2]};
}

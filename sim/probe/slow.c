/* The slow paths: whose access is it, play it, and pay when mem asks.
 *
 * For an aggregate copy `*p = *q` gcc calls the store's hook first, then the load's, then copies
 * (gcc/tsan.cc, instrument_gimple). mem expects the store to follow its hook, so such a store is
 * put off until its load has been played. It is recognised by the code after the hook: only
 * register moves up to a call of a load hook (copies.c). Until that call the fast filters are those
 * of a processor that holds nothing, so that the load hook comes here.
 */
#include "probe/access.h"
#include "probe/copies.h"

#include <errno.h>
#include <string.h>

/* A store put off. */
static struct store {
    struct mem_cpu *cpu; /* whose; NULL: none */
    uintptr_t addr, pc;
    uint64_t bytes;
} waiting;
static struct mem_cpu between;

__attribute__((constructor)) static void fill_between(void)
{
    memset(between.filter.load_ok, 0xff, sizeof between.filter.load_ok);
    memset(between.filter.store_ok, 0xff, sizeof between.filter.store_ok);
    between.filter.line_shift = 5;
}

/* world_cpu of no rank has no core. */
static inline struct mem_cpu *whose(void)
{
    struct mem_cpu *cpu = world_cpu;
    return cpu->core ? cpu : world_resolve();
}

bool probe_active(void) { return whose() != NULL || world_detached() >= 0; }

int probe_rank(void)
{
    struct mem_cpu *cpu = whose();
    return cpu ? cpu->rank : world_detached();
}

/* Others run meanwhile, in this thread: they may set errno. */
__attribute__((cold, noinline)) void probe_pay(void)
{
    int kept = errno;
    world_pay();
    errno = kept;
}

static inline void load(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                        enum check_kind kind)
{
    while (mem_load(cpu, addr, bytes, pc) == MEM_PAY_FIRST) probe_pay();
    if (__builtin_expect(world_watching(), 0)) world_referenced(cpu, addr, bytes, kind, pc);
}

static inline void store(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                         enum check_kind kind)
{
    while (mem_store(cpu, addr, bytes, pc) == MEM_PAY_FIRST) probe_pay();
    if (__builtin_expect(world_watching(), 0)) world_referenced(cpu, addr, bytes, kind, pc);
}

__attribute__((cold, noinline)) static void put_off(struct mem_cpu *cpu, uintptr_t addr,
                                                    uint64_t bytes, uintptr_t pc)
{
    waiting.cpu = cpu;
    waiting.addr = addr;
    waiting.bytes = bytes;
    waiting.pc = pc;
    between.rank = cpu->rank;
    between.code_base = cpu->code_base;
    between.code_end = cpu->code_end;
    world_cpu = &between;
}

/* The load of a copy: then its store. */
__attribute__((cold, noinline)) static void catch_up(uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    /* another rank may come while this one pays, and put off its own */
    const struct store now = waiting;
    waiting.cpu = NULL;
    world_cpu = now.cpu;
    if (bytes) load(now.cpu, addr, bytes, pc, CHECK_LOAD);
    store(now.cpu, now.addr, now.bytes, now.pc, CHECK_STORE);
}

static inline void load_as(uintptr_t addr, uint64_t bytes, uintptr_t pc, enum check_kind kind)
{
    struct mem_cpu *cpu = world_cpu;
    if (__builtin_expect(!cpu->core, 0)) {
        if (cpu == &between) {
            catch_up(addr, bytes, pc);
            return;
        }
        cpu = world_resolve();
        if (!cpu) {
            world_detached_access(bytes);
            return;
        }
    }
    if (bytes) load(cpu, addr, bytes, pc, kind);
}

void probe_load(uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    load_as(addr, bytes, pc, CHECK_LOAD);
}

void probe_load_atomic(uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    load_as(addr, bytes, pc, CHECK_ATOMIC_LOAD);
}

static inline void store_as(uintptr_t addr, uint64_t bytes, uintptr_t pc, enum check_kind kind)
{
    if (world_cpu == &between) catch_up(0, 0, 0);
    struct mem_cpu *cpu = whose();
    if (!cpu)
        world_detached_access(bytes);
    else if (bytes)
        store(cpu, addr, bytes, pc, kind);
}

void probe_store(uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    store_as(addr, bytes, pc, CHECK_STORE);
}

void probe_store_atomic(uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    store_as(addr, bytes, pc, CHECK_ATOMIC_STORE);
}

void probe_store_hooked(uintptr_t addr, uint64_t bytes, uintptr_t pc)
{
    struct mem_cpu *cpu = world_cpu;
    if (__builtin_expect(!cpu->core, 0)) {
        if (cpu == &between) catch_up(0, 0, 0);
        cpu = whose();
        if (!cpu) {
            world_detached_access(bytes);
            return;
        }
    }
    if (!bytes) return;
    /* Inside MPI (a user's operation, an attribute's copy function) world_cpu is not the rank's;
     * leave it alone. */
    if (world_cpu == cpu && probe_copy_follows(pc))
        put_off(cpu, addr, bytes, pc);
    else
        store(cpu, addr, bytes, pc, CHECK_STORE);
}

void probe_load_range(const void *from, size_t n, uintptr_t pc)
{
    if (!probe_active()) return;
    for (uintptr_t at = (uintptr_t)from, end = at + n; at < end;) {
        size_t piece = probe_piece(at, end - at);
        probe_load(at, piece, pc);
        at += piece;
    }
}

void probe_deliver(void *to, const void *from, size_t n, uintptr_t pc)
{
    char *out = to;
    const char *in = from;
    if (!probe_active()) {
        memcpy(to, from, n);
        return;
    }
    for (size_t done = 0; done < n;) {
        size_t piece = probe_piece((uintptr_t)out + done, n - done);
        probe_store((uintptr_t)out + done, piece, pc);
        memcpy(out + done, in + done, piece);
        done += piece;
    }
}

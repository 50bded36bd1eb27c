/* mem: the view is what a load would return now, also for code that announces no load. */
#include "mem_unit.h"

static struct mach *m;
static struct mem_node *node;
static struct mem_cpu *cpu;
static uint8_t *memory;
static volatile int32_t *x, *private;

static void begin(const char *name, const char *set)
{
    record_clear();
    m = machine(name, set, NULL);
    node = mem_node_new(m, 1);
    cpu = mem_node_cpu(node, 0);
    cpu->rank = 0;
    mem_set_quantum(node, 1e3);
    memory = pages(40);
    x = (volatile int32_t *)(memory + 4096);
    private = (volatile int32_t *)(memory + 3 * 4096);
    segment(node, 0, x, 4096);
    mem_paid(cpu, 1e-6);
}

static void end(void)
{
    mem_node_free(node);
    mach_free(m);
    free(memory);
    record_clear();
}

static void a_put_to_a_line_that_no_cache_holds_changes_the_view_at_once(void)
{
    begin("t3d", NULL);
    put_int(node, &x[3], 42, 5e-6);
    UNIT_EQUAL(x[3], 42);
    load_int(cpu, &x[8]); /* another line */
    put_int(node, &x[3], 43, 6e-6);
    UNIT_EQUAL(x[3], 43);
    end();
}

static void a_put_to_a_cached_line_reaches_the_view_when_the_line_is_flushed(void)
{
    begin("t3d", NULL);
    load_int(cpu, &x[3]);
    put_int(node, &x[3], 42, 5e-6);
    UNIT_EQUAL(x[3], 0);
    mem_refresh(cpu, (uintptr_t)x, 64, 6e-6);
    UNIT_EQUAL(x[3], 42);
    end();
}

/* The line goes by a private load that misses: in the fast path, but for such a line. */
static void a_put_to_a_cached_line_reaches_the_view_when_the_line_is_evicted(void)
{
    begin("t3d", NULL);
    load_int(cpu, &x[1024]);    /* the second page */
    load_int(cpu, &private[0]); /* the third: 8 KiB from x, and known to the fast path */
    load_int(cpu, &x[3]);
    put_int(node, &x[3], 42, 5e-6);
    UNIT_EQUAL(x[3], 0);
    uint64_t misses = mem_cache_count(cpu, 0).load_misses;
    load_int(cpu, &private[1]);
    UNIT_EQUAL(mem_cache_count(cpu, 0).load_misses, misses + 1);
    UNIT_EQUAL(x[3], 42);
    UNIT_EQUAL(mem_stale_loads(cpu), 0);
    end();
}

static void a_put_that_kills_a_cached_line_changes_the_view_at_once(void)
{
    begin("t3d", "ni.invalidate=address");
    load_int(cpu, &x[3]);
    put_int(node, &x[3], 42, 5e-6);
    UNIT_EQUAL(x[3], 42);
    end();
}

static void a_put_leaves_bytes_that_are_the_processors_own(void)
{
    begin("t3d", NULL);
    store_int(cpu, &x[3], 7); /* in the write buffer */
    put_int(node, &x[3], 42, 5e-6);
    put_int(node, &x[4], 43, 5e-6);
    UNIT_EQUAL(x[3], 7);
    UNIT_EQUAL(x[4], 43);
    mem_publish(cpu, (uintptr_t)x, 64, 6e-6);
    mem_paid(cpu, 9e-6);
    UNIT_EQUAL(x[3], 7);
    UNIT_EQUAL(memory_int(node, &x[3], 9e-6), 7);
    end();
}

/* A library wrote there and has not said so yet: only what was put comes along. */
static void a_line_that_leaves_takes_no_more_than_the_put_bytes_along(void)
{
    begin("t3d", NULL);
    load_int(cpu, &x[3]);
    put_int(node, &x[3], 42, 5e-6);
    x[4] = 5;
    mem_refresh(cpu, (uintptr_t)x, 64, 6e-6);
    UNIT_EQUAL(x[3], 42);
    UNIT_EQUAL(x[4], 5);
    end();
}

UNIT_SUITE(mem_now, UNIT_TEST(a_put_to_a_line_that_no_cache_holds_changes_the_view_at_once),
           UNIT_TEST(a_put_to_a_cached_line_reaches_the_view_when_the_line_is_flushed),
           UNIT_TEST(a_put_to_a_cached_line_reaches_the_view_when_the_line_is_evicted),
           UNIT_TEST(a_put_that_kills_a_cached_line_changes_the_view_at_once),
           UNIT_TEST(a_put_leaves_bytes_that_are_the_processors_own),
           UNIT_TEST(a_line_that_leaves_takes_no_more_than_the_put_bytes_along))

/* What the suites of mem share: machines with a few keys changed, page-aligned memory, accesses as
 * the hooks make them. */
#ifndef MEM_UNIT_H
#define MEM_UNIT_H

#include <stdlib.h>
#include <string.h>

#include "record.h"
#include "mem/agent/agent.h"
#include "mem/counters/counters.h"
#include "mem/segment/segment.h"
#include "mem/mem.h"
#include "unit.h"

/* The keys that follow the machine's name, NULL ended; its processor waits for each access, so that
 * what one costs is seen when it is made. */
G_GNUC_UNUSED static struct mach *machine(const char *name, ...)
{
    g_autoptr(GPtrArray) sets = g_ptr_array_new();
    g_ptr_array_add(sets, (gpointer) "core.model=blocking");
    va_list args;
    va_start(args, name);
    for (const char *set; (set = va_arg(args, const char *));) g_ptr_array_add(sets, (gpointer)set);
    va_end(args);
    g_ptr_array_add(sets, NULL);
    struct mach *m = NULL;
    GError *error = NULL;
    if (!mach_load(name, (const char *const *)sets->pdata, 0, &m, &error))
        fprintf(stderr, "    %s\n", error->message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    return m;
}

/* Zeroed memory on a page of its own. */
G_GNUC_UNUSED static void *pages(size_t n)
{
    void *p = aligned_alloc(4096, n * 4096);
    memset(p, 0, n * 4096);
    return p;
}

/* An access of a block whose price is 0, needed at once: what it takes is what memory makes it. */
G_GNUC_UNUSED static const struct mem_site site_of_block;

/* As the hooks do: first the filter, for accesses inside a line, then the rest. */
G_GNUC_UNUSED static enum mem_result try_load(struct mem_cpu *cpu, const volatile void *at,
                                              uint64_t bytes)
{
    uintptr_t addr = (uintptr_t)at;
    if ((addr ^ (addr + bytes - 1)) >> cpu->filter.line_shift == 0 && mem_fast_load(cpu, addr))
        return MEM_DONE;
    return mem_load(cpu, addr, bytes, 0x1000, &site_of_block);
}
G_GNUC_UNUSED static enum mem_result try_store(struct mem_cpu *cpu, const volatile void *at,
                                               uint64_t bytes)
{
    uintptr_t addr = (uintptr_t)at;
    if ((addr ^ (addr + bytes - 1)) >> cpu->filter.line_shift == 0 && mem_fast_store(cpu, addr))
        return MEM_DONE;
    return mem_store(cpu, addr, bytes, 0x2000, &site_of_block);
}

/* Pays what is owed: the clock of one rank alone in the world. */
G_GNUC_UNUSED static double pay(struct mem_cpu *cpu, double now_s)
{
    struct mem_charge c = mem_take(cpu);
    CU_ASSERT(c.compute_s >= 0 && c.memory_s >= 0);
    now_s += c.compute_s + c.memory_s;
    mem_paid(cpu, now_s);
    return now_s;
}

/* A load and a store of an int by the program: the hook, then the access. */
G_GNUC_UNUSED static int32_t load_int(struct mem_cpu *cpu, volatile int32_t *at)
{
    UNIT_EQUAL(try_load(cpu, at, 4), MEM_DONE);
    return *at;
}
G_GNUC_UNUSED static void store_int(struct mem_cpu *cpu, volatile int32_t *at, int32_t value)
{
    UNIT_EQUAL(try_store(cpu, at, 4), MEM_DONE);
    *at = value;
}

/* What memory holds, as a remote reader sees it at that time. */
G_GNUC_UNUSED static int32_t memory_int(struct mem_node *node, const volatile int32_t *at,
                                        double at_s)
{
    int32_t value;
    mem_ni_read(node, (uintptr_t)at, &value, 4, at_s);
    return value;
}
G_GNUC_UNUSED static void put_int(struct mem_node *node, volatile int32_t *at, int32_t value,
                                  double at_s)
{
    mem_ni_write(node, (uintptr_t)at, &value, 4, op_writer_id(7, "MPI_Put", 0x77), at_s);
}

G_GNUC_UNUSED static int segment(struct mem_node *node, int rank, volatile void *base,
                                 uint64_t bytes)
{
    int id = op_segment_add(rank, (uintptr_t)base, bytes, "MPI_Win_fence");
    mem_segment_add(node, id, (uintptr_t)base, bytes);
    return id;
}

#endif

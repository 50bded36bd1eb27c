/* node: builds one node's processors and memory from the machine's numbers. */
#include "core.h"

static uint32_t log2_of(uint64_t n) { return (uint32_t)g_bit_storage(n) - 1; }

static int64_t cycles(double n) { return (int64_t)(n * (1 << MEM_TICK_BITS) + 0.5); }

static void read_machine(struct mem_node *node, const struct mach *m)
{
    node->ticks_per_s = m->cpu_clock * (1 << MEM_TICK_BITS);
    node->s_per_tick = 1 / node->ticks_per_s;
    node->protocol = coh_find(m->coh_protocol);
    g_assert(node->protocol);
    node->coherent = node->protocol->coherent;
    node->subword = strcmp(m->cpu_subword, "rmw8") == 0 && !node->coherent;
    node->out_of_view = node->coherent && node->cpus > 1;
    node->uncached_others = !node->coherent && node->cpus > 1;
    node->line_time = cycles(m->dram_line_cycles);
    node->retire = cycles(m->wb_retire_cycles);
    node->flush_line = cycles(m->cache_flush_line_cycles);
    node->flush_all = cycles(m->cache_flush_all_cycles);
    node->slot = mem_ticks(node, m->bus_slot);
    node->address_slot = mem_ticks(node, m->bus_address_slot);
    node->cache_to_cache = mem_ticks(node, m->bus_cache_to_cache);
    node->pool = mem_ticks(node, m->pool_latency);
    node->bus = node->coherent && node->slot > 0;
    node->quantum = mem_ticks(node, m->quantum);
    node->last_shift = m->levels ? log2_of(m->cache[m->levels - 1].line) : 5;
    node->invalidate = strcmp(m->ni_invalidate, "index") == 0     ? MEM_NI_INDEX
                       : strcmp(m->ni_invalidate, "address") == 0 ? MEM_NI_ADDRESS
                                                                  : MEM_NI_NONE;
    for (int i = 0; i < m->levels; i++)
        if (strcmp(m->cache[i].write, "back") == 0) node->writes_back = true;
    /* The buffer stands before memory: a machine whose caches keep every store never fills it. */
    node->wb_entries = (uint32_t)m->wb_entries;
    node->wb_hold = (uint32_t)m->wb_hold;
    node->wb_shift = m->wb_entries ? log2_of(m->wb_line) : 5;
    /* a mask's bits */
    g_assert(!m->wb_entries ||
             ((m->wb_line & (m->wb_line - 1)) == 0 && m->wb_line >= 8 && m->wb_line <= 64));
    node->wb_full = node->wb_shift < 6 ? (UINT64_C(1) << (1u << node->wb_shift)) - 1 : ~UINT64_C(0);
    node->wb_merge = m->levels == 1 && node->wb_shift <= node->last_shift && !node->writes_back &&
                     !node->coherent && strcmp(m->cache[0].allocate, "read") == 0;
    node->piece_shift = m->levels ? MIN(node->wb_shift, log2_of(m->cache[0].line)) : 0;
}

static void way_init(struct mem_way *w, const struct mem_node *node, const struct mach *m)
{
    g_assert((m->dram_page & (m->dram_page - 1)) == 0);
    w->dram_shift = m->dram_page >> node->last_shift ? log2_of(m->dram_page) - node->last_shift : 0;
    w->same_page = node->line_time + cycles(m->dram_same_page_cycles);
    w->other_page = node->line_time + cycles(m->dram_other_page_cycles);
    w->ahead = node->line_time + cycles(m->dram_readahead_cycles);
    w->last = UINT64_C(1) << 62; /* far from any line */
    w->step = m->dram_readahead ? 1 : UINT64_C(1) << 61;
}

static void core_init(struct mem_node *node, const struct mach *m, int i)
{
    struct mem_core *core = &node->core[i];
    struct mem_cpu *cpu = &node->cpu[i];
    cpu->core = core;
    cpu->rank = -1;
    cpu->line_shift = m->levels ? log2_of(m->cache[0].line) : 5;
    mem_filters_clear(cpu);
    core->cpu = cpu;
    core->node = node;
    core->index = i;
    core->levels = (uint32_t)m->levels;
    core->page_shift = 60; /* 16 slots to begin with */
    core->page = g_new(struct mem_page, 16);
    for (int k = 0; k < 16; k++) core->page[k] = (struct mem_page){~UINT64_C(0), 0};
    way_init(&cpu->way, node, m);
    core->access = cycles(m->cpu_cycles_per_access);
    core->access_hit = core->access;
    for (int k = 0; k < m->levels; k++) {
        g_assert(k == 0 || m->cache[k].line >= m->cache[k - 1].line); /* inclusion */
        mem_cache_init(&core->cache[k], &m->cache[k], k, cycles(m->cache[k].hit_cycles), i);
    }
    if (m->levels) {
        core->access_hit += core->cache[0].hit;
        core->through = !core->cache[0].write_back;
        /* The short way: see mem.h. */
        const struct mem_cache *c = &core->cache[0];
        cpu->way.line = c->line;
        cpu->way.set_mask = c->set_mask;
        cpu->way.page_mask = (MEM_PAGE_BYTES >> c->shift) - 1;
        if (m->levels == 1 && core->through && c->ways == 1 && !node->coherent) mem_near_init(cpu);
    }
    mem_wb_init(core);
}

struct mem_node *mem_node_new(const struct mach *m, int cpus)
{
    struct mem_node *node = g_new0(struct mem_node, 1);
    node->cpus = cpus;
    node->cpu = g_new0(struct mem_cpu, cpus);
    node->core = g_new0(struct mem_core, cpus);
    node->registration = g_array_new(FALSE, FALSE, sizeof(struct mem_registration));
    node->shared = g_array_new(FALSE, FALSE, sizeof(struct mem_shared));
    if (cpus > 1) node->shared_index = g_hash_table_new(g_direct_hash, g_direct_equal);
    read_machine(node, m);
    for (int i = 0; i < cpus; i++) core_init(node, m, i);
    return node;
}

void mem_node_free(struct mem_node *node)
{
    if (!node) return;
    for (int i = 0; i < node->cpus; i++) {
        struct mem_core *core = &node->core[i];
        for (uint32_t k = 0; k < core->levels; k++) mem_cache_clear(&core->cache[k]);
        mem_wb_clear(core);
        mem_out_clear(core);
        g_free(core->page);
        g_free(node->cpu[i].way.near);
    }
    for (size_t i = 0; i < node->regions; i++) {
        g_free(node->region[i].image);
        g_free(node->region[i].provenance);
        g_free(node->region[i].dirty);
    }
    for (guint i = 0; i < node->shared->len; i++) {
        const struct mem_shared *s = &g_array_index(node->shared, struct mem_shared, i);
        g_free(s->holders);
        g_free(s->coming);
    }
    g_array_free(node->shared, TRUE);
    g_array_free(node->registration, TRUE);
    if (node->shared_index) g_hash_table_destroy(node->shared_index);
    g_free(node->region);
    g_free(node->busy);
    g_free(node->core);
    g_free(node->cpu);
    g_free(node);
}

struct mem_cpu *mem_node_cpu(struct mem_node *node, int i) { return &node->cpu[i]; }

void mem_set_quantum(struct mem_node *node, double quantum_s)
{
    node->quantum = mem_ticks(node, MIN(quantum_s, 1e3));
    node->never_pays = quantum_s > 1;
}

/* node: builds one node's processors and memory from the machine's numbers, and wires timing and
 * values: three events of lines, one of the write buffer. */
#include "mem/mem.h"
#include "mem/access/access.h"
#include "mem/zeroed/zeroed.h"

static uint32_t log2_of(uint64_t n) { return (uint32_t)g_bit_storage(n) - 1; }

/* ---- the events ------------------------------------------------------------------------------ */

static void filled(void *who, uintptr_t addr, uint64_t bytes)
{
    struct mem_core *core = who;
    mem_view_catch_up(&core->own, addr, bytes);
}

static void written_back(void *who, uintptr_t addr, uint64_t bytes, int64_t at)
{
    struct mem_core *core = who;
    mem_dirty_post(&core->own, addr, bytes, at);
}

static void performed(void *who, uint32_t entry, int64_t at)
{
    struct mem_core *core = who;
    mem_buffered_performed(&core->own, entry, at);
}

static void dropped(void *who, uintptr_t addr, uint64_t bytes)
{
    struct mem_core *core = who;
    mem_view_catch_up(&core->own, addr, bytes);
}

static const struct mem_events events = {
    .filled = filled, .written_back = written_back, .dropped = dropped};

/* A payment of one that nobody observes may wait, as far as dates go. */
static void set_quantum(struct mem_node *node, double quantum_s)
{
    enum { QUANTA_LOG2 = 8 };
    struct mem_domain *d = &node->domain;
    d->quantum = mem_ticks(node->scale, quantum_s);
    d->unobserved = MIN(d->quantum, MEM_TICKS_MAX >> QUANTA_LOG2) << QUANTA_LOG2;
    d->unobserved = MAX(d->unobserved, d->quantum);
}

/* ---- from the machine's numbers -------------------------------------------------------------- */

static void domain_init(struct mem_node *node, const struct mach *m)
{
    struct mem_domain *d = &node->domain;
    d->processors = node->cpus;
    d->peer = g_new0(struct mem_peer *, node->cpus);
    d->protocol = coh_find(m->coh_protocol);
    g_assert(d->protocol);
    d->coherent = d->protocol->coherent;
    d->events = &events;
    mem_shared_pages_init(&d->pages, node->cpus);
    d->directory = g_array_new(FALSE, FALSE, sizeof(struct mem_directory_page));
    d->shared = mem_shared_level_new(m);
    d->slot = mem_ticks(node->scale, m->bus_slot);
    d->address_slot = mem_ticks(node->scale, m->bus_address_slot);
    d->cache_to_cache = mem_ticks(node->scale, m->bus_cache_to_cache);
    d->bus = d->coherent && (d->slot > 0 || node->cpus > 1);
    d->resource.scale = node->scale;
    d->resource.alone = node->cpus == 1 && !mem_core_find(m->core_model)->goes_on;
    d->line_time = mem_cycles(m->dram_line_cycles);
    d->line_shift = m->levels ? log2_of(m->cache[m->levels - 1].line) : 5;
    set_quantum(node, m->quantum);
}

static void values_init(struct mem_node *node, const struct mach *m)
{
    struct mem_values *v = &node->values;
    mem_values_init(v, node->cpus);
    v->scale = node->scale;
    v->coherent = node->domain.coherent;
    v->restores = m->cpu_subword_restore;
    v->out_of_view = v->coherent && node->cpus > 1;
    v->uncached_others = !v->coherent && node->cpus > 1;
    for (int i = 0; i < m->levels; i++)
        if (strcmp(m->cache[i].write, "back") == 0) v->writes_back = true;
    v->line_shift = m->wb_entries ? log2_of(m->wb_line) : 5;
    v->restore_s = mem_seconds(node->scale, 2 * mem_cycles(m->wb_retire_cycles));
}

static void read_machine(struct mem_node *node, const struct mach *m)
{
    node->scale = mem_scale(m->cpu_clock);
    domain_init(node, m);
    values_init(node, m);
    node->subword = strcmp(m->cpu_subword, "rmw8") == 0 && !node->domain.coherent;
    node->atomic = mem_cycles(m->cpu_atomic);
    node->flush_line = mem_cycles(m->cache_flush_line_cycles);
    node->flush_all = mem_cycles(m->cache_flush_all_cycles);
    node->page_fault = mem_ticks(node->scale, m->page_fault);
    node->pool = mem_ticks(node->scale, m->pool_latency);
    if (node->pool && m->pool_bandwidth > 0)
        node->pool_line = mem_ticks(node->scale, (double)(UINT64_C(1) << node->domain.line_shift) /
                                                     m->pool_bandwidth);
    node->fast_bytes = 16;
    node->block_store = node->domain.coherent ? m->mem_block_store : 0;
    node->invalidate = strcmp(m->ni_invalidate, "index") == 0     ? MEM_NI_INDEX
                       : strcmp(m->ni_invalidate, "address") == 0 ? MEM_NI_ADDRESS
                                                                  : MEM_NI_NONE;
    node->piece_shift = m->levels ? MIN(node->values.line_shift, log2_of(m->cache[0].line)) : 0;
}

/* The buffer stands before memory: a machine whose caches keep every store never fills it. */
static void buffer_init(struct mem_core *core, const struct mach *m)
{
    const struct mem_node *node = core->node;
    struct mem_write_buffer *b = &core->buffer;
    /* a mask's bits */
    g_assert(!m->wb_entries ||
             ((m->wb_line & (m->wb_line - 1)) == 0 && m->wb_line >= 8 && m->wb_line <= 64));
    b->entries = (uint32_t)m->wb_entries;
    b->hold = (uint32_t)m->wb_hold;
    b->shift = node->values.line_shift;
    b->merges = m->levels == 1 && b->shift <= node->domain.line_shift &&
                !node->values.writes_back && !node->domain.coherent &&
                strcmp(m->cache[0].allocate, "read") == 0;
    b->retire = mem_cycles(m->wb_retire_cycles);
    b->timeout = m->wb_timeout > 0 ? mem_ticks(node->scale, m->wb_timeout) : INT64_MAX;
    b->port = &core->peer.port;
    b->performed = performed;
    b->who = core;
    mem_buffer_init(b);
}

/* Does the last level keep every store? */
static bool keeps_stores(const struct mem_levels *l)
{
    return l->last && l->last->write_back && l->last->allocate_write;
}

static void flight_init(struct mem_core *core, const struct mach *m)
{
    uint32_t places = (uint32_t)m->mem_outstanding,
             stores = keeps_stores(&core->peer.levels) ? (uint32_t)m->mem_store_buffer : 0;
    bool together = places > 1 || core->model->overtakes;
    core->program = mem_flight_new(places, stores, together, MEM_FLIGHTS);
    core->agent = mem_flight_new(places, stores, together, 1); /* nobody asks for whom */
    if (core->model->overtakes)
        core->library_slack = mem_cycles((double)m->cpu_window / m->cpu_issue);
    core->cpu->flight = core->program;
}

/* Is it one whose accesses straight.c plays? */
static bool is_simple(const struct mem_core *core)
{
    const struct mem_peer *peer = &core->peer;
    const struct mem_cache *first = peer->levels.first;
    return first && first->ways == 1 && peer->levels.through && first->way.plain &&
           (first->next ? first->next->way.plain : core->alone && peer->port.in_place) &&
           core->program && core->program->places == 1 && !core->model->overtakes;
}
static bool stores_simply(const struct mem_core *core)
{
    const struct mem_cache *first = core->peer.levels.first;
    if (!is_simple(core)) return false;
    if (first->next) return first->next->write_back && !first->allocate_write;
    return core->buffer.merges && core->buffer.entries && core->buffer.timeout == INT64_MAX &&
           core->node->piece_shift >= 4;
}

/* Is it one whose accesses layered.c plays? */
static bool is_layered(const struct mem_core *core)
{
    const struct mem_cache *first = core->peer.levels.first, *next = first ? first->next : NULL;
    if (!core->program || !core->model->overtakes || !core->program->stores) return false;
    if (!next || next != core->peer.levels.last || !first->below || !first->allocate_write)
        return false;
    if (!first->way.plain) return false;
    if (!first->ordered || first->words != 1 || first->replace->victim) return false;
    return next->ordered && next->words == 2 && !next->replace->victim && next->write_back &&
           next->shift == first->shift && next->way.plain;
}

/* Are an agent's accesses to long ranges what run.c says? */
static bool runs_simply(const struct mem_core *core)
{
    const struct mem_cache *first = core->peer.levels.first, *next = first ? first->next : NULL;
    const struct mem_node *node = core->node;
    if (!first || first->ways > 1 || (next && (next->ways > 1 || next->next))) return false;
    if (node->domain.shared || node->pool || core->peer.tlb.entries) return false;
    if (!first->way.plain) return false;
    return !core->agent || (core->agent->places == 1 && !core->model->overtakes);
}

/* How pages are numbered (mem_pages_init). */
static uint32_t pages_unit(const struct mach *m)
{
    bool scattered = strcmp(m->page_frames, "scattered") == 0;
    return scattered ? log2_of(m->tlb_page) - MEM_PAGE_BITS + 1 : 0;
}

/* Who answers what instrumented code asks? */
static void how_it_asks(struct mem_cpu *cpu, const struct mem_core *core)
{
    const struct mem_cache *first = core->peer.levels.first;
    const bool two = first && first->next, loads = is_simple(core);
    if (is_layered(core)) {
        mem_layered_asks(cpu);
        return;
    }
    if (loads)
        cpu->load = two ? mem_straight_load_two : mem_straight_load;
    else if (first)
        cpu->load = mem_hit_load;
    if (stores_simply(core))
        cpu->store = two ? mem_straight_store_two : mem_straight_store;
    else if (first && !loads)
        cpu->store = mem_hit_store;
}

void mem_cpu_plain(struct mem_cpu *cpu)
{
    cpu->load = cpu->store = cpu->asked_load = cpu->asked_store = NULL;
    cpu->seen_load = cpu->seen_store = cpu->looks_load = cpu->looks_store = NULL;
}

void mem_cpu_seen(struct mem_cpu *cpu)
{
    mem_ask *load = cpu->load, *store = cpu->store;
    mem_cpu_plain(cpu);
    cpu->seen_load = load;
    cpu->seen_store = store;
}

/* C's library moves vectors where the machine has them. */
static int64_t library_word(const struct mach *m, enum mach_class c)
{
    return mem_cycles(mach_word_cycles(m, c) * 8 / (double)MAX(m->cpu_vector, 8));
}

/* A Zen 4 that has room for 65,536 outcomes knows 10,000 loops of 3 to 11 rounds; of 20 to 28 it
 * knows 1,000. */
enum { OUTCOMES_A_LOOP = 4 };

static void tlb_init(struct mem_peer *peer, const struct mach *m)
{
    struct mem_tlb *tlb = &peer->tlb;
    if (m->tlb_first_entries) {
        mem_tlb_init(tlb, (uint32_t)m->tlb_first_entries, m->tlb_page,
                     mem_cycles(m->tlb_first_miss));
        tlb = tlb->behind = &peer->tlb_behind;
    }
    mem_tlb_init(tlb, (uint32_t)m->tlb_entries, m->tlb_page, mem_cycles(m->tlb_miss));
    tlb->walks = (uint32_t)m->tlb_walks;
}

static void core_init(struct mem_node *node, const struct mach *m, int i)
{
    struct mem_core *core = &node->seat[i].core;
    struct mem_cpu *cpu = &node->seat[i].cpu;
    struct mem_peer *peer = &core->peer;
    core->cpu = cpu;
    core->node = node;
    core->model = mem_core_find(m->core_model);
    g_assert(core->model);
    cpu->core = core;
    cpu->rank = -1;
    cpu->priced = ~UINT64_C(0);
    core->last_near = MEM_NEAR_FIRST - 1;
    core->segment_places = -(uint64_t)MEM_NEAR_SEGMENTS_FIRST;
    cpu->filter.line_shift = m->levels ? log2_of(m->cache[0].line) : 5;
    mem_filter_clear(&cpu->filter);
    *peer = (struct mem_peer){.domain = &node->domain, .index = i, .who = core};
    node->domain.peer[i] = peer;
    mem_pages_init(&peer->pages, &node->domain.pages, i, pages_unit(m));
    peer->pages.faults = m->page_fault > 0;
    tlb_init(peer, m);
    mem_levels_init(&peer->levels, m, mem_levels_private(m), &cpu->filter, i);
    mem_dram_init(&peer->port, m, node->domain.line_shift,
                  i > 0 ? &node->seat[0].core.peer.port : NULL);
    cpu->ledger.load_word = library_word(m, MACH_LOAD);
    cpu->ledger.store_word = library_word(m, m->cpu_vector ? MACH_FP_STORE : MACH_STORE);
    mem_branches_init(&cpu->branches, mem_branch_find(m->cpu_predictor),
                      (uint32_t)m->cpu_branch_outcomes);
    mem_targets_init(&cpu->targets, mem_target_find(m->cpu_target_predictor),
                     (uint32_t)m->cpu_branch_targets, m->cpu_call_targets, &cpu->branches);
    if (cpu->branches.history)
        mem_targets_init(&cpu->rounds, mem_target_find("history"),
                         (uint32_t)m->cpu_branch_outcomes / OUTCOMES_A_LOOP, false, &cpu->branches);
    struct mem_cache *first = peer->levels.first;
    core->first_hit = first ? first->hit : 0;
    core->alone = first && !first->next && !node->domain.coherent && !node->domain.shared;
    if (core->model->goes_on && m->mem_outstanding > 0) flight_init(core, m);
    buffer_init(core, m);
    core->runs = runs_simply(core);
    how_it_asks(cpu, core);
    mem_own_init(&node->values, i, &core->own, &cpu->rank, core->buffer.entries);
}

struct mem_node *mem_node_new(const struct mach *m, int cpus)
{
    struct mem_node *node = g_new0(struct mem_node, 1);
    node->cpus = cpus;
    node->seat = mem_zeroed_pages(cpus * sizeof *node->seat);
    read_machine(node, m);
    for (int i = 0; i < cpus; i++) core_init(node, m, i);
    return node;
}

void mem_node_free(struct mem_node *node)
{
    if (!node) return;
    mem_values_clear(&node->values);
    for (int i = 0; i < node->cpus; i++) {
        struct mem_core *core = &node->seat[i].core;
        mem_dram_clear(&core->peer.port);
        mem_levels_clear(&core->peer.levels);
        mem_pages_clear(&core->peer.pages);
        mem_tlb_clear(&core->peer.tlb);
        mem_tlb_clear(&core->peer.tlb_behind);
        g_free(core->lending.page);
        mem_buffer_clear(&core->buffer);
        mem_branches_clear(&node->seat[i].cpu.branches);
        mem_targets_clear(&node->seat[i].cpu.targets);
        mem_targets_clear(&node->seat[i].cpu.rounds);
        g_free(node->seat[i].cpu.runs);
        mem_flight_free(core->program);
        mem_flight_free(core->agent);
    }
    mem_directory_clear(&node->domain);
    mem_shared_level_free(node->domain.shared);
    mem_shared_pages_clear(&node->domain.pages);
    mem_resource_clear(&node->domain.resource);
    g_free(node->domain.peer);
    mem_zeroed_pages_free(node->seat, node->cpus * sizeof *node->seat);
    g_free(node);
}

struct mem_cpu *mem_node_cpu(struct mem_node *node, int i) { return &node->seat[i].cpu; }

void mem_set_quantum(struct mem_node *node, double quantum_s)
{
    set_quantum(node, MIN(quantum_s, 1e3));
    node->domain.never_pays = quantum_s > 1;
}

void mem_set_plain(struct mem_node *node)
{
    node->fast_bytes = 0;
    for (int i = 0; i < node->cpus; i++) {
        mem_cpu_plain(&node->seat[i].cpu);
        node->seat[i].core.runs = false;
    }
}

bool mem_of_segment(const struct mem_cpu *cpu, uintptr_t addr)
{
    return mem_registration_at(&cpu->core->node->values, addr) != NULL;
}

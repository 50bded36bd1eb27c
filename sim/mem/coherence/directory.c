/* directory: for each line of a shared page, who may hold it. */
#include "mem/coherence/coherence.h"

static size_t lines_of_page(const struct mem_domain *d) { return MEM_PAGE_BYTES >> d->line_shift; }

void mem_directory_add(struct mem_domain *d)
{
    struct mem_directory_page page = {NULL, NULL};
    g_array_append_val(d->directory, page);
}

struct mem_directory_page *mem_directory_page(const struct mem_domain *d, uint64_t where)
{
    if (!(where & MEM_PAGE_SHARED)) return NULL;
    return &g_array_index(d->directory, struct mem_directory_page, mem_page_index(where));
}

static void forget_transfers(struct mem_in_flight *in_flight, size_t lines)
{
    for (size_t i = 0; in_flight && i < lines; i++) {
        if (!in_flight[i].transfers) continue;
        mem_resource_clear(in_flight[i].transfers);
        g_free(in_flight[i].transfers);
    }
    g_free(in_flight);
}

void mem_directory_clear(struct mem_domain *d)
{
    for (guint i = 0; i < d->directory->len; i++) {
        const struct mem_directory_page *page =
            &g_array_index(d->directory, struct mem_directory_page, i);
        g_free(page->sharers);
        forget_transfers(page->in_flight, lines_of_page(d));
    }
    g_array_free(d->directory, TRUE);
}

uint64_t *mem_sharers(const struct mem_domain *d, uint64_t where, uint64_t model)
{
    const struct mem_directory_page *page = mem_directory_page(d, where);
    return page && page->sharers ? &page->sharers[(model & (MEM_PAGE_BYTES - 1)) >> d->line_shift]
                                 : NULL;
}

void mem_sharer_set(const struct mem_peer *peer, uint64_t where, uint64_t model)
{
    struct mem_directory_page *page = mem_directory_page(peer->domain, where);
    if (!page) return;
    if (!page->sharers) page->sharers = g_new0(uint64_t, lines_of_page(peer->domain));
    *mem_sharers(peer->domain, where, model) |= UINT64_C(1) << (peer->index & 63);
}

void mem_sharer_clear(const struct mem_peer *peer, uint64_t where, uint64_t model)
{
    uint64_t *sharers = mem_sharers(peer->domain, where, model);
    /* Beyond 64 processors a bit stands for several: it stays, as a hint. */
    if (sharers && peer->domain->processors <= 64) *sharers &= ~(UINT64_C(1) << peer->index);
}

int mem_sharer_next(const struct mem_domain *d, uint64_t sharers, int i)
{
    if (++i >= d->processors || !sharers) return d->processors;
    if (d->processors <= 64) {
        const uint64_t further = sharers >> i;
        return further ? MIN(i + __builtin_ctzll(further), d->processors) : d->processors;
    }
    while (i < d->processors && !(sharers >> (i & 63) & 1)) i++;
    return i;
}

bool mem_line_shared(const struct mem_domain *d, const struct mem_peer *asker, uint64_t where,
                     uint64_t model)
{
    const uint64_t *word = mem_sharers(d, where, model);
    uint64_t sharers = word ? *word : 0;
    if (!sharers) return false;
    for (int i = mem_sharer_next(d, sharers, -1); i < d->processors;
         i = mem_sharer_next(d, sharers, i))
        if (d->peer[i] != asker && mem_peer_line(d->peer[i], model)) return true;
    return false;
}

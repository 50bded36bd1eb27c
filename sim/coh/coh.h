/* coh: cache coherence protocols of one node, each one table [state][event].
 *
 * A protocol says what one cache does with one line when its own processor loads, stores or drops
 * it, and when another processor's bus transaction for the line is snooped. It knows no addresses,
 * sizes or times; mem steps it and turns the answers into bus transactions and charges. Sources:
 * Censier and Feautrier 1978; Goodman 1983; Papamarcos and Patel 1984 (MESI); Sweazey and Smith
 * 1986 (the MOESI class).
 */
#ifndef COH_COH_H
#define COH_COH_H

#include <stdbool.h>
#include <stddef.h>

enum coh_state { COH_I, COH_S, COH_E, COH_O, COH_M, COH_STATES };

enum coh_event {
    COH_LOAD,        /* this processor loads; on a miss the snoop found no other holder */
    COH_LOAD_SHARED, /* this processor loads; on a miss the snoop found another holder */
    COH_STORE,       /* this processor stores */
    COH_EVICT,       /* this cache evicts the line, or it is flushed */
    COH_SNOOP_READ,  /* another processor reads the line on the bus */
    COH_SNOOP_OWN,   /* another processor reads it to own it, or upgrades: copies must go */
    COH_EVENTS
};

enum coh_action {                       /* bits */
                  COH_ILLEGAL = 1 << 0, /* this pair cannot happen; reaching it is a bug */
                  COH_BUS_READ = 1
                                 << 1,  /* fetch the line on the bus, others snoop COH_SNOOP_READ */
                  COH_BUS_OWN = 1 << 2, /* fetch it for ownership, others snoop COH_SNOOP_OWN */
                  COH_BUS_UPGRADE = 1
                                    << 3, /* address-only transaction, others snoop COH_SNOOP_OWN */
                  COH_SUPPLY =
                      1 << 4, /* this cache supplies the line to the requester (cache to cache) */
                  COH_WRITE_BACK = 1 << 5, /* this cache's bytes go to memory */
                  /* set in every step written; a step without it is a hole in the table */
                  COH_GIVEN = 1 << 6,
};

struct coh_step {
    enum coh_state next;
    unsigned actions;
};

struct coh_protocol {
    const char *name; /* value of coh.protocol */
    const char *doc;  /* one sentence */
    const char *source;
    bool coherent;   /* false only for none */
    unsigned states; /* bit per state used */
    struct coh_step table[COH_STATES][COH_EVENTS];
};

/* The family, one line each in coh/models.def; a table with a hole is refused at start-up. */
const struct coh_protocol *coh_find(const char *name); /* NULL: none of that name */
const struct coh_protocol *const *coh_all(size_t *n);
/* What start-up refuses in a protocol: a hole, a state used but not declared ...; NULL: nothing.
 * Free with g_free. */
char *coh_fault(const struct coh_protocol *p);
static inline struct coh_step coh_step(const struct coh_protocol *p, enum coh_state s,
                                       enum coh_event e)
{
    return p->table[s][e];
}

/* Walks every reachable combination of `caches` caches' states of one line under every event and
 * checks: at most one of E, M, O holders is exclusive (E and M alone; O at most once), a load sees
 * the last store (a token passed along with supply, write-back and memory), no illegal pair is
 * reached. Returns the number of reachable combinations; 0: *why (free with g_free) is the first
 * broken invariant with the path that leads to it. */
size_t coh_explore(const struct coh_protocol *p, int caches, char **why);

#endif

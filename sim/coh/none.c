/* none: no coherence. Each cache fills and evicts on its own: no snoops, no invalidations. */
#include "coh/protocol.h"

// clang-format off
const struct coh_protocol coh_none = {
    .name = "none",
    .doc = "no coherence: a cached line stays whatever others write",
    .source = "Cray T3D: Arpaci et al., ISCA 1995",
    .coherent = false,
    .states = 1 << COH_I | 1 << COH_S | 1 << COH_M,
    .table = {
        /*           LOAD          LOAD_SHARED   STORE        EVICT         SNOOP_READ  SNOOP_OWN */
        [COH_I] = {GO(S, READ), GO(S, READ), GO(M, READ), GO(I, 0),    GO(I, 0), GO(I, 0)},
        [COH_S] = {GO(S, 0),    GO(S, 0),    GO(M, 0),    GO(I, 0),    GO(S, 0), GO(S, 0)},
        [COH_E] = {NEVER,       NEVER,       NEVER,       NEVER,       NEVER,    NEVER},
        [COH_O] = {NEVER,       NEVER,       NEVER,       NEVER,       NEVER,    NEVER},
        [COH_M] = {GO(M, 0),    GO(M, 0),    GO(M, 0),    GO(I, BACK), GO(M, 0), GO(M, 0)},
    },
};
// clang-format on

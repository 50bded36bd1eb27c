/* msi: a line is invalid, shared (clean, perhaps elsewhere too) or modified (here only). The
 * simplest write-invalidate protocol; the holder of a modified line supplies it to any reader, and
 * memory is updated at the same time. */
#include "coh/protocol.h"

// clang-format off
const struct coh_protocol coh_msi = {
    .name = "msi",
    .doc = "write-invalidate with modified, shared and invalid lines",
    .source = "Goodman, ISCA 1983; Culler and Singh, Parallel Computer Architecture, 5.3",
    .coherent = true,
    .states = 1 << COH_I | 1 << COH_S | 1 << COH_M,
    .table = {
    /*         LOAD        LOAD_SHARED STORE          EVICT       SNOOP_READ         SNOOP_OWN */
    [COH_I] = {GO(S,READ), GO(S,READ), GO(M,OWN),     GO(I,0),    GO(I,0),           GO(I,0)},
    [COH_S] = {GO(S,0),    GO(S,0),    GO(M,UPGRADE), GO(I,0),    GO(S,0),           GO(I,0)},
    [COH_E] = {NEVER,      NEVER,      NEVER,         NEVER,      NEVER,             NEVER},
    [COH_O] = {NEVER,      NEVER,      NEVER,         NEVER,      NEVER,             NEVER},
    [COH_M] = {GO(M,0),    GO(M,0),    GO(M,0),       GO(I,BACK), GO(S,SUPPLY|BACK), GO(I,SUPPLY)},
    },
};
// clang-format on

/* mesi: as msi, and a line that no other cache held when it was read is exclusive: storing to it
 * needs no bus. */
#include "coh/protocol.h"

// clang-format off
const struct coh_protocol coh_mesi = {
    .name = "mesi",
    .doc = "msi with an exclusive clean state, so that private data is stored to silently",
    .source = "Papamarcos and Patel, ISCA 1984 (the Illinois protocol)",
    .coherent = true,
    .states = 1 << COH_I | 1 << COH_S | 1 << COH_E | 1 << COH_M,
    .table = {
    /*         LOAD        LOAD_SHARED STORE          EVICT       SNOOP_READ         SNOOP_OWN */
    [COH_I] = {GO(E,READ), GO(S,READ), GO(M,OWN),     GO(I,0),    GO(I,0),           GO(I,0)},
    [COH_S] = {GO(S,0),    GO(S,0),    GO(M,UPGRADE), GO(I,0),    GO(S,0),           GO(I,0)},
    [COH_E] = {GO(E,0),    GO(E,0),    GO(M,0),       GO(I,0),    GO(S,SUPPLY),      GO(I,SUPPLY)},
    [COH_O] = {NEVER,      NEVER,      NEVER,         NEVER,      NEVER,             NEVER},
    [COH_M] = {GO(M,0),    GO(M,0),    GO(M,0),       GO(I,BACK), GO(S,SUPPLY|BACK), GO(I,SUPPLY)},
    },
};
// clang-format on

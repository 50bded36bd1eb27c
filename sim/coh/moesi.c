/* moesi: as mesi, and a modified line that others read stays here as owned: memory is stale, the
 * owner supplies the line. */
#include "coh/protocol.h"

// clang-format off
const struct coh_protocol coh_moesi = {
    .name = "moesi",
    .doc = "mesi with an owned state: a dirty line is shared without writing memory",
    .source = "Sweazey and Smith, ISCA 1986; UltraSPARC (Gigaplane)",
    .coherent = true,
    .states = 1 << COH_I | 1 << COH_S | 1 << COH_E | 1 << COH_O | 1 << COH_M,
    .table = {
    /*         LOAD        LOAD_SHARED STORE          EVICT       SNOOP_READ    SNOOP_OWN */
    [COH_I] = {GO(E,READ), GO(S,READ), GO(M,OWN),     GO(I,0),    GO(I,0),      GO(I,0)},
    [COH_S] = {GO(S,0),    GO(S,0),    GO(M,UPGRADE), GO(I,0),    GO(S,0),      GO(I,0)},
    [COH_E] = {GO(E,0),    GO(E,0),    GO(M,0),       GO(I,0),    GO(S,SUPPLY), GO(I,SUPPLY)},
    [COH_O] = {GO(O,0),    GO(O,0),    GO(M,UPGRADE), GO(I,BACK), GO(O,SUPPLY), GO(I,SUPPLY)},
    [COH_M] = {GO(M,0),    GO(M,0),    GO(M,0),       GO(I,BACK), GO(O,SUPPLY), GO(I,SUPPLY)},
    },
};
// clang-format on

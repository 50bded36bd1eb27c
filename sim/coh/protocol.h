/* What every protocol's file needs. A table's row is a state; GO(next, actions) is a step, NEVER a
 * pair that cannot happen. */
#ifndef COH_PROTOCOL_H
#define COH_PROTOCOL_H

#include "coh/coh.h"

#define GO(state, what) {COH_##state, COH_GIVEN | (what)}
#define NEVER           {COH_I, COH_GIVEN | COH_ILLEGAL}
#define READ            COH_BUS_READ
#define OWN             COH_BUS_OWN
#define UPGRADE         COH_BUS_UPGRADE
#define SUPPLY          COH_SUPPLY
#define BACK            COH_WRITE_BACK

#define COH_PROTOCOL(name) extern const struct coh_protocol coh_##name;
#include "coh/models.def"
#undef COH_PROTOCOL

#endif

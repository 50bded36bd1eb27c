/* What every carrier's file needs, and the family's list. */
#ifndef MOVE_CARRIER_H
#define MOVE_CARRIER_H

#include "move/transfer/chunk.h"
#include "move/servicing/stage.h"
#include "move/transfer/bytes.h"

#define MOVE_CARRIER(name) extern const struct move_carrier move_##name;
#include "move/carrier/models.def"
#undef MOVE_CARRIER

#endif

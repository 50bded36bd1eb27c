/* probe, inside: does the statement whose store hook returns to pc still have its load before it? Not a door. */
#ifndef PROBE_COPIES_H
#define PROBE_COPIES_H

#include "base/base.h"

__attribute__((visibility("hidden"))) bool probe_copy_follows(uintptr_t pc);

#endif

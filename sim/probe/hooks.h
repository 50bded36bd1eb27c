/* probe, inside: which function is a load hook? Not a door. */
#ifndef PROBE_HOOKS_H
#define PROBE_HOOKS_H

#include "base/base.h"

__attribute__((visibility("hidden"))) bool probe_is_load_hook(const void *function);

#endif

/* instrument, inside: gcc's own headers, in the order they need (GCC internals, Plugins). Not a
 * door. */
#ifndef INSTRUMENT_GCC_H
#define INSTRUMENT_GCC_H

#define INCLUDE_MAP
#define INCLUDE_STRING
#define INCLUDE_VECTOR
#include "gcc-plugin.h"
#include "plugin-version.h"

#include "backend.h"
#include "rtl.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "ssa.h"
#include "cgraph.h"
#include "attribs.h"
#include "cfganal.h"
#include "cfgloop.h"
#include "context.h"
#include "diagnostic.h"
#include "fold-const.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "memmodel.h"
#include "emit-rtl.h"
#include "output.h"
#include "ssa-iterators.h"
#include "stor-layout.h"
#include "stringpool.h"
#include "tree-cfg.h"
#include "tree-cfgcleanup.h"
#include "tree-dfa.h"
#include "tree-eh.h"
#include "tree-into-ssa.h"
#include "tree-ssa.h"
#include "tree-ssa-address.h"
#include "predict.h"
#include "builtins.h"
#include "internal-fn.h"
#include "langhooks.h"
#include "stmt.h"
#include "calls.h"
#include "target.h"

#endif

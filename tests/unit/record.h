/* The record of a run, for tests: what op, trace and findings hold, and how to forget all of it. */
#ifndef UNIT_RECORD_H
#define UNIT_RECORD_H

#include "findings/findings.h"
#include "profile/chains/chains.h"
#include "profile/lines/lines.h"
#include "profile/locks/locks.h"
#include "profile/moves/moves.h"
#include "profile/profile.h"
#include "op/op.h"
#include "trace/trace.h"

static inline void record_clear(void)
{
    findings_clear();
    profile_clear();
    profile_chains_clear();
    profile_lines_clear();
    profile_locks_clear();
    profile_moves_clear();
    trace_clear();
    op_clear();
}

#endif

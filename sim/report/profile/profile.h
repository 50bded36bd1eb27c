/* report/profile: where the time of a run went, as a file: `sidewinder run --profile`.
 *
 * Text, a record a line, fields apart by tabs; times in seconds, sums over all ranks:
 *
 *   sidewinder-profile 1
 *   run       version machine program ranks time_s levels
 *   total     compute_s stall_s service_s wait_s       of the ranks
 *   line      function file line path compute_s load_stall_s store_stall_s service_s wait_s
 *             executions loads stores stale calls miss_l1 miss_l2 miss_l3 miss_l4
 *   call      call file:line count time_s wait_s stall_s longest_wait_s rank
 *   cause     cause file:line other_file:line count wait_s rank ranks
 *   chain     parent function|call|inlined name file path line at count recursive compute_s
 *             stall_s service_s wait_s miss_l1 miss_l2 miss_l3 miss_l4
 *             parent: which of these lines called it, from 0, at a line of its own; -1: none
 *   lock      memory count ranks queued longest_queue handovers handover_s longest_held_s rank
 *             file:line                                      of a window; who held it longest
 *   locker    memory file:line exclusive|shared count wait_s held_s longest_held_s rank
 *   memory    memory who moves line_bytes ranks false|true cost_s      cache lines that moved
 *   variable  window|static|heap|stack name load_stall_s store_stall_s loads stores stale moves
 *             miss_l1 miss_l2 miss_l3 miss_l4 hits           loads and stores that waited; hits:
 *             all that missed in no cache; 0: they were not asked for
 *
 * All but chains come dearest first. The line whose function is "(elsewhere)" is the
 * rest to the totals.
 */
#ifndef REPORT_PROFILE_H
#define REPORT_PROFILE_H

#include "report/run/run.h"

bool report_profile(const struct report_run *run, const char *path, GError **error);

#endif

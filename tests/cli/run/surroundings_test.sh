#!/bin/bash
# What surrounds a run: an empty environment does not change its answer, and a report that cannot be written is an
# exit code.
. "$(dirname "$0")/../../lib.sh"
build surroundings

# ---- the environment ------------------------------------------------------------------------------------------
env -i "$sidewinder" run -q -m t3d -n 2 "$work/surroundings" >"$work/out" 2>"$work/err"
says "a run without any environment variable ends well" [ $? -eq 0 ]
says "... and its ranks see no variable but those of the simulator" [ "$(grep -c '^rank [01]' "$work/out")" -eq 2 ]

# ---- a report that is lost ------------------------------------------------------------------------------------------
"$sidewinder" run -m t3d -n 2 "$work/surroundings" >"$work/out" 2>/dev/full
says "a report that standard error does not take is an exit code" [ $? -eq 1 ]
says "... though the program ran" grep -q '^rank 1' "$work/out"
"$sidewinder" run -q -m t3d -n 2 "$work/surroundings" >"$work/out" 2>/dev/full
says "without a report nothing is lost there" [ $? -eq 0 ]
"$sidewinder" run -m t3d -n 2 "$work/surroundings" >"$work/out" 2>"$work/err"
says "a report that was printed is none" [ $? -eq 0 ]
finish

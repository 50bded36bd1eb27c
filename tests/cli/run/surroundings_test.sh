#!/bin/bash
# What surrounds a run, an empty environment say, must not change its answer.
. "$(dirname "$0")/../../lib.sh"
build surroundings

# ---- the environment ---------------------------------------------------------------------------------------------------
env -i "$sidewinder" run -q -m t3d -n 2 "$work/surroundings" >"$work/out" 2>"$work/err"
says "a run without any environment variable ends well" [ $? -eq 0 ]
says "... and its ranks see no variable but those of the simulator" [ "$(grep -c '^rank [01]' "$work/out")" -eq 2 ]

finish

#!/bin/bash
# sidewinder trace refuses what is no trace, or not all of one: a message that names the file and the line, exit code
# not 0, and no time line written or harmed.
. "$(dirname "$0")/../../lib.sh"
build ../run/echo
run_options=(--trace "$work/trace")
run t3d 2 echo

refuses() {      # SENTENCE CODE WORD ARGUMENT...
    local sentence=$1 code=$2 word=$3
    shift 3
    status=0
    "$sidewinder" trace "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    if [ "$status" -eq "$code" ] && grep -q -- "$word" "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ]; then
        ok "$sentence: $(cat "$work/err")"
    else
        sed 's/^/    /' "$work/err"
        wrong "$sentence (exit code $status instead of $code, or not: $word)"
    fi
}
lines=$(wc -l <"$work/trace")

refuses "no file"                             2 "give one FILE"
refuses "two files"                           2 "give one FILE"           "$work/trace" "$work/trace"
refuses "a file that is not there"            1 "$work/none: No such"     "$work/none"
refuses "a folder"                            1 "$work: Is a directory"   "$work"
refuses "less than no operation"              2 "--first -1: .* from 0"   --first=-1 "$work/trace"
refuses "an empty file"                       1 "/dev/null:1: empty"      /dev/null
refuses "a foreign file"                      1 "echo.c:1: not a trace"   "$here/../run/echo.c"
printf 'kind,origin,target,bytes,call,carrier,site,called_s\nput,0,1,4,MPI_Put,rdma,0x40,0\n' >"$work/old"
refuses "a trace of an older version"         1 "old:1: a trace of version 1; .* run the program again" "$work/old"
sed '1s/.*/sidewinder trace 99/' "$work/trace" >"$work/new"
refuses "a trace of a newer version"          1 "new:1: a trace of version 99"  "$work/new"
head -n -1 "$work/trace" >"$work/cut"
refuses "a trace without its end"             1 "cut:$lines: the trace is cut short here" "$work/cut"
head -c $(($(wc -c <"$work/trace") - 3)) "$work/trace" >"$work/cut"
refuses "a trace cut in the middle of a line" 1 "cut:$lines: the trace is cut short here" "$work/cut"
sed '30s/^/x/' "$work/trace" >"$work/damaged"
refuses "a damaged line"                      1 "damaged:30: "            "$work/damaged"
sed '/^run,/d' "$work/trace" >"$work/damaged"
refuses "ranks of no run"                     1 "damaged:[0-9]*: 'rank' where" "$work/damaged"
refuses "an operation that is not there"      1 "$work/trace: there is no operation 7: the trace has 0" --operation 7 \
    "$work/trace"
refuses "operation 0"                         2 "--operation 0: accepted are whole numbers from 1" --operation 0 \
    "$work/trace"
refuses "an operation that is not a number"      2 "operation"               --operation first "$work/trace"
refuses "two time lines on standard output"   2 "standard output"         --paje - --chrome - "$work/trace"
refuses "a time line where none can be written" 1 "cannot write $work/none/a.paje" --paje "$work/none/a.paje" \
    "$work/trace"
refuses "a time line over the trace"          2 "--paje would be written over the trace, $work/trace" \
    --paje "$work/../${work##*/}/trace" "$work/trace"
refuses "two time lines in one file"          2 "--paje and --chrome would both be written to $work/one" \
    --paje "$work/one" --chrome "$work/one" "$work/trace"
echo mine >"$work/trace.paje.part"
says "nothing beside a time line is touched" eval '"$sidewinder" trace --paje "$work/trace.paje" "$work/trace" &&
    grep -q mine "$work/trace.paje.part"'
echo mine >"$work/mine"
refuses "a time line of a trace cut short"    1 "cut:$lines"              --chrome "$work/mine" "$work/cut"
says "what was in its place is untouched, and nothing is left beside it" eval '[ "$(cat "$work/mine")" = mine ] &&
    [ ! -e "$work/mine.part" ]'

# A run that is killed leaves a trace that says so.
cat >"$work/long.c" <<'LONG'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (;;) MPI_Barrier(MPI_COMM_WORLD);
}
LONG
"$sidewinder" cc -O2 -o "$work/long" "$work/long.c" || exit 1
TMPDIR=$work setsid "$sidewinder" run -q -m t3d -n 2 --trace "$work/killed" "$work/long" >"$work/out" 2>&1 &
until_true test -s "$work/killed"
kill -KILL -- -$!
wait $! 2>"$work/err"
running() { pgrep -r R,S,D -g $! >"$work/out"; }
until_true eval '! running'
refuses "the trace of a run that was killed"  1 \
    "killed:[0-9]*: the trace is cut short here: its last line 'end' is missing" "$work/killed"

# One that waits for ever has an end.
printf '#include <mpi.h>\nint main(int c, char **v) { int r; MPI_Init(&c, &v); MPI_Comm_rank(MPI_COMM_WORLD, &r);\n
if (r) MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize(); return 0; }\n' >"$work/stuck.c"
"$sidewinder" cc -O2 -g -o "$work/stuck" "$work/stuck.c" || exit 1
run t3d 2 stuck
says "the trace of a deadlock is whole, and says so in its last line" eval '[ "$status" = 3 ] &&
    tail -n 1 "$work/trace" | grep -q "^end,deadlock," &&
    "$sidewinder" trace --paje - "$work/trace" | pj_dump >"$work/out"'
status=0
"$sidewinder" run -q -m t3d -n 2 --trace /dev/full "$work/echo" >"$work/out" 2>"$work/err" || status=$?
says "a trace that does not fit is reported" eval '[ "$status" -ne 0 ] &&
    grep -q "/dev/full: No space left on device" "$work/err"'
finish

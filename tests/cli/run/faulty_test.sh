#!/bin/bash
# What the simulated program does wrong is reported with rank, call and line, as the standard has it; the simulator does
# not crash.
. "$(dirname "$0")/../../lib.sh"
build faulty
line_of() { grep -n "/\* $1 \*/" "$here/faulty.c" | cut -d: -f1; }

# faults MACHINE FAULT CODE PATTERN...: exit code (or ! for any but 0), and every pattern in the message.
faults() {
    local machine=$1 fault=$2 code=$3 pattern missing=""
    shift 3
    run "$machine" 3 faulty "$fault"
    for pattern in "$@"; do grep -Eq -- "$pattern" "$work/err" || missing="$missing '$pattern'"; done
    if [ -z "$missing" ] && { [ "$status" = "$code" ] || { [ "$code" = ! ] && [ "$status" -ne 0 ] &&
        [ "$status" -lt 124 ]; }; }; then
        ok "$fault on $machine: exit code $status, $(grep -E -- "${1:-.}" "$work/err" | head -n 1)"
    else
        sed 's/^/    /' "$work/err" | head -n 20
        wrong "$fault on $machine: exit code $status (expected $code), without$missing"
    fi
    says "$fault on $machine: what the program printed before is there, once a rank" test \
        "$(grep -c '^before$' "$work/out")" = 3
}

sampled "t3d and now"
for machine in t3d now $(thorough && echo smp); do
    faults $machine outside !       "rank 1" "MPI_Put" "faulty.c:$(line_of outside)" "1000|8000" "32|0 to 3|4 "
    faults $machine epoch !         "rank 1" "MPI_Put" "faulty.c:$(line_of epoch)"
    faults $machine free !          "rank 1 still holds a lock on the window of rank [0-2]" "MPI_Win_free" \
        "faulty.c:$(line_of free)"
    faults $machine unlock !        "rank 1" "MPI_Win_unlock" "faulty.c:$(line_of unlock)"
    faults $machine deadlock 3      "MPI_Recv" "MPI_Barrier" "faulty.c:$(line_of deadlock-receive)" \
        "faulty.c:$(line_of deadlock-barrier)" "ranks? 0" "ranks? 1"
    faults $machine lock-deadlock 3 "MPI_Win_lock" "faulty.c:$(line_of lock-deadlock)"
    faults $machine wait 3          "rank 1" "MPI_Win_wait" "faulty.c:$(line_of wait)"
    faults $machine crash 139       "rank 1" "faulty.c:$(line_of crash)" "[Ss]egmentation"
    faults $machine far-crash 139   "rank 1" "faulty.c:$(line_of far-crash)"
    [ $machine = smp ] || # there the processor has copied the bytes before they go
        faults $machine unmapped 139 \
        "rank 1: segmentation fault in rank 1's memory, by MPI_Get at faulty.c:$(line_of unmapped)"
    faults $machine unmapped-message 139 \
        "segmentation fault while a message of 4 bytes was copied; the ranks then" \
        "1 +waits? in MPI_Wait +at faulty.c:$(line_of unmapped-message)"
    faults $machine overflow 139 \
        "rank 1: stack overflow at faulty.c:($(line_of overflow)|$(($(line_of overflow) - 2))|$(line_of deeper))" \
        "rank 1: called at faulty.c:$(line_of deeper) \([0-9]+ times\)" "called from further calls"
    faults $machine buffered 139    "rank 1: segmentation fault at faulty.c:$(line_of inner)" \
        "rank 1: called at faulty.c:$(line_of outer-call)"
    says "buffered on $machine: what the ranks had not flushed is there" grep -q "half a line of rank 1" "$work/out"
    faults $machine abort 134       "rank 1: aborted at faulty.c:$(line_of abort)"
    faults $machine free-twice 134  "frees a pointer twice" "rank 1: aborted at faulty.c:$(line_of free-twice)"
    faults $machine mpi-abort 37
    faults $machine exit 23
    faults $machine return 19
done
says "a program that is wrongly called itself decides the exit code" eval 'run t3d 2 faulty; [ "$status" = 2 ]'
# What a program did until a signal ended it is in what the run was to write: JSON, trace, page.
cat >"$work/midway.c" <<'C'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, *base, *volatile nowhere = NULL;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1 && argc > 1) abort();
    if (rank == 1) *nowhere = 1;
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -g -o "$work/midway" "$work/midway.c" || wrong "midway.c is compiled"
for how in "" aborts; do
    [ "$how" ] && code=134 || code=139
    rm -f "$work"/midway.*[nle]
    { "$sidewinder" run -q -m t3d -n 2 --json "$work/midway.json" --view "$work/midway.html" --trace \
        "$work/midway.trace" "$work/midway" $how >"$work/out" 2>"$work/err"; status=$?; } 2>/dev/null
    says "a run that signal $((code - 128)) ends says where, and no more" eval \
        '[ $status = $code ] && [ "$(wc -l <"$work/err")" = 1 ] && grep -q "rank 1: .* at midway.c:1" "$work/err"'
    says "... leaves JSON that says how it ended" eval \
        '[ "$("$sidewinder" compare --key end "$work/midway.json")" = aborted ] &&
        [ "$("$sidewinder" compare --key exit_code "$work/midway.json")" = $code ]'
    says "... and a trace and a page with its operations" eval \
        '[ "$("$sidewinder" trace "$work/midway.trace" | grep -c "MPI_Put .*midway.c")" = 2 ] &&
        grep -q MPI_Put "$work/midway.html"'
done
finish

#!/bin/bash
# The checker of repairs: each lab as it is handed out is still wrong, and reports it without its answer; the repair in
# answers/ passes. A sample of the labs; all of them where POINTS is large (./bootstrap test --all).
. "$(dirname "$0")/../lib.sh"
room=$apps/classroom
labs='3 8'
[ "${POINTS:-0}" -lt 1000 ] || labs='1 2 3 4 5 6 7 8 9 10 11 12 13'
sampled "labs $labs"
export SIDEWINDER=$sidewinder

for lab in $labs; do
    rm -rf "$work/desk"
    mkdir "$work/desk"
    cp "$room"/{check,Makefile} "$room"/lab"${lab}"_*.c "$work/desk"
    cd "$work/desk" || exit 2
    says "lab $lab as handed out is still wrong" eval '! make -s check-lab'"$lab"' >"$work/before" 2>&1'
    says "and the checker reports where" grep -q '^still wrong: ' "$work/before"
    [ "$lab" != 3 ] ||
        says "and which line is wanted" grep -qx '    wanted: late: rank 1 sees 1000 of 1000' "$work/before"
    says "and does not report a cure" eval '! grep -qE "Cure|answers" "$work/before"'
    # The repair is the block ```diff of the answers; lab 8's is a machine, its command stands there.
    sed -n '/^```diff$/,/^```$/p' "$room/answers/lab$lab.md" | grep -v '^```' >"$work/diff"
    if [ -s "$work/diff" ]; then
        says "lab $lab's repair fits its program" \
            eval 'patch -s lab'"$lab"'_*.c "$work/diff" >"$work/patched" 2>&1'
    else
        command=$(sed -n 's/^    \$ sidewinder \(machines .*\) > mine.xml$/\1/p' "$room/answers/lab$lab.md")
        # shellcheck disable=SC2086      # its words
        says "lab $lab's repair is a machine" eval '"$sidewinder" $command >mine.xml'
    fi
    make -s "check-lab$lab" >"$work/after" 2>&1 || sed 's/^/    /' "$work/after"
    says "lab $lab repaired passes" grep -qx "lab$lab: nothing is wrong any more" "$work/after"
done

# A repair that leaves out or goes round what the lab is about does not pass.
gutted() {    # LAB SED-SCRIPT DEMAND
    rm -rf "$work/desk" && mkdir "$work/desk"
    cp "$room"/{check,Makefile} "$room"/lab"$1"_*.c "$work/desk"
    cd "$work/desk" || exit 2
    sed -i -E "$2" lab"$1"_*.c
    make -s "check-lab$1" >"$work/after" 2>&1
    says "lab $1 without what it is about is still wrong: $3" grep -q "^still wrong: .*$3" "$work/after"
}
gutted 5 's/if .rank == 0 && of_rank_0. MPI_Put.*/if (rank == 1 \&\& of_rank_0) text[i] = 112; \/* MPI_Put *\//' \
    "puts 0 times"
gutted 5 's/if .rank == 0 && of_rank_0. MPI_Put."p"/if (rank == 0) MPI_Put(of_rank_0 ? "p" : "s"/
    s/if .rank == 1 && !of_rank_0.*/;/' "rank 0 puts 32 times, and 8 are its own"
gutted 6 's/sw_compute.grain \* us./sw_compute(grain * us \/ 20)/' "microseconds a block: at least 1000"
gutted 9 's/MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE/MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED/' "it is not a shared one"
gutted 9 's/strcmp.how, "atomic". == 0/1/' "shared copies atomic"
if thorough; then
    gutted 3 's/fence = strcmp.when, "fence". == 0/fence = 1/; s/early = strcmp.*/early = 0;/' "late calls a fence"
    gutted 11 's/^    MPI_Accumulate/    MPI_Ssend(\&one, 1, MPI_INT, READER, 0, MPI_COMM_WORLD);\n&/
        s/^    int flag, ones = 0;/&\n    MPI_Recv(\&flag, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);/' \
        "the only message"
fi
# Both ranks return at once.
ends='/^static void (locks|start|fence|send)/,/^\}/s/^\{$/{ if (one) return;/'
gutted 12 "$ends" "locks puts 0 times"
says "and start, fence and send" [ "$(grep -cE "^still wrong: ./lab12 (start|fence|send)" "$work/after")" = 3 ]
finish

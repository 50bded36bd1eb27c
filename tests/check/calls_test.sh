#!/bin/bash
# "Calls out of epoch, mixed epochs, ... detached or freed memory that a window or pending operation still has, locks
# never released, operations incomplete at MPI_Win_free and MPI_Finalize": each is an error at its line, on every
# machine.
. "$(dirname "$0")/../lib.sh"
"$sidewinder" cc -O1 -g "$here/calls.c" -o "$work/calls" || wrong "the calls are compiled"

# at NAME: the lines marked with it
at() { grep -n "/\* $1 \*/" "$here/calls.c" | cut -d: -f1 | tr '\n' ' '; }

# blamed MACHINE NAME: the lines of the violations, in order, those of calls.c only
blamed() {
    rm -f "$work/json"
    "$sidewinder" run -m "$1" -n 2 -q --check --json "$work/json" "$work/calls" "$2" >/dev/null 2>&1
    awk '/^ "violations" : \[$/ { inside = 1 } /^ \]/ { inside = 0 } inside' "$work/json" |
        sed -n 's/.*"calls.c:\([0-9]*\)".*/\1/p' | sort -nu | tr '\n' ' '
}
# the case's lines are among those blamed
names() { local line; for line in $(at "$2"); do [[ " $(blamed "$1" "$2")" == *" $line "* ]] || return 1; done; }

for machine in t3d smp now rdma; do
    for name in no_epoch flush_in_a_fence_epoch lock_in_a_fence_epoch outside_the_window freed_in_an_epoch lock_kept \
                window_freed_before fence_forgotten post_forgotten freed_in_a_window detached_too_early \
                another_kind another_size second_of_a_struct; do
        says "$machine: $name" names "$machine" "$name"
    done
    for name in fine freed_after detached_in_time types_that_match; do
        says "$machine: $name is no error" [ -z "$(blamed "$machine" "$name")" ]
    done
done
"$sidewinder" run -m rdma -n 2 -q --json "$work/json" "$work/calls" no_epoch >/dev/null 2>&1
says "a plain run lists calls out of epoch" grep -q MPI_ERR_RMA_SYNC "$work/json"
"$sidewinder" run -m rdma -n 2 -q --check --check-exit 9 "$work/calls" lock_kept >/dev/null 2>&1
says "--check-exit counts them" [ $? -eq 9 ]
"$sidewinder" run -m rdma -n 2 -q --json "$work/json" "$work/calls" another_kind
says "a plain run lists types that do not match" grep -q "MPI_INT is sent, MPI_FLOAT received" "$work/json"
finish

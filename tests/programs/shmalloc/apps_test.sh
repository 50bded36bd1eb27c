#!/bin/bash
# The programs of apps/ that are written to SHMALLOC get/put are built by make and find their own answer right on every
# kind of machine.
. "$(dirname "$0")/../../lib.sh"
if ! make -s -C "$apps" CC="$sidewinder cc" BUILD="$work" shmalloc >"$work/make.log" 2>&1; then
    cat "$work/make.log"
    wrong "make CC=\"sidewinder cc\" shmalloc"
    finish
fi
right() {      # MACHINE RANKS PROGRAM ARGUMENT...: it ends well, and says so itself
    run "$@"
    says "$3 ${*:4} on $1 with $2 ranks ${run_options[*]}: $(cat "$work/out")" \
        eval '[ "$status" = 0 ] && grep -q "ok$" "$work/out" && ! grep -q "\"rule\"" "$work/json"'
}
for machine in t3d smp now clump rdma cxl-pool; do
    right "$machine" 7 halo_shmalloc shmalloc 19 4
    right "$machine" 8 halo_shmalloc shmalloc 24 4
    right "$machine" 5 histogram_shmalloc 40 7
done
for policy in interrupt thread; do
    run_options=(--set "serve.policy=$policy")
    right now 6 halo_shmalloc shmalloc 23 4
    right now 5 histogram_shmalloc 40 7
done
run_options=()
for program in halo_shmalloc histogram_shmalloc word_tearing; do
    run t3d 2 "$program" --help
    says "$program --help: says how it is used, exit code 2" eval '[ "$status" = 2 ] &&
        grep -q "^usage: $program" "$work/err"'
done
run t3d 3 word_tearing
says "word_tearing on t3d loses puts of bytes in one word" holds \
    "$(sed -n 's/.*: \([0-9]*\) of 400 puts lost.*/\1/p' "$work/out") > 0"
run t3d 3 word_tearing 8
says "and none in words of their own" grep -q ': 0 of 400 puts lost' "$work/out"
run now 3 word_tearing
says "word_tearing on now loses none" grep -q ': 0 of 400 puts lost' "$work/out"
finish

#!/bin/bash
# The work of halo, histogram and transpose with PUT/ACCEPT finds the same exact answers on every kind of machine and
# under every servicing policy, and breaks no rule; the page that introduces the interface prints what it says.
. "$(dirname "$0")/../../lib.sh"
if ! make -s -C "$apps" CC="$sidewinder cc" BUILD="$work" put_accept >"$work/make.log" 2>&1; then
    cat "$work/make.log"
    wrong "make CC=\"sidewinder cc\" put_accept"
    finish
fi
right() {      # MACHINE RANKS PROGRAM ARGUMENT...
    run "$@"
    if [ "$status" -ne 0 ] || ! grep -q 'ok$' "$work/out" || grep -q WRONG "$work/out" ||
        grep -q '"rule"' "$work/json"; then
        sed 's/^/    /' "$work/out" "$work/err"
        wrong "$3 ${*:4} on $1 with $2 ranks ${run_options[*]} (exit code $status)"
    else
        ok "$3 ${*:4} on $1 with $2 ranks ${run_options[*]}: $(grep 'ok$' "$work/out")"
    fi
}
everything() {
    right "$1" 8 halo_put_accept put_accept 24 5
    right "$1" 7 halo_put_accept put_acceptc 23 4
    right "$1" 5 histogram_put_accept 40 7
    right "$1" 4 transpose_put_accept 32
    right "$1" 4 transpose_put_accept_late 32
    run "$1" 4 put_accept
    says "put_accept on $1 ${run_options[*]}: everybody sees what the others wrote" test "$(sort "$work/out")" = \
        "rank 0: the board says 100 200 300
rank 1: I see 100 200 300"
}
# a_part: of everything, a collective accept and what comes late
a_part() {
    right "$1" 7 halo_put_accept put_acceptc 23 4
    right "$1" 4 transpose_put_accept_late 32
}
for machine in t3d smp now cxl-pool $(thorough && echo challenge clump rdma); do everything "$machine"; done
some=now amount=a_part
thorough && some="t3d smp now" amount=everything
sampled "four machines; servicing policies on $some: a halo exchange and a late transpose"
for policy in ni polling interrupt thread; do
    run_options=(--set "serve.policy=$policy")
    for machine in $some; do $amount "$machine"; done
done
run_options=(--set serve.when=completion)
for machine in $some; do $amount "$machine"; done
run_options=()
run_options=(--trace "$work/trace")
for machine in t3d smp now rdma; do
    right "$machine" 4 transpose_put_accept_late 32
    says "$machine: of what waits, too, no step comes before the one before it" eval \
        '! "$sidewinder" trace "$work/trace" | grep -q "+-"'
done
run_options=()
for program in halo_put_accept histogram_put_accept; do
    run t3d 2 "$program" --help
    says "$program --help: says how it is used, exit code 2" eval '[ "$status" = 2 ] &&
        grep -q "^usage: $program" "$work/err"'
done
finish

#!/bin/bash
# PUT/ACCEPT: every sentence of the proposal's "Operational Semantics", on every kind of machine and under every servicing policy; its
# requests among ordinary ones; wrong arguments, broken rules and missing counts.
. "$(dirname "$0")/lib.sh"
build put_accept
build put_accept_errors
build put_accept_total
build put_accept_elsewhere "$here/put_accept_elsewhere_probe.c"
says "a program in the proposal's own spelling compiles" "$sidewinder" cc --dialect put_accept -std=c11 -O2 -g -Wall -I"$here" \
    -o "$work/put_accept_requests" "$here/put_accept_requests.c"

everything() {
    passes "$1" 3 put_accept
    passes "$1" 3 put_accept_requests
}
for machine in t3d smp now clump rdma cxl-pool; do everything "$machine"; done
for policy in interrupt thread; do
    run_options=(--set "serve.policy=$policy")
    everything now
done
run_options=(--set serve.when=completion)
for machine in t3d smp now; do everything "$machine"; done
run_options=(--set move.eager_bytes=64B)
for machine in t3d smp now; do passes "$machine" 5 put_accept; done
run_options=()

# violations: "RULE|line of the program" in $work/json
line_of() { grep -n "$1" "$here/put_accept_errors.c" | head -1 | cut -d: -f1; }
violated() { tr -d '\n' <"$work/json" | grep -q "\"rule\" *: *\"PUT/ACCEPT: $1\"[^}]*\"at\" *: *\"put_accept_errors.c:$2\""; }
for machine in t3d smp now; do
    passes "$machine" 2 put_accept_elsewhere
    passes "$machine" 2 put_accept_errors
    says "$machine: a reference to a servicer's range during its execution is told, with its line" \
        violated "Non-conformance (servicer's range)" "$(line_of RANGE)"
    says "$machine: so is one to an origin buffer between PUT and ACCEPT" violated "Non-conformance (origin buffer)" "$(line_of ORIGIN)"
    says "$machine: there are no others" test "$(grep -o 'Non-conformance' "$work/json" | wc -l)" = 2
    says "$machine: a request that nobody serviced is named at the end" \
        grep -q "rank 0: a PUT to rank 1 with tag 99 was never matched" "$work/err"
    run "$machine" 2 put_accept_errors starve
    says "$machine: a servicer that can never complete is a deadlock" test "$status" = 3
    says "$machine: and the missing counts are told" grep -q "rank 1: PA_Accept with tag 4 has serviced 1 of 3 PUT requests" "$work/err"
done
says "t3d: references beside a range, in its lines, are reported as false sharing" eval '
    "$sidewinder" run -m t3d -n 2 "$work/put_accept_errors" 2>&1 >/dev/null | tr "\n" " " | grep -q "False sharing: rank 1"'

# "totalling these counts across all processors (logn time)": eight times the processes, three rounds more each way.
for machine in t3d smp now; do
    run_options=()
    [ "$machine" = smp ] && run_options=(--set cpus=32)
    passes "$machine" 4 put_accept_total
    four=$(value acceptc)
    passes "$machine" 32 put_accept_total
    says "$machine: a collective ACCEPT of 32 processes takes less than four times one of 4 (log n: 2.5; n: 8)" \
        holds "$(value acceptc) < 4 * $four && $(value acceptc) > 2 * $four"
done
finish

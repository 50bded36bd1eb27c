#!/bin/bash
# PUT/ACCEPT: every sentence of the proposal's "Operational Semantics", on every kind of machine and under every
# servicing policy; its requests among ordinary ones; wrong arguments, broken rules and missing counts.
. "$(dirname "$0")/../../lib.sh"
build put_accept
build put_accept_errors
build put_accept_kinds
build put_accept_memory
build put_accept_total
build put_accept_unkind
build put_accept_elsewhere "$here/put_accept_elsewhere_probe.c"
says "a program in the proposal's own spelling compiles" "$sidewinder" cc --dialect put_accept -std=c11 -O2 -g -Wall \
    -I"$here" -I"$tests" \
    -o "$work/put_accept_requests" "$here/put_accept_requests.c"

everything() {
    passes "$1" 3 put_accept
    passes "$1" 4 put_accept_unkind
    passes "$1" 3 put_accept_requests
    passes "$1" 3 put_accept_kinds
    delayed=$(value delayed_put)$(value delayed_get)
}
# "These semantics allow a servicing operation ... to delay the servicing of all PUT or PUTHOLD or GET or GETHOLD
# requests until the servicing operation completes or tries to complete."
delays() { says "$1 ${run_options[*]}: a posted servicer waits for its process to complete it: $2" test "$delayed" = \
    "$3"; }
sampled "t3d, smp and now; each policy and key on one of them"
for machine in t3d smp $(thorough && echo clump rdma cxl-pool) now; do
    everything "$machine"
    case $machine in
    now) delays now yes 11 ;;
    t3d | smp) delays "$machine" no 00 ;;
    esac
done
for policy in interrupt thread; do
    run_options=(--set "serve.policy=$policy")
    everything now
    delays now no 00
done
run_options=(--set serve.when=completion)
for machine in t3d $(thorough && echo smp now); do
    everything "$machine"
    delays "$machine" yes 11
done
run_options=(--set move.eager_bytes=64B)
for machine in now $(thorough && echo t3d smp); do passes "$machine" 5 put_accept; done
run_options=()

# violations: "RULE|line of the program" in $work/json
line_of() { grep -n "/\* *$1 *\*/" "$here/put_accept_errors.c" | cut -d: -f1; }
violated() { tr -d '\n' <"$work/json" | grep -q \
    "\"rule\" *: *\"PUT/ACCEPT: $1\"[^}]*\"at\" *: *\"put_accept_errors.c:$2\""; }
sampled "broken rules on t3d and now"
for machine in t3d now $(thorough && echo smp); do
    passes "$machine" 2 put_accept_elsewhere
    passes "$machine" 2 put_accept_errors
    says "$machine: \"Local references to addresses in the range ... of an ACCEPT ... are not permitted\", with line" \
        violated "Non-conformance (servicer's range)" "$(line_of RANGE)"
    says "$machine: and a store's, into an OFFER's" violated "Non-conformance (servicer's range)" "$(line_of OFFERED)"
    says "$machine: \"between that operation and the following ACCEPT\": so is one to an origin buffer" \
        violated "Non-conformance (origin buffer)" "$(line_of ORIGIN)"
    says "$machine: to an element of a vector, not to what lies between them" violated \
        "Non-conformance (origin buffer)" "$(line_of ELEMENT)"
    says "$machine: a load of memory that only this processor uses is seen as well" violated \
        "Non-conformance (origin buffer)" "$(line_of LOADED)"
    says "$machine: so is what MPI_Send loads for the program" violated "Non-conformance (servicer's range)" \
        "$(line_of SENT)"
    says "$machine: and to what a GET fetches" violated "Non-conformance (origin buffer)" "$(line_of GOT)"
    says "$machine: there are no others" test "$(grep -o 'Non-conformance' "$work/json" | wc -l)" = 7
    says "$machine: a request that nobody serviced is named at the end, with its line, target, tag and kind" \
        grep -Eq "rank 0: a PUT to rank 1 with tag 99 was never matched \(issued at put_accept_errors.c:[0-9]+\)" \
        "$work/err"
    says "$machine: each of them" grep -q \
        "rank 0: a GETHOLD to rank 1 with tag 97 was never matched (issued at put_accept_errors.c:$(line_of HELD))" \
        "$work/err"
    says "$machine: in the order in which their communicators were used, also of one that was freed" \
        test "$(sed -n 's/.*rank 0: a [A-Z]* to rank 1 with tag \([0-9]*\) was never matched.*/\1/p' "$work/err" |
            tr '\n' ' ')" = "99 97 96 95 "
    run "$machine" 2 put_accept_errors starve
    says "$machine: a servicer that can never complete is a deadlock" test "$status" = 3
    says "$machine: and the missing counts are reported" grep -q \
        "rank 1: PA_Accept with tag 4 has serviced 1 of 3 PUT requests" "$work/err"
    run "$machine" 2 put_accept_errors starve_all
    says "$machine: those of every process, of requests that are waited for, too" eval '[ "$status" = 3 ] &&
        grep -q "rank 0: PA_Offer with tag 6 has serviced 0 of 2 GET requests" "$work/err" &&
        grep -q "rank 1: PA_Iaccept with tag 5 has serviced 1 of 2 PUT requests" "$work/err"'
    run "$machine" 2 put_accept_errors starve_round
    says "$machine: and who has not come to a collective one" eval '[ "$status" = 3 ] &&
        grep -q "PA_Acceptc with tag 7: round 1 has been reached by 1 of 2 processes; 1 own PUTC not serviced: to \
rank 1" \
            "$work/err" &&
        grep -q "rank 1: PA_Avail with tag 8 has serviced 0 of 1 PUT or GET requests" "$work/err"'
done

# Every mistake is fatal by default; rank, call and line are named.
run now 2 put_accept_errors wrong
mapfile -t reported <"$work/out"
machines=(t3d smp now)
for i in "${!reported[@]}"; do
    run "${machines[i % 3]}" 2 put_accept_errors wrong "$i"
    at=' at put_accept_errors.c:[0-9]+'
    case ${reported[i]} in *malloc*) at= ;; esac
    text=${reported[i]//[()]/.}
    says "reported and fatal: ${reported[i]}" eval '[ "$status" -ne 0 ] &&
        grep -Eq "^sidewinder: rank 0: ${text/: /$at: }" "$work/err"'
done
says "there is more than one mistake of each kind to make" test "${#reported[@]}" -gt 25

# Where caches know nothing of remote operations, an ACCEPT begins with a flush of its range, and pays for it.
for machine in t3d smp now cxl-pool; do
    passes "$machine" 2 put_accept_memory
    says "$machine: no value was old, and no rule broken" eval '! grep -q "\"rule\"" "$work/json" &&
        [ "$(json "rank[0].stale_loads")$(json "rank[1].stale_loads")" = 00 ]'
    flush=$(value flush)
    case $machine in
    t3d | cxl-pool) says "$machine: the flush of 2 KiB takes its time ($flush s)" holds "$flush > 1e-7" ;;
    *) says "$machine: coherent, so nothing is flushed" holds "$flush < 1e-9" ;;
    esac
done
cat >"$work/unmatched.c" <<'C'
#include <mpi.h>
#include <put_accept.h>
int main(int argc, char **argv)
{
    int rank, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) PA_Puthold(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, 99, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -g "$work/unmatched.c" -o "$work/unmatched" || wrong "unmatched.c is compiled"
says "in the report a request that nobody serviced has no call on the other side" eval '
    "$sidewinder" run -m t3d -n 2 "$work/unmatched" 2>&1 >/dev/null | tr -s "\n " " " | grep -Eq \
        "with tag 99 was never matched. Rank 0, [^:]*:[^.]*, at time [^:]*: rank 1\. "'
says "t3d: references beside a range, in its lines, are reported as false sharing" eval '
    "$sidewinder" run -m t3d -n 2 "$work/put_accept_errors" 2>&1 >/dev/null | tr "\n" " " | grep -q \
        "False sharing: rank 1"'

# "totalling these counts across all processors (logn time)": eight times the processes, three rounds more each way.
for machine in smp $(thorough && echo t3d now); do
    run_options=()
    [ "$machine" = smp ] && run_options=(--set cpus=32)
    passes "$machine" 4 put_accept_total
    four=$(value acceptc)
    passes "$machine" 32 put_accept_total
    says "$machine: a collective ACCEPT of 32 processes takes less than four times one of 4 (log n: 2.5; n: 8)" \
        holds "$(value acceptc) < 4 * $four && $(value acceptc) > 2 * $four"
done
finish

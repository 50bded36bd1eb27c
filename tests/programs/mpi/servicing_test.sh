#!/bin/bash
# Servicing policies: the time an origin waits and the time a target loses. "These semantics allow a servicing operation
# to delay the servicing of all PUT [...] requests until the servicing operation completes or tries to complete"
# (PUT/ACCEPT proposal, 1995): delayed servicing is legal, and expensive.
. "$(dirname "$0")/../../lib.sh"
build servicing

passes now 2 servicing 10
says "now, polling: a lock-put-unlock waits for a target that computes 10 ms" \
    holds "$(value origin) > 0.0095 && $(value origin) < 0.0105"
says "now, polling: the target's computation itself is not disturbed" holds "$(value target) < 0.01001"
says "now, polling: the target pays for its part afterwards" holds "$(json 'rank[1].service_s') > 0"
polling_target=$(value target)
passes now 2 servicing 2
says "now, polling: it waits 2 ms for a target that computes 2 ms" holds \
    "$(value origin) > 0.0017 && $(value origin) < 0.0023"

run_options=(--set serve.policy=interrupt)
passes now 2 servicing 10
says "now, interrupt: it takes tens to hundreds of microseconds" holds \
    "$(value origin) > 20e-6 && $(value origin) < 500e-6"
says "now, interrupt: the target finishes later than undisturbed" holds "$(value target) > $polling_target + 10e-6"
says "now, interrupt: what the target loses is its service_s, and it is later by as much" \
    holds "$(json 'rank[1].service_s') > 10e-6 &&
        $(value target) - $polling_target < 1.1 * $(json 'rank[1].service_s') + 1e-6"
once=$(json 'rank[1].service_s')
passes now 2 servicing 10 20
says "now, interrupt: twenty puts cost the target about twenty times as much" \
    holds "$(json 'rank[1].service_s') > 15 * $once && $(json 'rank[1].service_s') < 25 * $once"

run_options=(--set serve.policy=thread)
passes now 2 servicing 10
says "now, thread: the origin does not wait for the computation either" holds "$(value origin) < 0.002"
says "now, thread: it costs the target time" holds \
    "$(json 'rank[1].service_s') > 0 && $(value target) > $polling_target"

run_options=(--set serve.policy=polling --set serve.when=completion)
passes now 2 servicing 10
says "now, served at completion: it waits at least as long as with polling" holds "$(value origin) > 0.0095"

# A processor does one thing at a time: what it computes, stalls and services takes as long as all of it together, also
# where each puts to its neighbour and requests come while the target's own are being sent.
"$sidewinder" cc -O2 -o "$work/puts" "$tests/bench/puts.c" || exit 1
adds_up() {
    run now 4 puts fence 3 50 64
    json 'rank[*].time_s' >"$work/time"
    for part in compute memory service wait; do json "rank[*].${part}_s" >"$work/$part"; done
    paste "$work/time" "$work/compute" "$work/memory" "$work/service" "$work/wait" |
        awk '{d = $1 - $2 - $3 - $4 - $5; if (d < -1e-12 || d > 1e-12) bad++; s += $4} END {exit !(NR == 4 && s > 0 &&
            !bad)}'
}
for serving in polling:arrival interrupt:arrival thread:arrival polling:completion; do
    run_options=(--set serve.policy="${serving%:*}" --set serve.when="${serving#*:}")
    says "now, $serving: the four kinds of a rank's time sum to its time" adds_up
done
run_options=()

# The unlock before and the lock are two requests that wait together; the get is one more.
build servicing_blocks
passes now 2 servicing_blocks
says "now, polling: one MPI call of the target services all that came, so a locked get waits two blocks and not three" \
    holds "$(value blocks) > 1.8 && $(value blocks) < 2.1"

for machine in t3d smp rdma cxl-pool; do
    passes "$machine" 2 servicing 10
    says "$machine: a lock-put-unlock takes less than 100 us while the target computes" holds "$(value origin) < 100e-6"
    says "$machine: the target loses nothing" holds "$(json 'rank[1].service_s') == 0 && $(value target) < 0.01001"
done
finish

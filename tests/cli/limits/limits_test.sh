#!/bin/bash
# limits shows how the predicted time changes with each parameter of the machine; each number is that of a run, or
# derived from the critical path of one.
. "$(dirname "$0")/../../lib.sh"
"$sidewinder" cc -O2 -g -o "$work/halo" "$apps/halo.c" -lm || exit 1
cat >"$work/alone.c" <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double x = argc;
    for (int i = 0; i < 100000; i++) x = x * 0.5 + 1;
    printf("%g\n", x);
    MPI_Finalize();
}
END
"$sidewinder" cc -O2 -g -o "$work/alone" "$work/alone.c" || exit 1
cd "$work" || exit 1

"$sidewinder" limits -m now -n 4 --by 50 --run-all ./halo fence 32 2 >table 2>err
says "nothing but the tables is printed" eval '[ ! -s err ] && ! grep -q "halo fence: 32" table'
says "the longest links of the critical path come first, with their lines" \
    eval 'sed -n "/^The critical path/,/^$/p" table | grep -q "halo.c:[0-9]* -> halo.c:[0-9]*: "'
# of SET: predicted time of that run, as the table prints times
of() {
    run_options=(--set "$1")
    run now 4 halo fence 32 2
    run_options=()
    json time_s
}
row() { awk -v key="$1" '$1 == key' table; }
base=$(run now 4 halo fence 32 2; json time_s)
for set in net.latency=2.5us net.overhead_receive=2us net.bandwidth=76MBps cpu.clock=334MHz; do
    wanted=$(awk -v a="$(of $set)" -v b="$base" 'BEGIN {printf "%.2f", 100 * (b - a) / b}')
    says "with $set the time is $wanted % less, as a run of that machine says" \
        eval 'row ${set%%=*} | grep -q -e " -$wanted % "'
done
says "the row with the largest gain comes first" eval \
    'awk "/parameter were/ {on = 1; next} /^\$/ {on = 0} on && / % / {
        for (i = 1; i <= NF; i++) if (\$(i + 1) == \"%\" && \$i ~ /^[-+]/) print -\$i}" table >gains &&
     [ "$(wc -l <gains)" -gt 3 ] &&
     sort -c -g -r gains'
if thorough; then
    "$sidewinder" limits -m now -n 4 --by 50 --run-all --jobs 1 ./halo fence 32 2 >again
    says "one run at a time gives the same tables where all are run" cmp table again
fi
"$sidewinder" limits -m now -n 4 --json limits.json ./halo fence 32 2 >table
says "numbers of messages are derived from one run, the clock and what memory takes are run" eval \
    'row net.latency | grep -q " derived$" && row net.overhead_send | grep -q " derived$" &&
     row cpu.clock | grep -q " run$" && row cache.l2.hit_cycles | grep -q " run$"'
# A file of 64 bytes for a head, and for each date; then what its parts are.
"$sidewinder" limits -m now -n 4 --jobs 1 --graph kept ./halo fence 32 2 >again
says "one run at a time gives the same tables" cmp table again
says "the graph is kept on request, 64 bytes a date, and its parts are keys" eval 'cmp table again &&
    [ "$(head -c 8 kept)" = SWGRAPH1 ] && dates=$(od -A n -t u8 -j 8 -N 8 kept) &&
    tail -c +$((64 * (dates + 1) + 1)) kept | grep -q "^[0-9]* net.latency 1\$" &&
    tail -c +$((64 * (dates + 1) + 1)) kept | awk "NF != 3 || \$2 !~ /^[a-z0-9_.]+\$/ {exit 1}"'
says "its longest way is the run's time: what is derived of nothing is the same" eval \
    '[ "$(od -A n -t f8 -j 24 -N 8 kept | awk "{printf \"%.10g\", \$1}")" = \
       "$(run now 4 halo fence 32 2; json time_s)" ]'
says "of each part it says what the time would be if it took none" eval \
    '[ "$(sed -n "/^Predicted time if a part/,/^\$/p" table | grep -c " derived\$")" = 3 ]'
says "where no run is shorter than what is derived, nothing is said of it" eval '! grep -q "can be shorter" table'
"$sidewinder" limits -m smp -n 4 ./halo lock 64 4 >locks
says "what is derived of a part is said to keep the order and the stalls, where the run is shorter" eval \
    'awk "/^  network and its/ {exit !(\$9 < \$12 && \$10 == \$13)}" locks && grep -q "^  A run can be shorter" locks'
says "the simulator's own quantum is no part of the machine" eval '! grep -q quantum limits.json'
says "a slope is the share of the critical path" eval 'awk "/^  net\.latency/ {
    for (i = 1; i < NF; i++) if (\$(i + 1) == \"%\") at[++n] = \$i
    exit !(n == 2 && at[1] / -at[2] > 9.5 && at[1] / -at[2] < 10.5)}" table'
says "all that is derived is checked by runs in which all of it is better at once, and holds" eval \
    'grep -q "^  Checked: " table && grep -q "\"slopes_hold\" : true" limits.json'
says "fewer are run than there are parameters and parts" eval 'runs=$(sed -n "s/^\([0-9]*\) runs\..*/\1/p" table)
    [ "$runs" -lt "$(grep -c "\"name\"" limits.json)" ]'
"$sidewinder" cc -O2 -g -o lab13 "$apps/classroom/lab13_limits.c" -lm || exit 1
"$sidewinder" limits -m now -n 4 ./lab13 1 >lock.table
says "where ranks wait for a lock, slopes are local" grep -q "slopes are local" lock.table
"$sidewinder" cc -O2 -o histogram "$apps/histogram.c" || exit 1
"$sidewinder" limits -m now -n 3 --json order.json ./histogram 20 7 >order.table
says "where requests come in another order on a better machine, slopes are local, and the row says so" eval \
    'grep -q "slopes are local" order.table && grep -q "run; in another order" order.table &&
     grep -q "\"local\" : true" order.json && grep -q "\"other_order\" : true" order.json'
says "where one key alone would change whose lock comes first, that is seen, and each is run" eval \
    'awk "\$1 == \"net.gap\" {found = /run\$/ && / \+[0-9]/} END {exit !found}" lock.table'
says "where none does, nothing is said of it" eval '! grep -q "slopes are local" table'
says "the JSON says which is which" eval 'grep -q "\"how\" : \"derived\"" limits.json &&
    grep -q "\"how\" : \"run\"" limits.json'
"$sidewinder" limits -m t3d -n 1 ./alone >alone.table
says "a program that only computes hangs on the clock" eval \
    'awk "/parameter were/ {getline; print \$1}" alone.table | grep -qx cpu.clock &&
     grep -q "^  network.* 0.00 %" alone.table'

# What a processor copies for a put is work and stalls: without memory's part the work is left.
"$sidewinder" cc -O2 -o pingpong "$apps/pingpong.c" || exit 1
for machine in smp now; do
    "$sidewinder" limits -m $machine -n 2 --json copies.json ./pingpong 65536 3 >copies.table
    says "$machine: a bound without memory leaves the work of copies, as a run with fast memory does" eval '
        awk -F "[:,]" "/\"name\"/ {memory = /memory/} memory && /\"time_s\"/ {run = \$2}
            memory && /\"derived_s\"/ {derived = \$2} !base && /\"time_s\"/ {base = \$2}
            END {off = (run - derived) / (base - run); exit !(off > -0.15 && off < 0.15)}" copies.json'
done

# Ranks 0 and 1 compute in turn, less than the mean each; rank 2 more, but not as long as both.
cat >"$work/chain.c" <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank;
    double x = argc;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) MPI_Recv(&x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < (rank == 2 ? 15000 : 10000); i++) x = x * 0.5 + 1;
    if (rank == 0) MPI_Send(&x, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    if (x == 0) puts("never");
    MPI_Finalize();
}
END
"$sidewinder" cc -O2 -o chain "$work/chain.c" || exit 1
"$sidewinder" limits -m smp -n 3 --json chain.json ./chain >chain.table
says "balanced ranks are never slower than the ranks as they are" eval '
    awk -F "[:,]" "/\"time_s\"/ && !time {time = \$2} /\"balanced_s\"/ {found = \$2 > 0 && \$2 <= time}
        END {exit !found}" chain.json'

# Messages of SimGrid: a barrier's are one behind the other, a broadcast's root and its children send at the same time.
cat >"$work/messages.c" <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    double x = 1;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        if (argc > 1) MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        else MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
END
"$sidewinder" cc -O2 -g -o messages "$work/messages.c" || exit 1
"$sidewinder" limits -m smp -n 4 --json messages.json --run-all ./messages >messages.table
# of KEY: what was derived of the time, and what it was
both() {
    tr -d ' \n' <messages.json | tr '{' '\n' | grep "\"name\":\"$1\"" |
        sed 's/.*"time_s":\([^,]*\),.*"derived_s":\([^,]*\),.*/\1 \2/'
}
base=$(run smp 4 messages; json time_s)
for key in net.overhead_send net.overhead_receive net.local_latency net.local_bandwidth; do
    says "$key has its share of a barrier's messages" eval \
        'both $key | awk -v t="$base" "{d = \$1 - \$2; r = t - \$1; if (d < 0) d = -d}
            END {exit !(NR == 1 && r > 0.005 * t && d < 0.03 * r)}"'
done

# A processor's stores to others are slower than its loads, and as fast as the wire; a round outlasts its prefetches.
# Messages of a transpose meet on links.
cat >"$work/stores.c" <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    static double mine[512], theirs[512];
    int rank;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(theirs, sizeof theirs, sizeof *theirs, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < 20; i++) {
        MPI_Win_fence(0, win);
        MPI_Put(mine, 512, MPI_DOUBLE, (rank + 1) % 4, 0, 512, MPI_DOUBLE, win);
        MPI_Win_fence(0, win);
        for (int k = 0; k < 20; k++) MPI_Get(mine + 8 * k, 8, MPI_DOUBLE, (rank + 1) % 4, 8 * k, 8, MPI_DOUBLE, win);
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
}
END
"$sidewinder" cc -O2 -g -o stores "$work/stores.c" || exit 1
"$sidewinder" cc -O2 -g -I"$apps" -o transpose "$apps/transpose.c" || exit 1
# shares "PROGRAM ARGUMENT..." KEY...
shares() {
    local program=$1
    shift
    "$sidewinder" limits -m t3d -n 4 --json messages.json --run-all ./$program >messages.table
    base=$(run t3d 4 $program; json time_s)
    for key in "$@"; do
        says "$key has its share of what processors store and prefetch: $program" eval \
            'both $key | awk -v t="$base" "{d = \$1 - \$2; r = t - \$1; if (d < 0) d = -d}
                END {exit !(NR == 1 && r > 0.0001 * t && d < 0.05 * r)}"'
    done
}
shares stores ni.put_line_cycles ni.get_issue_cycles ni.get_round_cycles ni.get_pop_cycles
shares "transpose 64" ni.put_line_cycles net.bandwidth
"$sidewinder" limits -m smp -n 4 ./messages broadcast >messages.table
says "where keys share a time otherwise than derived, it is seen, and each is run" eval \
    'tr "\n" " " <messages.table | grep -q "Checked: .*They differ, so each parameter was run" &&
     awk "\$1 == \"net.overhead_receive\" {found = /run\$/} END {exit !found}" messages.table'

"$sidewinder" cc -O2 -g -I"$apps" -o put_accept "$apps/put_accept.c" || exit 1
"$sidewinder" limits -m t3d -n 2 --json messages.json ./put_accept >messages.table
says "what an ACCEPT waits for until its PUTs are done is derived" eval \
    'grep -q "\"slopes_hold\" : true" messages.json &&
     awk "\$1 == \"ni.latency\" {found = /derived\$/} END {exit !found}" messages.table'

# A request that comes while the thread goes back to sleep waits for that.
"$sidewinder" cc -O2 -o flushed "$here/flushed.c" || exit 1
"$sidewinder" limits -m now -n 3 --set serve.policy=thread --set serve.thread=30us --json messages.json ./flushed \
    >messages.table
says "what a request waits for while a servicing thread goes back to sleep is derived" eval \
    'grep -q "\"slopes_hold\" : true" messages.json &&
     awk "\$1 == \"serve.thread\" {found = /derived\$/} END {exit !found}" messages.table'

# refuses SENTENCE TEXT ARGUMENT...
refuses() {
    local sentence=$1 text=$2 code=0
    shift 2
    "$sidewinder" limits "$@" >out 2>err || code=$?
    code_of_refusal=$code
    says "$sentence" eval '[ $code != 0 ] && grep -q -e "$text" err && [ ! -s out ] && [ "$(wc -l <err)" = 1 ]'
}
refuses "a program is needed" "no program given" -m now -n 4
refuses "a number of ranks is needed" "use -n N" -m now ./halo
refuses "what is better by all of it is refused" "less than 100" -m now -n 4 --by 100 ./halo
refuses "an unknown key is refused" "net.latenzy" -m now -n 4 --set net.latenzy=1us ./halo
says "a refused --set is exit code 2, as run's is" [ $code_of_refusal = 2 ]
refuses "a file of JSON that cannot be written is refused before anything runs" "--json: cannot write no/folder/json" \
    -m now -n 4 --json no/folder/json ./nothing
refuses "and so is a graph" "--graph: cannot write no/folder/graph" -m now -n 4 --graph no/folder/graph ./nothing
mkfifo pipe
refuses "a graph is written to no pipe and no device" "--graph pipe: a graph is written to a regular file only" \
    -m now -n 4 --graph pipe ./halo fence 32 2
code=0
"$sidewinder" run -q -m now -n 4 --graph pipe ./halo fence 32 2 2>err || code=$?
says "nor by a run, and the pipe stays" eval '[ $code = 2 ] && grep -q "regular file only" err && [ -p pipe ]'
code=0
"$sidewinder" limits -m now -n 4 ./nothing >out 2>err || code=$?
says "a program that fails has no limits, and what its run reports is shown" eval '[ $code = 1 ] && [ ! -s out ] &&
    grep -q "the run on now as it is failed (exit code [0-9]*):" err && grep -q "sidewinder run: .*nothing" err'
"$sidewinder" limits -m t3d -n 2 ./halo fence 32 2 >plain
"$sidewinder" limits -m <(cat "$tests/../platforms/t3d.xml") -n 2 ./halo fence 32 2 >piped
says "a machine that comes through a pipe is read once" cmp <(tail -n +2 plain) <(tail -n +2 piped)
finish

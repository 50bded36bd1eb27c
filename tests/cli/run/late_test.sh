# In MPI's own messages and collectives the report names who was late, and where; the critical path goes through them.
. "$(dirname "$0")/../../lib.sh"
build late
source=$here/late.c

line() { grep -n "$1" "$source" | head -n 1 | cut -d: -f1; }
# waits AT RANK TO: is a wait at that line, for that rank, which came to that one, in the JSON?
waits() {
    local at rank to
    at=late.c:$(line "$1") rank=$2 to=late.c:$(line "$3")
    tr -d ' \n' <"$work/json" | tr '{' '\n' |
        grep -q "\"cause\":\"partner\",\"at\":\"$at\",\"other_at\":\"$to\",.*\"worst_rank\":$rank,"
}
# is a wait at that line of no known cause?
unknown() {
    tr -d ' \n' <"$work/json" | tr '{' '\n' | grep -q "\"cause\":\"unknown\",\"at\":\"late.c:$(line "$1")\","
}
# total KEY: the sum of its values in the JSON
total() { "$sidewinder" compare --key "$1" "$work/json" | awk '{ n += $1 } END { printf "%.10g", n }'; }
equal() { awk -v a="$(total "$1")" -v b="$(total "$2")" 'BEGIN { d = a - b; exit !(a > 0 && d < 1e-9 && d > -1e-9) }'; }

# what the waits of a known cause sum to
known() {
    tr -d ' \n' <"$work/json" | tr '{' '\n' | grep '"cause":' | grep -v '"cause":"unknown"' |
        sed 's/.*"wait_s"://; s/,.*//' | awk '{ n += $1 } END { printf "%.9f", n }'
}

for machine in t3d now smp; do
    (cd "$work" && "$sidewinder" run -q -m $machine -n 4 --critical-path --json json --trace trace ./late) ||
        wrong "late runs on $machine"
    says "$machine: a receive waited for its sender" waits 'the receive' 1 'the send '
    says "$machine: a wait for two requests waited for the later message" waits 'the wait' 1 'the late send'
    says "$machine: a sum waited for the last rank" waits 'the sum' 2 'the sum'
    says "$machine: a broadcast waited for its root" waits 'the broadcast' 0 'the broadcast'
    says "$machine: the stretches are the waits" equal 'causes[*].wait_s' 'rank[*].wait_s'
    says "$machine: the critical path is as long as the run" equal 'path[*].time_s' time_s
    says "$machine: pieces of the path in the trace follow each other from the end to the start" eval \
        'awk -F, "/^path/ {if (n++ && \$5 - last > 1e-12) bad++; last = \$4; sum += \$5 - \$4} /^end/ {end = \$3}
                  END {exit !(n && !bad && last == 0 && sum - end < 1e-9 && end - sum < 1e-9)}" "$work/trace"'
    says "$machine: a trace has the stretches of waits" eval \
        '[ "$(awk -F, "/^cause/ {sum += \$4 - \$3} END {printf \"%.9f\", sum}" "$work/trace")" = "$(known)" ]'
done
for machine in now smp clump; do
    (cd "$work" && "$sidewinder" run -q -m $machine -n 4 --critical-path --json json ./late serviced) ||
        wrong "late serviced runs on $machine"
    says "$machine: a barrier waited for the last rank, also where a rank serviced others meanwhile" \
        eval "waits 'the barrier' 2 'the barrier' && ! unknown 'the barrier'"
    says "$machine: the stretches are still the waits" equal 'causes[*].wait_s' 'rank[*].wait_s'
    says "$machine: a link of the path computes, stalls and services no longer than it takes" eval '
        tr -d " \n" <"$work/json" | tr "{" "\n" | grep "\"what\":\"run\"" |
            sed "s/.*\"time_s\"://; s/\"[a-z_]*\"://g; s/}.*//; s/,/ /g" |
            awk "{if (\$2 + \$3 + \$4 > \$1 + 1e-12) bad++; n++} END {exit !(n && !bad)}"'
done
# Messages of calls that are not MPI's collectives: windows of shared memory, SHMALLOC's communicators.
cat >"$work/made.c" <<'C'
#include <mpi.h>
#include <sidewinder.h>
int main(int argc, char **argv)
{
    int rank;
    void *base;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) sw_compute_seconds(1e-3);
    MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win); /* made */
    MPI_Win_free(&win);
    MPI_Finalize();
}
C
"$sidewinder" cc -O2 -g -o "$work/made" "$work/made.c" || exit 1
(cd "$work" && "$sidewinder" run -q -m smp -n 4 --json json ./made) || wrong "made runs"
says "who makes a window of shared memory waits for the last one, and nothing of it is not known" eval '
    tr -d " \n" <"$work/json" | tr "{" "\n" >"$work/rows"
    grep "\"cause\":\"partner\",\"at\":\"made.c:11\"," "$work/rows" | grep -q "\"worst_rank\":0," &&
    ! grep -q "\"cause\":\"unknown\",\"at\":\"made.c:11\"" "$work/rows"'
"$sidewinder" cc -O2 -g -I"$apps" -o "$work/shmalloc" "$apps/halo_shmalloc.c" || exit 1
(cd "$work" && "$sidewinder" run -q -m t3d -n 4 --json json ./shmalloc shmalloc 24 4 >/dev/null) ||
    wrong "shmalloc runs"
says "so it is with a communicator of SHMALLOC" eval '! grep -q "\"cause\" : \"unknown\"" "$work/json"'

# A wait for whichever comes first, a message of MPI's or an operation of a window.
cat >"$work/either.c" <<'C'
#include <mpi.h>
#include <sidewinder.h>
int main(int argc, char **argv)
{
    int rank, at;
    long *base, got = 0, sent = 0;
    MPI_Request request[2];
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    MPI_Get(&got, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
    MPI_Win_flush(1, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Irecv(&sent, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Rget(&got, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win, &request[1]);
        MPI_Waitany(2, request, &at, MPI_STATUS_IGNORE); /* first */
        MPI_Waitany(2, request, &at, MPI_STATUS_IGNORE); /* second */
    } else {
        sw_compute_seconds(1e-3);
        MPI_Send(&sent, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD); /* the message */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
C
"$sidewinder" cc -O2 -g -o "$work/either" "$work/either.c" || exit 1
either() { grep -n "$1" "$work/either.c" | cut -d: -f1; }
for case in 'now first' 't3d second' 'smp second'; do
    read -r machine late <<<"$case"
    (cd "$work" && "$sidewinder" run -q -m "$machine" -n 2 --critical-path --json json ./either) || wrong "either runs"
    says "$machine: a wait for a message or an operation waited for the message's sender, all the time" eval '
        tr -d " \n" <"$work/json" | tr "{" "\n" | grep "\"at\":\"either.c:$(either "/. $late .*/")\"" >"$work/rows"
        [ "$(grep -c "\"wait_s\"" "$work/rows")" -ge 1 ] && ! grep -q "\"cause\":\"\(date\|unknown\)\"" "$work/rows" &&
        grep "\"cause\":\"partner\"" "$work/rows" | grep -q "\"other_at\":\"either.c:$(either "the message")\""'
    says "$machine: no rank slept until a date" eval '! grep -q "\"cause\" : \"date\"" "$work/json"'
    says "$machine: the stretches of such waits are the waits" equal 'causes[*].wait_s' 'rank[*].wait_s'
    says "$machine: and the path through them is as long as the run" equal 'path[*].time_s' time_s
done
finish

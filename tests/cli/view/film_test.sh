#!/bin/bash
# A film shows where the copies of a few bytes are, step by step: a class sees the value go stale.
. "$(dirname "$0")/../../lib.sh"
for app in stale false_sharing word_tearing put_accept_edge; do
    "$sidewinder" cc -O2 -g -o "$work/$app" "$apps/$app.c" -lm || exit 1
done
cd "$work" || exit 1
stale="-q -m t3d -n 2 --set ni.invalidate=none"

# steps TRACE: of each step rank, place, old, values
steps() {
    awk -F, '$1 == "place" {at[$2] = $3} $1 == "step" {print $3 "," at[$5] "," $6 "," $8}' "$1"
}
"$sidewinder" run $stale --json plain.json ./stale >out
"$sidewinder" run $stale --json watched.json --trace w.trace --watch 0:1:0:4 ./stale >out
says "watching changes nothing that is predicted" cmp plain.json watched.json
says "the film has memory, the cache and the write buffer of the owner" \
    grep -qx "film,0,4 bytes at offset 0 of window 0 of rank 1,memory;cache of rank 1;write buffer of rank 1" w.trace
steps w.trace >steps
cat >expected <<'END'
0,stale.c:12,0,00000000 = 0;;
1,stale.c:13,0,00000000 = 0;00000000 = 0;
0,stale.c:18,2,01000000 = 1;00000000 = 0;
1,stale.c:22,2,01000000 = 1;00000000 = 0;
1,stale.c:23,0,01000000 = 1;;
1,stale.c:24,0,01000000 = 1;01000000 = 1;
END
says "the cache keeps the old value until the lock drops its line, and a load of it is old" cmp steps expected
says "the step names who wrote memory" \
    grep -q "Memory now has 01000000 = 1%2C by the MPI_Put of rank 0 at stale.c" w.trace

"$sidewinder" run $stale --view page.html ./stale >out
says "a page of a run with stale loads has their film, of a second run that prints nothing" eval \
    'grep -q "\"films\":\[{\"title\":\"4 bytes at offset 0 of window 0" page.html && [ "$(wc -l <out)" = 3 ]'
cat >late.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, value = 0, wrong = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int step = 1; step <= 330; step++) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        if (rank == 0) MPI_Put(&step, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1 && step < 300) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        wrong += rank == 1 && *(volatile int *)&value != step;
        if (rank == 1 && step < 300) MPI_Win_unlock(1, win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return wrong != 31;
}
END
"$sidewinder" cc -O2 -g -o late late.c || exit 1
"$sidewinder" run -q -m t3d -n 2 --set ni.invalidate=none --trace late.trace ./late >out
found=$(awk -F, '$1 == "stale" {print $3; exit}' late.trace)
"$sidewinder" run -q -m t3d -n 2 --set ni.invalidate=none --trace late.trace --watch "0:1:0:4@${found}s" ./late >out
says "a film of a date has steps before and behind it, however late it is" \
    awk -F, -v found="$found" '$1 == "step" {n++; before += $4 < found; behind += $4 > found}
        END {exit !(found > 0 && n <= 400 && before >= 190 && behind > 20)}' late.trace
says "and says that there were earlier ones" eval \
    '[ "$(grep -c "^step,.*,Earlier steps are left out\. " late.trace)" = 1 ]'
"$sidewinder" run -q -m smp -n 2 --view smp.html ./stale >out
says "a page without stale loads has none" grep -q '"films":\[\]' smp.html

"$sidewinder" run -q -m smp -n 2 --trace fs.trace --watch 0:0:0:8 --watch 0:0:8:8 ./false_sharing >out
awk -F'[,;]' '$1 == "step" {n++; if ($(NF - 1) ~ /M/ && $NF ~ /M/) both++} END {print (n > 20), both + 0}' \
    fs.trace >both
says "on a coherent node a line is in one cache when it is modified" grep -qx "1 0" both
# values of a step: memory, two caches; of a copy the state is in brackets
awk -F'[,;]' '$1 == "step" {
        n = NF - 2
        if ($0 !~ /\([MO]\)/)
            for (i = n + 1; i <= NF; i++) { sub(/ \([ES]\)/, "", $i); if ($i != "" && $i != $n) bad++ }
        else if ($n != last) bad++
        last = $n
    } END {print bad + 0}' <(grep '^step,0,' fs.trace) >bad
says "memory lags behind a modified line, and has what every other copy has" grep -qx 0 bad
says "it goes from cache to cache" eval \
    'grep -c "leaves the cache of rank 0. The line comes into the cache of rank 1" fs.trace >n && [ "$(cat n)" -gt 5 ]'

"$sidewinder" run $stale --trace two.trace --watch 3:0:0:4 --watch 0:1:0:4 ./stale >out 2>err
says "bytes that never came into being are reported, with the names of those that did" \
    grep -qx "sidewinder: --watch: no window 3 of rank 0 had 4 bytes at offset 0; it had window 0 (4 bytes)" err
"$sidewinder" view two.trace -o two.html
says "and those named behind them have their film" \
    grep -q '"films":\[{"title":"4 bytes at offset 0 of window 0' two.html

# refuses SENTENCE TEXT OPTION...
refuses() {
    local sentence=$1 text=$2 code=0
    shift 2
    "$sidewinder" run $stale "$@" ./stale >out 2>err || code=$?
    says "$sentence" eval '[ $code = 2 ] && grep -q -e "$text" err && [ ! -s out ]'
}
# "for stale, false sharing, a MESI ping-pong, word tearing and a PUT/ACCEPT flush alike"
# filmed SENTENCE FILM STEP OPTION...: without being asked, the page has that film, with such a step
filmed() {
    local sentence=$1 film=$2 step=$3
    shift 3
    "$sidewinder" run -q --view auto.html "$@" >out || wrong "the page is made: $*"
    awk '/<script type="application\/json"/ {on = 1; next} /<\/script>/ {on = 0} on' auto.html >auto
    says "$sentence" eval 'sed "s/.*\"films\"://" auto | grep -q "\"title\":\"$film" &&
        sed "s/.*\"films\"://" auto | grep -q -e "$step"'
}
filmed "false sharing has its film: both words of the line that goes back and forth" \
    "16 bytes at offset 0 of window 0 of rank 0" "0300000000000000 = 3 3 (M)" -m smp -n 2 ./false_sharing
says "and is a finding of the page" grep -q '"kind":"sharing".*each rank uses other bytes' auto
cat >ball.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, unit;
    volatile long *ball;
    MPI_Aint size;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&ball, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, (void *)&ball);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 8; i++) {
        if (i % 2 == rank) ++*ball;
        MPI_Win_sync(win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
END
"$sidewinder" cc -O2 -g -o ball ball.c || exit 1
filmed "a ping-pong of MESI has its film: the line goes from cache to cache, modified in one at a time" \
    "8 bytes at offset 0 of window 0 of rank 0" \
    "The cache of rank 1 now has 0800000000000000 = 8 (M)" -m smp -n 2 ./ball
filmed "word tearing has its film: a put takes back what another has put" \
    "2 bytes at offset 0 of get/put window 0 of rank 0" \
    "Memory now has 0003, by the SHM_Put of rank 2" -m t3d -n 3 ./word_tearing 1 1 10
filmed "a flush of PUT/ACCEPT has its film: the line at the range's edge comes back, and goes again" \
    "[0-9]* bytes at offset 0 of range of PA_Iaccept, tag 1 of rank 1" \
    "The line leaves the cache of rank 1" -m t3d -n 2 ./put_accept_edge

for app in put_accept_early halo_put_accept; do
    "$sidewinder" cc -O2 -g -o "$work/$app" "$apps/$app.c" -lm || exit 1
done
filmed "memory that is touched while it is lent has its film" \
    "8 bytes at offset 16 of range of PA_Iaccept, tag 1 of rank 0" "Stores" -m t3d -n 2 ./put_accept_early
"$sidewinder" run -q -m t3d -n 2 --watch "range of PA_Accept, tag 1:0:1312:8" --trace again.trace \
    ./halo_put_accept put_accept 16 6 >out
says "the film of a range goes on each time it is lent" [ "$(grep -c "^step,0,.*Memory now has" again.trace)" -ge 3 ]

refuses "a piece of memory without an offset is refused" "WINDOW:RANK:OFFSET" --trace x --watch 0:1
refuses "more than 64 bytes are refused" "BYTES 1 to 64" --trace x --watch 0:1:0:65
refuses "a film of no date is refused" "@TIME" --trace x --watch 0:1:0:4@soon
refuses "watching needs somewhere to write" "needs --view or --trace" --watch 0:1:0
finish

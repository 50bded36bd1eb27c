# The report begins with what to look at: the line, the rank and the lock are those of the program.
. "$(dirname "$0")/../../lib.sh"
build where
source=$here/where.c

line() { grep -n "$1" "$source" | head -n 1 | cut -d: -f1; }
divide=where.c:$(line 's / 1.0001') add=where.c:$(line 's \* 1.0001') remainders=where.c:$(line '% (i + 7)')
bad=where.c:$(line 'the bad loop') lock=where.c:$(line 'the lock ') fence=where.c:$(line 'the fence ')
request=where.c:$(line 'the request ') barrier=where.c:$(line 'the barrier ')
start=where.c:$(line 'the start ') post=where.c:$(line 'the post ')

# report MACHINE RANKS WHAT [OPTION ...]: the report, spaces folded, in $report; JSON in $work/json.
report() {
    (cd "$work" && "$sidewinder" run -m "$1" -n "$2" "${@:4}" --json json --report report ./where "$3") \
        >"$work/out" 2>&1 ||
        wrong "where $3 runs on $1"
    report=$(tr -s ' \n' ' ' <"$work/report")
}
first() { sed -n '/^What to look at first/,/^$/p' "$work/report" | tr -s ' \n' ' '; }
mentions() { case $2 in *"$1"*) return 0 ;; *) echo "    no '$1' in: $2"; return 1 ;; esac; }

# whole: are the links of the critical path the whole run?
total() { "$sidewinder" compare --key "$1" "$work/json" | awk '{ n += $1 } END { printf "%.10g", n }'; }
whole() {
    awk -v a="$(total time_s)" -v b="$(total 'path[*].time_s')" \
        'BEGIN { d = a - b; exit !(b > 0 && d < 1e-9 && d > -1e-9) }'
}
longest() { sed -n '/^Its longest links/{n;p;}' "$work/report" | tr -s ' '; }

# sums KEY PART: does the sum of the rows' PART equal the sum of the ranks' KEY to a nanosecond?
sums() {
    local ranks rows
    ranks=$("$sidewinder" compare --key "rank[*].$1" "$work/json" | awk '{ n += $1 } END { printf "%.10g", n }')
    rows=$("$sidewinder" compare --key "$2" "$work/json" | awk '{ n += $1 } END { printf "%.10g", n }')
    awk -v a="$ranks" -v b="$rows" 'BEGIN { d = a - b; exit !(d < 1e-9 && d > -1e-9) }' ||
        { echo "    $1 is $ranks, $2 is $rows"; return 1; }
}

sampled "locks, fences and posts on t3d and now"
for machine in t3d now $(thorough && echo smp); do
    report $machine 4 loops
    says "$machine: of a loop that hits and one that misses the report names the second" \
        mentions "was stalls at $bad" "$(first)"
    says "$machine: the waits of the calls are those of the ranks" sums wait_s 'calls[*].wait_s'
    report $machine 4 divide
    says "$machine: of a program that divides the report says where, and what shows its blocks" \
        mentions "was for divisions or square roots at $divide: 'sidewinder blocks where -m $machine' shows" "$(first)"
    report $machine 1 remainders
    says "$machine: so it does of remainders, for each of which the next one waits" \
        mentions "was for divisions or square roots at $remainders: " "$(first)"
    report $machine 1 add
    says "$machine: a program that adds and multiplies computes, and divides nothing" eval '
        mentions "was computation, 100 % at $add: " "$(first)" && ! mentions divisions "$(first)" >/dev/null'
    report $machine 16 lock
    says "$machine: of 16 ranks that fight for a lock the report names the lock" \
        mentions "waiting in MPI_Win_lock at $lock for the lock of rank 0's window 0: the lock was held from $lock" \
        "$(first)"
    says "$machine: one sentence is about that time" eval '[ "$(grep -o "spent waiting" <<<"$(first)" | wc -l)" = 1 ]'
    says "$machine: their waits are those of the ranks" sums wait_s 'calls[*].wait_s'
    says "$machine: each stretch of a wait has one cause: together they are the waits" sums wait_s 'causes[*].wait_s'
    report $machine 4 late
    says "$machine: who is last to a fence is named" \
        mentions "in MPI_Win_fence at $fence: the last to come was rank 1, which had stalled on memory until then." \
        "$(first)"
    says "$machine: the stretches of waits at fences, and in messages, are the waits" sums wait_s 'causes[*].wait_s'
    says "$machine: the slowest rank is who waited least, not who was aligned by MPI_Finalize" \
        mentions "The slowest rank was 1" "$(first)"
    report $machine 4 late --critical-path
    says "$machine: the critical path is as long as the run" whole
    says "$machine: its longest link is what the last rank did between two fences" \
        mentions "twice $fence -> $fence: rank 1," "$(longest)"
    report $machine 16 lock --critical-path
    says "$machine: a critical path through locks is as long as the run" whole
    says "$machine: it goes from unlock to lock" eval 'grep -q "where.c:[0-9]* -> $lock: bytes" "$work/report"'
    report $machine 2 post
    says "$machine: who posts late is named, with the line at which it posts" \
        mentions "in MPI_Win_start at $start: rank 1 came later, to $post, and had computed until then." "$(first)"
    says "$machine: the stretches of waits for a post are the waits" sums wait_s 'causes[*].wait_s'
done
cat >"$work/one.c" <<'C'
#include <mpi.h>
volatile int x;
int main(void) { return MPI_Init(NULL, NULL) + x + MPI_Finalize(); }
C
"$sidewinder" cc -O2 -g -o "$work/one" "$work/one.c"
"$sidewinder" run -m t3d -n 1 "$work/one" >"$work/out" 2>&1
says "of one load that waited the report writes no plural" \
    grep -Eq "1 load waited, [0-9.]+ ns, for data in 'x'\." <(tr -s ' \n' ' ' <"$work/out")
report now 4 put --set serve.policy=polling
says "of a target that computes the report names the line at which it came to service" \
    mentions "serviced by rank 0, which came to $barrier, and had computed until then." "$(first)"
report now 4 put --set serve.policy=polling --critical-path
says "a critical path through servicing is as long as the run" whole
says "the stretches of waits for servicing are the waits" sums wait_s 'causes[*].wait_s'
cat >"$work/behind.c" <<'C'
#include <mpi.h>
#include <sidewinder.h>
int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) sw_compute_seconds(1e-3), MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    sw_compute_seconds(4e-3);
    MPI_Finalize();
}
C
"$sidewinder" cc -O2 -g -o "$work/behind" "$work/behind.c"
"$sidewinder" run -m now -n 2 "$work/behind" 2>&1 | sed -n '/^What to look at first/,/^$/p' >"$work/out"
says "what costs more stands first" eval \
    'sed -n "s/^  - \([0-9.]*\) % of the time.*/\1/p" "$work/out" | sort -c -g -r &&
     grep -c "^  - [0-9.]* % of the time" "$work/out" | grep -qx 2'
sed -i 's/4e-3/0/' "$work/behind.c"
"$sidewinder" cc -O2 -g -o "$work/behind" "$work/behind.c"
"$sidewinder" run -m now -n 4 "$work/behind" 2>&1 | sed -n '/^What to look at first/,/^$/p' |
    tr -s ' \n' ' ' >"$work/out"
says "where all wait for a rank that waited itself, that wait stands there, too" \
    grep -q "in MPI_Barrier .* in MPI_Recv at behind.c:9: rank 1 came later, to behind.c:8, and had computed until" \
    "$work/out"

says "the wait for all names that rank, too, and who came to it last" \
    grep -q "in MPI_Barrier at behind.c:10: .* it had waited for rank 1 itself, which came to behind.c:8\." "$work/out"
cat >"$work/columns.c" <<'C'
#include <mpi.h>
enum { N = 384 };
_Alignas(4096) double a[N][N];
int main(int argc, char **argv)
{
    double sum = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = i;
    for (int round = 0; round < 4; round++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                sum += a[i][j];
    MPI_Finalize();
    return sum < 0;
}
C
"$sidewinder" cc -O2 -g -o "$work/columns" "$work/columns.c"
"$sidewinder" run -m rdma -n 1 "$work/columns" >"$work/report" 2>&1
says "misses that a processor hides are no stalls, but their line is named" \
    mentions "% of them at columns.c:12. Hardly any waited" "$(first)"
"$sidewinder" run -m now -n 1 --set tlb.entries=64 --set tlb.miss=100 "$work/columns" >"$work/report" 2>&1
# a column of 384 rows of 3 KiB lies in 288 pages, more than are at hand: 4 rounds of 384 columns
says "stalls for translations are called that" \
    mentions "Most of it was for translations, 442,368 times: " "$(first)"
"$sidewinder" run -m t3d -n 1 "$work/columns" >"$work/report" 2>&1
says "of loads of which each takes another line it says how far apart they are, and what helps" mentions \
    "They are 3,072 bytes apart, so each takes another line; 100 % of loads there missed all caches. Loops" "$(first)"
cat >"$work/stream.c" <<'C'
#include <mpi.h>
double from[1 << 18], to[1 << 18];
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1 << 18; i++) to[i] = from[i] * 2;
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -g -o "$work/stream" "$work/stream.c"
"$sidewinder" run -m t3d -n 1 "$work/stream" >"$work/report" 2>&1
says "of loads in order that miss all caches, and use whole lines, memory's rate is named" \
    mentions "25 % of loads there missed all caches, in order: memory brings lines more slowly" "$(first)"
"$sidewinder" run -m rdma -n 1 "$work/stream" >"$work/report" 2>&1
says "of few that wait, the others read ahead, no cache is said to have answered most" \
    eval 'mentions "The others there that missed the first level of caches did not wait." "$(first)" &&
    ! mentions "answered by a cache" "$(first)"'
# Columns of 64 rows: a power of two apart they have few sets of a cache, a line more and they have all. Of 2,048 rows
# the cache has not the lines, wherever they lie.
cat >"$work/rows.c" <<'C'
#include <mpi.h>
double a[ROWS][WIDTH], b[ROWS];
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < 64; j++) a[i][j] = i + j;
    for (int round = 0; round < 640 / ROWS + 1; round++)
        for (int j = 0; j < 64; j++)
            for (int i = 0; i < ROWS; i++)
                b[i] += a[i][j];
    MPI_Finalize();
    return b[3] < 0;
}
C
rows() { # rows ROWS WIDTH
    "$sidewinder" cc -O1 -g -DROWS="$1" -DWIDTH="$2" -o "$work/rows" "$work/rows.c" &&
        "$sidewinder" run -m smp -n 1 "$work/rows" >"$work/report" 2>&1
}
rows 64 256
says "loads that drop one another from few sets of a cache are called that" mentions \
    "They are 2,048 bytes apart, so they share 8 of the 512 sets of the first level of caches" "$(first)"
rows 64 260
says "rows that are a line longer do not" eval 'mentions "was stalls at rows.c:11" "$(first)" &&
    ! mentions " sets of " "$(first)" >/dev/null'
rows 2048 256
says "nor do more rows than the cache has lines for" eval 'mentions "was stalls at rows.c:11" "$(first)" &&
    ! mentions " sets of " "$(first)" >/dev/null'
# The same loads and branches, by data in order and in none.
cat >"$work/order.c" <<'C'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
enum { N = 1 << 17 };
int place[N], a[N][8], into[128];
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv)
{
    unsigned x = 0, up = 0, down = 1;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < N; i++) place[i] = (int)((x = x * 1664525 + 1013904223) >> 15);
    for (int i = 0; i < N && !strcmp(argv[1], "walk"); i++)
        up += (unsigned)a[place[i]][0]; /* walk */
    for (int i = 0; i < N && !strcmp(argv[1], "column"); i++)
        up += (unsigned)a[i][0]; /* column */
    for (int i = 0; i < N / 16 && !strcmp(argv[1], "copy"); i++)
        memcpy(into, a[place[i] & (N - 16)], (size_t)argc * 256); /* copy */
    for (int i = 0; i < N && strstr(argv[1], "branch"); i++) {
        const int which = argv[1][0] == 'b' ? place[i] : i;
        if (which < N / 2) { /* branch */
            up += down << 1;
            asm volatile("" : "+r"(up));
        } else {
            down ^= up;
            asm volatile("" : "+r"(down));
        }
    }
    if (!strcmp(argv[1], "qsort")) qsort(place, N / 8, sizeof *place, compare); /* qsort */
    MPI_Finalize();
    return (up ^ down ^ (unsigned)into[3]) & 1;
}
C
"$sidewinder" cc -O2 -g -o "$work/order" "$work/order.c"
order() {
    "$sidewinder" run -m "$1" -n 1 "$work/order" "$2" >"$work/report" 2>&1
    at=order.c:$(grep -n "/\* ${2#sorted } \*/" "$work/order.c" | cut -d: -f1)
}
for machine in t3d smp; do
    order $machine walk
    says "$machine: loads in no order that miss could be sorted, it says" \
        mentions "of loads there missed all caches, in no order: sorted by address" "$(first)"
    order $machine column
    says "$machine: of loads at even distances another layout is advised" \
        mentions "another order or layout may use more of each line" "$(first)"
done
for machine in t3d smp; do
    order $machine copy
    says "$machine: of a copy, which uses whole lines, no other order is advised" eval \
        'mentions "They are a copy'"'"'s, whole lines: " "$(first)" && ! mentions "in no order" "$(first)"'
done
order rdma branch
says "branches that data in no order make go another way than predicted are named" \
    eval 'first | grep -Eq "was for branches at $at that went another way than predicted: [0-9,]+ did, [0-9.]+ ns each"'
order t3d qsort # each call of the comparison goes another way: 4 cycles of 6.67 ns
says "what a library computes is not what its branches take" eval '
    ! first | grep -q "than predicted" || first | grep -q "at $at that went .* did, 26.67 ns each"'
says "a line that computes has so much of the time as no other sentence has" eval '
    first | grep -Eq "was (other )?computation, [0-9]+ % at $at: "'
order rdma "sorted branch"
says "those that go as predicted are not" eval '! first | grep -q "than predicted"'

cat >"$work/stores.c" <<'C'
#include <mpi.h>
static char a[1 << 20];
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1 << 20; i += 64)
        *(TYPE *)(a + i) = 1;
    MPI_Finalize();
    return a[0];
}
C
for stores in "t3d double The write buffer was full (wb.entries=4): " \
    "now double The store buffer was full (mem.store_buffer=8): " \
    "t3d char Each is of less than 4 bytes, and the processor reads memory for the bytes around them first."; do
    read -r machine type words <<<"$stores"
    "$sidewinder" cc -O2 -g "-DTYPE=$type" -o "$work/stores" "$work/stores.c"
    "$sidewinder" run -m $machine -n 1 "$work/stores" >"$work/report" 2>&1
    says "$machine: of stores of a $type that wait it is said for what" \
        mentions "each, for data in 'a'. $words" "$(first)"
done
says "the slowest rank is told by what it did longer than the others" \
    grep -q "The slowest rank was 1: .* and computed for [0-9.]* ms, the others for " "$work/out"

# Seven ranks get from one whose interface sends their bytes one behind the other.
cat >"$work/hot.c" <<'C'
#include <mpi.h>
static double table[4096];
int main(int argc, char **argv)
{
    int rank;
    static double got[4096];
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(table, sizeof table, sizeof *table, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 20 && rank > 0; i++) {
        MPI_Get(got, 4096, MPI_DOUBLE, 0, 0, 4096, MPI_DOUBLE, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
C
"$sidewinder" cc -O2 -g -o "$work/hot" "$work/hot.c"
for machine in now rdma; do
    "$sidewinder" run -m $machine -n 8 --json "$work/json" "$work/hot" >"$work/report" 2>&1
    says "$machine: of one target's interface that all wait for the report says whose bytes it had, and which it is" \
        mentions "MPI_Win_flush at hot.c:14: an interface or a link was busy with bytes of rank" "$(first)"
    says "$machine: and how busy it was" \
        grep -Eq "Busiest was the interface of node 0, sending: >?(9[0-9.]*|100) % of the time" <(first)
    says "$machine: the stretches are the waits" sums wait_s 'causes[*].wait_s'
done

# Puts of a word, each waited for.
cat >"$work/each.c" <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank;
    double *table;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(800, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 100; i++) {
        double word = i;
        MPI_Put(&word, 1, MPI_DOUBLE, !rank, i, 1, MPI_DOUBLE, win);
        MPI_Win_flush(!rank, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
C
"$sidewinder" cc -O2 -g -o "$work/each" "$work/each.c"
"$sidewinder" run -m now -n 2 "$work/each" >"$work/report" 2>&1
says "of many calls that wait for their messages it is said what each waits, and what would wait less" mentions \
    "MPI_Win_flush at each.c:14: bytes, flags and answers were on their way, in 200 calls for " "$(first)"
"$sidewinder" run -m t3d -n 2 "$work/each" >"$work/report" 2>&1
says "where calls themselves take most of the computation, they are named, and no blocks" \
    eval 'first | grep -q "in MPI_[A-Za-z_]* at each.c:1[0-9]: what the call itself takes, .* in each of 200 calls"'

cat >"$work/busy.c" <<'C'
#include <mpi.h>
enum { BYTES = 1 << 20 };
static char from[BYTES];
int main(int argc, char **argv)
{
    int rank, ranks;
    char *to;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &to, &win);
    MPI_Win_fence(0, win);
    if (argv[1][0] == 'p') MPI_Put(from, BYTES, MPI_BYTE, (rank + 1) % ranks, 0, BYTES, MPI_BYTE, win);
    for (int i = 0; i < 20 && argv[1][0] == 'g'; i++) MPI_Get(from, 4096, MPI_BYTE, 0, 0, 4096, MPI_BYTE, win);
    for (int i = 0; i < 300 && argv[1][0] == 'c'; i++)
        MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win), MPI_Win_unlock(rank, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
}
C
"$sidewinder" cc -O2 -g -o "$work/busy" "$work/busy.c"
busy() { "$sidewinder" run -m "$1" -n 6 "$work/busy" "$2" >"$work/report" 2>&1; }
busy now put
says "where bytes are on their way and an interface is busy it is named, and how busy it is" eval \
    'first | grep -q "on their way. Busiest was the interface of node [0-9], [a-z]*: [5-9][0-9] % of the time\."'
busy t3d get
says "so it is where calls stall" eval 'first | grep -Eq \
    "stalls on memory in MPI_Get .* each. Busiest was the interface of node 0, sending: [5-9][0-9] % of the time\."'
busy t3d calls
says "where several calls of a line take most of its computation, they are named, and no blocks" eval \
    'first | grep -q "in MPI calls at busy.c:17: what the calls themselves take, .* in each of 3,60[0-9], in the mean"'

# MPI_Probe of PUT/ACCEPT looks at SimGrid's messages again and again: that is one wait, for whom it waited.
"$sidewinder" cc -O2 -g -o "$work/agent_probe" "$apps/agent_probe.c"
"$sidewinder" run -m t3d -n 4 "$work/agent_probe" 2>&1 | sed -n '/^Why they waited/,/^$/p' >"$work/out"
says "who probes waits for the rank whose request or message comes" eval \
    'grep -q "agent_probe.c:9 .* rank 1 came later, to agent.h:" "$work/out" && ! grep -q "slept" "$work/out"'

# Times of code that was not optimised.
said() { "$sidewinder" run -m smp -n 2 "$work/echo" 2>&1 | grep -c "compiled with -O0"; }
build echo
says "optimised code has no note" [ "$(said)" = 0 ]
optimize=-O0 build echo
says "code that was compiled with -O0 has one, and what to do" [ "$(said)" = 1 ]
finish

#!/bin/bash
# What programs pay for calls of libraries: a token for its own bytes, a list for its lines one after the other, and
# Fortran's formatted WRITE and C++'s streams for what the libraries do.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
# Seconds of a run that one line of its output has.
seconds() { "$sidewinder" run -m rdma -n 1 "$@" 2>err | sed -n 's/^ *seconds= *//p'; }

cat >tokens.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    size_t n = strtoul(argv[1], NULL, 10);
    char *text = malloc(n + 1);
    for (size_t i = 0; i < n; i++) text[i] = i % 8 ? 'a' : ' ';
    text[n] = '\0';
    MPI_Init(&argc, &argv);
    double start = MPI_Wtime();
    long tokens = 0;
    for (char *t = strtok(text, " "); t; t = strtok(NULL, " ")) tokens++;
    printf("seconds=%.9f\n", (MPI_Wtime() - start) / (double)tokens);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 tokens.c -o tokens || wrong "tokens.c is compiled"
short=$(seconds ./tokens 4000) long=$(seconds ./tokens 16000)
says "a token costs the same in a text four times as long ($short s, $long s)" holds "$long < 1.1 * $short"

cat >angles.c <<'C'
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    int both = strcmp(argv[1], "both") == 0;
    MPI_Init(&argc, &argv);
    double start = MPI_Wtime(), sum = 0;
    if (both)      /* a loop each: gcc 14 took the sine out of the two branches of one */
        for (int i = 0; i < 1000; i++) sum += sin(i * 1e-3) * cos(i * 1e-3);
    else
        for (int i = 0; i < 1000; i++) sum += sin(i * 1e-3);
    printf("seconds=%.9f\n", (MPI_Wtime() - start) / 1000);
    MPI_Finalize();
    return sum == 0;
}
C
"$sidewinder" cc -O2 angles.c -o angles -lm || wrong "angles.c is compiled"
one=$(seconds ./angles one) both=$(seconds ./angles both)
says "sine and cosine of one number, which gcc makes one call, cost more than the sine ($one s, $both s)" \
    holds "$both > 1.1 * $one && $both < 2.1 * $one"

cat >throws.cc <<'C'
#include <mpi.h>
#include <cstdio>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double start = MPI_Wtime();
    long caught = 0;
    for (int i = 0; i < 100; i++) {
        try {
            if (i + argc > 0) throw i;
        } catch (int thrown) {
            caught += thrown;
        }
    }
    printf("seconds=%.12f\n", (MPI_Wtime() - start) / 100);
    MPI_Finalize();
    return caught == 0;
}
C
"$sidewinder" c++ -O2 throws.cc -o throws || wrong "throws.cc is compiled"
once=$(seconds ./throws)
says "an exception takes the thousands of instructions of its unwinding ($once s)" holds "$once > 3e-7 && $once < 3e-6"

cat >arrays.f90 <<'F'
program arrays
    use mpi
    integer, parameter :: n = 64
    integer :: ierror, m
    double precision :: start, one(n) = 1
    double precision, allocatable :: a(:, :), b(:, :), c(:, :)
    character(8) :: what
    call MPI_Init(ierror)
    call get_command_argument(1, what)
    m = n
    allocate (a(n, n), b(n, n), c(n, n))
    a = 1.5d0
    b = 2
    c = matmul(a, b)
    start = MPI_Wtime()
    if (what == 'product') c = matmul(a, b)
    if (what == 'spread') c = spread(one(:m), 2, n)
    print '(a,es12.4)', 'seconds=', MPI_Wtime() - start
    call MPI_Finalize(ierror)
    if (c(3, 3) < 0) stop 1
end program
F
"$sidewinder" f90 -O2 arrays.f90 -o arrays || wrong "arrays.f90 is compiled"
product=$(seconds --set cpu.clock=1GHz ./arrays product) copies=$(seconds --set cpu.clock=1GHz ./arrays spread)
says "a product takes the vectors of Fortran's library, half a cycle to one a multiplication ($product s)" \
    holds "$product > 0.4e-9 * 64 ^ 3 && $product < 1e-9 * 64 ^ 3"
says "an array that the library allocates is stored ($copies s)" holds "$copies > 0.1e-9 * 64 ^ 2"

cat >list.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct cell {
    struct cell *next;
    long value, rest[6];
};
__attribute__((noinline)) static long walk(const struct cell *c)
{
    long sum = 0;
    for (; c; c = c->next) sum += c->value;
    return sum;
}
int main(int argc, char **argv)
{
    enum { CELLS = 8192, STEP = 5 * 37 };
    struct cell *cell = aligned_alloc(64, CELLS * sizeof *cell);
    for (long i = 0; i < CELLS; i++)
        cell[i * STEP % CELLS] = (struct cell){i + 1 < CELLS ? &cell[(i + 1) * STEP % CELLS] : NULL, i, {0}};
    long sum = walk(cell);
    MPI_Init(&argc, &argv);
    double start = MPI_Wtime();
    sum += walk(cell);
    printf("seconds=%.12f\nsum=%ld\n", (MPI_Wtime() - start) / CELLS, sum);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 list.c -o list || wrong "list.c is compiled"
hit=$("$sidewinder" machines rdma | awk '/^ *cache.l2.hit_cycles/ {print $2 + 0}')
step=$(seconds --set cpu.clock=1GHz ./list)
says "a list that lies in the second level takes that level's latency an element ($step s, $hit cycles)" \
    holds "${hit:-0} > 5 && $step > 0.95e-9 * $hit"

cat >table.f90 <<'F'
program table
    use mpi
    integer :: i, ierror
    double precision :: start, row(100) = 1.37d0
    open (11, file='/dev/null', form='unformatted')
    open (10, file='/dev/null')
    call MPI_Init(ierror)
    start = MPI_Wtime()
    do i = 1, 100
        write (10, '(i8,f12.4)') i, i * 1.37d0
    end do
    print '(a,es12.4)', 'seconds=', (MPI_Wtime() - start) / 100
    start = MPI_Wtime()
    write (10, '(100f12.4)') row
    print '(a,es12.4)', 'row=', MPI_Wtime() - start
    start = MPI_Wtime()
    write (11) row
    print '(a,es12.4)', 'bytes=', MPI_Wtime() - start
    call MPI_Finalize(ierror)
end program
F
"$sidewinder" f90 -O2 table.f90 -o table || wrong "table.f90 is compiled"
says "a formatted WRITE of two numbers takes some thousand operations" holds "$(seconds ./table) > 100e-9"
"$sidewinder" run -q -m rdma -n 1 ./table >out
ended=$?
says "a program whose library frees large blocks behind the last rank ends well" [ "$ended" = 0 ]
row=$(sed -n 's/^row= *//p' out) bytes=$(sed -n 's/^bytes= *//p' out)
says "one of a row as much for each element ($row s), and an unformatted one does not ($bytes s)" \
    holds "$row > 10e-6 && $bytes < 2e-6"

cat >printed.c <<'C'
#include <mpi.h>
#include <stdio.h>
static double start;
static double taken(void)
{
    double now = MPI_Wtime(), before = start;
    start = now;
    return now - before;
}
int main(int argc, char **argv)
{
    char text[64];
    MPI_Init(&argc, &argv);
    start = MPI_Wtime();
    for (int i = 0; i < 50; i++) snprintf(text, sizeof text, "number\n");
    double plain = taken();
    for (int i = 0; i < 50; i++) snprintf(text, sizeof text, "%6d\n", i);
    double integer = taken();
    for (int i = 0; i < 50; i++) snprintf(text, sizeof text, "%6.3f\n", i / 7.);
    printf("%.4f %.4f\n", integer / plain, taken() / integer);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 printed.c -o printed || wrong "printed.c is compiled"
read -r integer real < <("$sidewinder" run -m rdma -n 1 ./printed 2>err)
says "a number that is printed costs more than a text ($integer), and a real one more than that ($real)" \
    holds "${integer:-0} > 1.3 && ${real:-0} > 2"

cat >stream.cc <<'C'
#include <fstream>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    std::ofstream out("/dev/null");
    MPI_Init(&argc, &argv);
    double start = MPI_Wtime();
    for (int i = 0; i < 100; i++) out << i << ' ' << i * 1.37 << '\n';
    printf("seconds=%.9f\n", (MPI_Wtime() - start) / 100);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" c++ -O2 stream.cc -o stream || wrong "stream.cc is compiled"
says "and a line of a stream hardly less" holds "$(seconds ./stream) > 100e-9"

cat >nodes.cc <<'C'
#include <cassert>
#include <list>
#include <map>
#include <mpi.h>
#include <set>
#include <stdio.h>
#include <stdlib.h>
#include <vector>
/* Black nodes of each path, and no red one below another. */
static int blacks(const std::_Rb_tree_node_base *n)
{
    if (!n) return 0;
    for (const std::_Rb_tree_node_base *child : {n->_M_left, n->_M_right})
        assert(!child || (child->_M_parent == n && (n->_M_color || child->_M_color)));
    assert(blacks(n->_M_left) == blacks(n->_M_right));
    return blacks(n->_M_left) + n->_M_color;
}
static void change(std::set<int> &set, std::vector<char> &in)
{
    for (int i = 0; i < 150; i++) {
        const int key = rand() % 60;
        in[key] ? (void)set.erase(key) : (void)set.insert(key);
        in[key] ^= 1;
        blacks(set.end()._M_node->_M_parent);
        auto up = set.begin();
        auto down = set.rbegin();
        for (int k = 0; k < 60; k++) assert(!in[k] || *up++ == k);
        for (int k = 59; k >= 0; k--) assert(!in[k] || *down++ == k);
        assert(up == set.end() && down == set.rend());
    }
}
int main(int argc, char **argv)
{
    std::set<int> set;
    std::vector<char> in(60);
    for (int i = 0; i < 4; i++) change(set, in);
    std::list<int> list{3, 1, 2}, more{5, 4};
    list.splice(list.begin(), more);
    list.sort();
    list.erase(list.begin());
    for (int x : list) printf("%d ", x);
    std::map<int, int> map;
    for (int i = 0; i < 4000; i++) map[rand()] = i;
    MPI_Init(&argc, &argv);
    double start = MPI_Wtime();
    long sum = 0;
    for (const auto &each : map) sum += each.second;
    printf("\nseconds=%.12f\nsum=%ld\n", (MPI_Wtime() - start) / 4000, sum);
    MPI_Finalize();
}
C
"$sidewinder" c++ -O2 -g nodes.cc -o nodes || wrong "nodes.cc is compiled"
"$sidewinder" run -m rdma -n 1 --set cpu.clock=1GHz ./nodes >out 2>err
says "maps, sets and lists are what they should be" grep -qx '2 3 4 5 ' out
step=$(sed -n 's/^seconds=//p' out)
says "a step through a map loads its nodes, one behind the other ($step s)" holds "$step > 15e-9"
"$sidewinder" run -m t3d -n 1 ./nodes >out 2>err
says "and is named as the library's, which has no file of ours" \
    eval 'grep -q "libstdc++:" err && ! grep -q cplusplus_nodes err'

cat >scatter.c <<'C'
#include <mpi.h>
#include <stdio.h>
enum { MANY = 2000 };
static int same[MANY], apart[MANY];
static double sum[MANY], value[MANY];
__attribute__((noinline)) static double add(const int *row)
{
    double start = MPI_Wtime();
    for (int k = 0; k < MANY; k++) sum[row[k]] += value[k];
    return MPI_Wtime() - start;
}
int main(int argc, char **argv)
{
    for (int i = 0; i < MANY; i++) same[i] = i / 50, apart[i] = i;
    MPI_Init(&argc, &argv);
    add(same), add(apart);
    printf("%.3f\n", add(same) / add(apart));
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 scatter.c -o scatter || wrong "scatter.c is compiled"
times=$("$sidewinder" run -m rdma -n 1 ./scatter 2>err)
says "what is added to one element of an array again and again waits for itself ($times times)" \
    holds "${times:-0} > 3"

"$sidewinder" cc -O2 "$here/fresh.c" -o fresh || wrong "fresh.c is compiled"
eval "$("$sidewinder" run -m rdma --set=page.fault=2us -n 1 ./fresh 2>err)"
says "pages that the system has just given are waited for, not those that glibc keeps ($first, $kept, $mapped us)" \
    holds "$first > 1.9 && $kept < 1 && $mapped > 1.9"
says "so are those that munmap and madvise have given back ($returned us)" holds "$returned > 1.9 && $returned < 3"
says "nor those of a block that grows at the end of the heap ($grown us)" holds "$grown < 1"
eval "$("$sidewinder" run -m rdma -n 1 ./fresh 2>err)"
says "calloc sets a block to 0 that it has kept, not one that is new ($first us a page, then $kept)" \
    holds "$kept > 2 * $first"

"$sidewinder" cc -O2 "$here/copies.c" -o copies || wrong "copies.c is compiled"
eval "$("$sidewinder" run -m rdma -n 1 --set cpu.clock=1GHz --set cpu.library.memcpy=20 ./copies 2>err)"
says "a copy takes the cycles that the machine says, and its first words pass beside them ($few, $some ns)" \
    holds "${few:-0} >= 20 && $few < 23 && $some < 1.05 * $few"
says "long ones take as long as their stores, with loads beside them ($many ns)" \
    holds "${many:-0} > 60 && $many < 140"

"$sidewinder" cc -O2 "$here/helpers.c" -o helpers || wrong "helpers.c is compiled"
helpers() { eval "$("$sidewinder" run -m rdma -n 1 --set cpu.clock=1GHz "$@" ./helpers 2>err)"; }
helpers
says "three operations on numbers of 128 bits in software take more than 60 cycles ($quad)" holds "${quad:-0} > 60"
helpers --set cpu.library.__popcountdi2=41 --set cpu.library.__udivti3=43 --set cpu.library.__addtf3=1047
says "bits are counted, wide numbers divided and added by calls of gcc's library ($bits, $quotient, $quad)" \
    holds "${bits:-0} > 40 && ${quotient:-0} > 42 && ${quad:-0} > 1000"

cat >callee.c <<'C'
__attribute__((noipa)) double scaled(double x, long i) { return x * (double)i + 1.5; }
C
cat >caller.c <<'C'
#include <mpi.h>
#include <stdio.h>
#ifdef TOGETHER
#include "callee.c"
#else
double scaled(double x, long i);
#endif
static double value[2000];
__attribute__((noipa)) static double sum(void)
{
    double all = 0;
    for (long i = 0; i < 2000; i++) all += scaled(value[i], i);
    return all;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double all = sum(), start = MPI_Wtime();
    all += sum();
    printf("seconds=%.12f\n%g\n", (MPI_Wtime() - start) / 2000, all);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 caller.c callee.c -o apart && "$sidewinder" cc -O2 -DTOGETHER caller.c -o together ||
    wrong "caller.c is compiled"
apart=$(seconds ./apart) together=$(seconds ./together)
says "a call of a function of another file costs what one of the same file does ($apart s, $together s)" \
    holds "$apart < 1.05 * ${together:-0}"
finish

#!/bin/bash
# What compiled loops cost, and why: the descriptions of the compiler plugin, priced on three machines.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

cat >kernels.c <<'C'
double dot(const double *a, const double *b, long n)
{
    double s = 0;
    for (long i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
void axpy(double *restrict y, const double *restrict x, double a, long n)
{
    for (long i = 0; i < n; i++) y[i] += a * x[i];
}
double polynomial(const double *c, double x, long n)
{
    double s = 0;
    for (long i = 0; i < n; i++) s = s * x + c[i];
    return s;
}
long scan(const unsigned char *a, long n, int what)
{
    long found = 0;
    for (long i = 0; i < n; i++) found += a[i] == what;
    return found;
}
void divide(double *restrict y, const double *restrict x, double a, long n)
{
    for (long i = 0; i < n; i++) y[i] = a / x[i];
}
unsigned long squares(unsigned long x, long n)
{
    for (long i = 0; i < n; i++) x = x * x % 1000003;
    return x;
}
unsigned long digits(unsigned long x, unsigned long base)
{
    unsigned long n = 0;
    for (; x; x /= base) n++;
    return n;
}
unsigned long fib(int n)
{
    unsigned long a = 0, b = 1;
    for (int i = 0; i < n; i++) {
        unsigned long c = a + b;
        a = b;
        b = c;
    }
    return a;
}
void product(int n, double a[n][n], double b[n][n], double c[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];
}
C
"$sidewinder" cc -O2 -c kernels.c -o kernels.o || exit 1

# price MACHINE FUNCTION [OPTION...]: $cycles and $bound of the function's innermost loop, $chain of its dependences,
# its text in loop. Branches are predicted right.
price() {
    local machine=$1 name=$2
    shift 2
    "$sidewinder" blocks kernels.o -m "$machine" --set cpu.branch_miss=0 "$@" "$name" >said || return 1
    sed -n '/ a loop; bound/,/^  block/p' said >loop
    cycles=$(sed -n 's/.*: \([0-9.]*\) cycles, a loop.*/\1/p' loop)
    bound=$(sed -n 's/.*; bound by //p' loop | head -1)
    chain=$(sed -n 's/.*chain \([0-9.]*\) cycles.*/\1/p' loop | head -1)
}
# costs MACHINE FUNCTION EXPRESSION [OPTION...]: does it hold for c, the cycles, and h, the chain?
costs() {
    local machine=$1 name=$2 expression=$3
    shift 3
    price "$machine" "$name" "$@" && [ -n "$cycles" ] || return 1
    local with=${expression//c/($cycles)}
    holds "${with//h/($chain)}" && return
    echo "    $name on $machine: $cycles cycles, bound by $bound, chain $chain"
    return 1
}
by() { price "$1" "$2" && [[ $bound == $3 ]] || { echo "    $2 on $1: bound by $bound" && false; }; }

for machine in t3d smp rdma; do
    says "a dot product waits for its additions on $machine" by $machine dot chain
    says "they cost it more when they take longer" costs $machine dot 'c >= 30' --set cpu.latency.fp_add=30
    says "a polynomial waits for a multiplication and an addition on $machine" by $machine polynomial chain
    says "whose latencies it is the sum of" costs $machine polynomial 'h == 50' \
        --set cpu.latency.fp_add=20 --set cpu.latency.fp_multiply=30
    # a, b = a + b, a: gcc for Alpha makes copies, too (results/processor, fib_loop: 5.28 cycles). The 21064 starts
    # one integer operation a cycle, the others two and more.
    says "Fibonacci numbers cost an addition, two copies, the counting and the branch, on $machine" \
        costs $machine fib "$([ $machine = t3d ] && echo 'c == 5' || echo 'c <= 3')"
    price $machine dot && dots=$cycles
    price $machine divide && divided=$cycles
    says "a division costs more than a dot product's step on $machine, or as much" holds "$divided >= $dots"
    price $machine digits
    says "and one of integers more again" holds "$cycles > $divided"
    price $machine product
    says "a matrix product's inner loop is one block of two loads and a store on $machine" \
        test "$(grep -c ' load f64' loop) $(grep -c ' store f64' loop) $(grep -c ' fp_' loop)" = "2 1 2"
    price $machine axpy && axpys=$cycles
    says "and costs what a y + a x does" costs $machine product "c == $axpys"
done
says "a remainder by a constant is a product, a shift, a product and a difference, one behind the other" \
    costs rdma squares 'h == 3 + 3 + 1 + 3 + 1' --set cpu.latency.int_multiply=3
says "the 21064 has one divider" costs t3d divide 'c >= 61'
says "a server core divides at the divider's rate" by rdma divide 'unit of fp_divide'
says "and y + a x at its width" by rdma axpy issue
says "no sum is carried from one y + a x to the next" costs rdma axpy 'h <= 1'
# gcc: movzbl, cmp, sete, movzbl, add, add, and cmp with jne: six on four ports, which no assignment uses all.
says "counting bytes is no chain of loads on it" costs rdma scan 'c >= 1.5 && c <= 2.1 && h <= 1'
says "but the 21064 has no loads of bytes" costs t3d scan 'c >= 6'

# ---- languages and levels -------------------------------------------------------------------------

"$sidewinder" cc -O0 -c kernels.c -o plain.o
"$sidewinder" blocks plain.o -m t3d dot >said
says "variables are registers at -O0 too: a dot product has two loads" test "$(grep -c ' load f64' said)" = 2
says "no other access" test "$(grep -cE ' (load|store) ' said)" = 2
says "and a warning" grep -q 'compiled with -O0' said
"$sidewinder" cc -O3 -c kernels.c -o fast.o
says "-O3 describes them all" test "$("$sidewinder" blocks fast.o -m smp | grep -c '^[a-z]')" = 9

cat >one.cc <<'C'
inline __attribute__((noinline)) int shared(int x) { return x * 7; }
static __attribute__((noinline)) int own(int x) { return x / 7; }
int other(int);
int main(int argc, char **) { return shared(argc) + own(argc) + other(argc); }
C
sed -e 's/int main(int argc, char \*\*)/int other(int argc)/' -e 's/ + other(argc)//' one.cc >two.cc
"$sidewinder" c++ -O2 one.cc two.cc -o merged && "$sidewinder" blocks merged -m t3d >said
says "of a function that the linker merges the copy it kept is shown" \
    test "$(grep '^shared' said)" = "shared(int) (one.cc:1)"
says "functions of one name that are two are two" test "$(grep -c '^own(int)' said)" = 2

cat >sweep.f90 <<'F'
subroutine sweep(a, b, n)
    integer :: n, i, j
    real(8) :: a(n, n), b(n, n)
    do j = 2, n - 1
        do i = 2, n - 1
            b(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
        end do
    end do
end subroutine
F
"$sidewinder" f90 -O2 -c sweep.f90 -o sweep.o &&
    "$sidewinder" blocks sweep.o -m t3d sweep_ | sed -n '/ a loop;/,/^  block/p' >said
says "Fortran's inner loops are blocks" test "$(grep -c ' load f64' said) $(grep -c ' fp_add' said)" = "4 3"

# ---- what is not plain arithmetic -----------------------------------------------------------------

cat >odd.c <<'C'
#include <math.h>
#include <setjmp.h>
struct bits { unsigned a : 3, b : 7, c : 22; };
struct six { double v[6]; };
void put(struct bits *p, unsigned v) { p->b = v; }
void copy(struct six *to, const struct six *from) { *to = *from; }
long add(long *p, long v)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
}
int count(unsigned long x) { return __builtin_popcountl(x); }
double root(double x) { return sqrt(x) + sin(x); }
double lower(double x) { return floor(x); }
double whole(double x) { return trunc(x); }
double nearest(double x) { return rint(x); }
void named(void) __asm__("another");
void named(void) {}
jmp_buf env;
int again(void) { volatile int n = 0; if (setjmp(env) == 0) n++; return n; }
int interpret(const unsigned char *code, int x)
{
    static const void *const at[] = {&&add, &&multiply, &&end};
    goto *at[*code++];
add: x += 3; goto *at[*code++];
multiply: x *= 5; goto *at[*code++];
end: return x;
}
void forever(void) { for (;;) ; }
int assembly(int x) { __asm__("addl $1, %0" : "+r"(x)); return x; }
C
"$sidewinder" cc -O2 -c odd.c -o odd.o || exit 1
classes() {
    "$sidewinder" blocks odd.o -m rdma "$1" |
        awk '$1 ~ /^[0-9]+$/ {for (i = 2; $i !~ /^[a-z]/; i++) ; printf "%s ", $i}'
}
is() { local said; said=$(classes "$1") && [ "$said" = "$2 " ] || { echo "    $1: $said" && false; }; }
says "a bit-field is put between its neighbours" is put 'load shift store return'
says "a structure is copied in pieces, each loaded before it is stored" \
    is copy 'load load load store store store return'
says "fences and atomic operations end blocks" is add 'atomic atomic return'
says "what gcc has no instruction for is a call of its library" is count 'call return'
says "a number is rounded down by way of an integer, corrected, and gets its sign back" is lower \
    'fp_move fp_compare convert convert fp_add fp_move fp_add fp_move fp_move return'
says "towards 0 it needs no correction" is whole 'fp_move fp_compare convert convert fp_move fp_move return'
says "to the nearest by two additions" is nearest 'fp_move fp_compare fp_add fp_add fp_move fp_move return'
"$sidewinder" cc -O2 -mpopcnt -msse4.1 -c odd.c -o odd.o || exit 1
says "what it has one for is none" is count 'shift return'
says "SSE4.1 has one that rounds" is lower 'fp_add return'
says "a library function is one by its name" eval '"$sidewinder" blocks odd.o -m rdma root | grep -q "call f64 sin "'
says "an assembler's name is as it is" is another return
says "setjmp is a call" eval 'classes again | grep -q call'
says "a computed goto is a switch" eval 'classes interpret | grep -q switch'
says "a loop without code has blocks" eval '"$sidewinder" blocks odd.o -m rdma forever | grep -q "in a loop\|, a loop"'
says "inline assembly ends a block" is assembly 'asm return'

# Nobody else changes a pointer that MPI_Win_allocate gave, or what a call that blocks has sent.
cat >moved.c <<'C'
#include <mpi.h>
double moved(int uses)
{
    double *window, sum = 0;
    int n;
    MPI_Win win;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Win_allocate(n * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    for (int use = 0; use < uses; use++)
        for (int i = 0; i < n; i++) sum += window[i];
    MPI_Win_free(&win);
    return sum;
}
C
"$sidewinder" cc -O2 -c moved.c -o moved.o || wrong "moved.c is compiled"
says "what nobody else may change moves out of a loop, as natively" eval '
    test "$("$sidewinder" blocks moved.o -m t3d moved | sed -n "/a loop;/,/branch/p" | grep -c " load ")" = 1'

blocks=$(thorough && echo 4000 || echo 1500)
{
    echo 'int huge(int x) {'
    for i in $(seq $blocks); do echo "if (x & $i) x = x * 3 + $i;"; done
    echo 'return x; }'
} >huge.c
says "a function of thousands of blocks has them all" eval '"$sidewinder" cc -O1 -c huge.c -o huge.o &&
    test "$("$sidewinder" blocks huge.o -m t3d huge | grep -c "^  block")" -ge $blocks'
finish

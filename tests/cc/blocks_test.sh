#!/bin/bash
# Objects describe their blocks, whatever becomes of them on the way into a program.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
blocks() { "$sidewinder" blocks "$@" -m t3d >said 2>err; }
has() { blocks "$1" && grep -q "^$2 (" said; }
hasnt() { blocks "$1" && ! grep -q "^$2 (" said; }

cat >dot.c <<'C'
double dot(const double *a, const double *b, long n)
{
    double s = 0;
    for (long i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
C
cat >main.c <<'C'
#include <stdio.h>
double dot(const double *a, const double *b, long n);
int main(void)
{
    static double a[9];
    printf("%g\n", dot(a, a, 9));
    return 0;
}
C
for level in -O0 -O1 -O2 -O3 -Os; do
    says "a program compiled with $level has descriptions" bash -c "'$sidewinder' cc $level -g dot.c main.c -o dot"
    says "of both its files" eval 'has dot dot && grep -q "^dot (.*dot.c:[12])" said && has dot main'
done
"$sidewinder" cc -O2 -g dot.c main.c -o dot
blocks dot dot
says "the sum's loop is one block" grep -q 'block [0-9]*: .* a loop' said
says "bound by the chain of its additions" grep -q 'a loop; bound by chain' said
says "its lines are the source's" grep -Eq ' 5  fp_add f64' said
says "two loads a pass" test "$(sed -n '/a loop;/,/^  block/p' said | grep -c ' load f64')" = 2
says "it costs between the 6 cycles of an addition and the 12 that gcc's tables give" \
    eval 'holds "$(sed -n "s/.*: \([0-9.]*\) cycles.*a loop.*/\1/p" said) >= 6 &&
        $(sed -n "s/.*: \([0-9.]*\) cycles.*a loop.*/\1/p" said) <= 12"'

# What a function's instrumentation takes the address of is as private as before in the next one.
cat >static.c <<'C'
#include <stdlib.h>
static unsigned char *from, *to;
void get(int n) { from = calloc(n, 1), to = calloc(n, 1); }
void half(int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] >> 1;
}
C
"$sidewinder" cc -O2 -c static.c && blocks static.o half
says "a static pointer is loaded once, ahead of the loop that stores through it" \
    test "$(sed -n '/a loop;/,/^  block/p' said | grep -c ' load i64')" = 0

# What gcc makes loads and stores of is no call: how many bytes, on x86 for speed.
cat >pieces.c <<'C'
#include <string.h>
void copy40(char *to, const char *from) { memcpy(to, from, 40); }
void clear40(char *to) { memset(to, 0, 40); }
void copy200(char *to, const char *from) { memcpy(to, from, 200); }
void clear90(char *to) { memset(to, 0, 90); }
C
"$sidewinder" cc -O2 -c pieces.c
blocks pieces.o copy40
says "a copy of 40 bytes is three loads and three stores" \
    eval 'test "$(grep -c " load i64" said) $(grep -c " store i64" said) $(grep -c call said)" = "3 3 0"'
blocks pieces.o clear40
says "a clearing of 40 bytes is three stores" \
    eval 'test "$(grep -c " store i64" said) $(grep -c call said)" = "3 0"'
for f in copy200 clear90; do
    blocks pieces.o $f
    says "$f is a call" grep -q "call i64 mem" said
done
"$sidewinder" cc -Os -c pieces.c && blocks pieces.o copy40
says "where code is to be small a copy is a call" grep -q "call i64 memcpy" said

# gcc makes no conditional move of this one: both ways lead to the end of the round.
cat >least.c <<'C'
long least(const double *a, long n)
{
    double least = 1e9;
    long at = 0;
    for (long i = 0; i < n; i++)
        if (a[i] <= least)
            least = a[i], at = i;
    return at;
}
C
"$sidewinder" cc -O2 -c least.c && blocks least.o least
says "a branch whose ways meet at once is predicted while the program runs" \
    eval '! grep -q "as often as guessed" said && grep -q "its branch is predicted during the run" said'

# a and the first call's result live across the second call, n across none.
cat >saves.c <<'C'
long g(long);
long f(long a, long n)
{
    if (n == 0) return a;
    return g(n) * g(a) + a;
}
C
"$sidewinder" cc -O2 -c saves.c
"$sidewinder" blocks saves.o -m rdma f >said
says "a function saves what lives across its calls, where it is certain to call" \
    eval 'test "$(grep -c " save " said)" = 1 && grep -Eq "^ +[0-9]+ +[0-9]+ +4 .* save " said &&
        test "$(sed -n "/ block 0:/,/ block 1:/p" said | grep -c " save ")" = 0'

# As without the plugin: gcc's loop for a function that ends with a call of itself.
cat >last.c <<'C'
int count(int n, int so_far) { return n == 0 ? so_far : count(n & (n - 1), so_far + 1); }
C
"$sidewinder" cc -O2 -c last.c && blocks last.o count
says "a function that ends with a call of itself is a loop" \
    eval '! grep -q " call " said && grep -q "a loop" said'

"$sidewinder" cc -O2 -c dot.c main.c
ar rcs libdot.a dot.o
"$sidewinder" cc main.o -L. -ldot -o archived
says "after ar" has archived dot
"$sidewinder" cc -r dot.o main.o -o both.o && "$sidewinder" cc both.o -o partial
says "after ld -r" eval 'has partial dot && has partial main'
cp dot stripped && strip stripped
says "after strip" has stripped dot
"$sidewinder" cc -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections dot.c main.c -o collected
says "after --gc-sections" has collected dot
"$sidewinder" cc -O2 -shared -fPIC dot.c -o libdot.so
says "in a shared library" has libdot.so dot
mkdir -p one two && cp dot.c one/same.c && sed 's/dot/tod/' dot.c >two/same.c
"$sidewinder" cc -O2 -c one/same.c -o one/same.o && "$sidewinder" cc -O2 -c two/same.c -o two/same.o
"$sidewinder" cc main.o one/same.o two/same.o -o twins
says "of two objects of one name" eval 'has twins dot && has twins tod'
gcc -fPIC -O2 -c dot.c -o foreign.o
"$sidewinder" cc main.o foreign.o -o mixed 2>err
says "not of what others compiled" hasnt mixed dot

cat >sum.cc <<'END'
#include <vector>
#include <numeric>
double sum(const std::vector<double> &v)
{ try { return std::accumulate(v.begin(), v.end(), 0.0); } catch (...) { return 1; } }
int main() { return (int)sum(std::vector<double>(9, 0.0)); }
END
says "C++ has them" eval '"$sidewinder" c++ -O2 sum.cc -o sum && has sum main'
printf '      %s\n' 'SUBROUTINE ADD(A, N)' 'REAL*8 A(N)' 'DO I = 1, N' 'A(I) = A(I) + 1' 'END DO' 'END' \
    'PROGRAM P' 'REAL*8 A(9)' 'A = 0' 'CALL ADD(A, 9)' 'END' >add.f
says "and Fortran" eval '"$sidewinder" f77 -O2 add.f -o add && has add add_'
cat >relax.c <<'C'
void relax(double *a, long n)
{
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++)
            a[i * n + j] = 0.25 * (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
}
void apart(double *a, const double *b, long n)
{
    for (long i = 0; i < n; i++) a[i] = 0.25 * (b[i] + b[i + 1] + b[i + 2] + b[i + 3]);
}
C
"$sidewinder" cc -O2 -g -c relax.c
says "a load that reads what the iteration before has stored names that store" \
    eval '"$sidewinder" blocks relax.o -m rdma relax >said && grep -q "load f64 .* ([0-9]*)$" said'
says "and waits for it: rdma adds, multiplies and forwards 21 cycles an element" \
    grep -q 'block [0-9]*: 21.00 cycles' said
says "one of another array does not" \
    eval '"$sidewinder" blocks relax.o -m rdma apart >said && ! grep -q "load f64 .* ([0-9]*)$" said'
cat >kept.c <<'C'
long search(const long *a, long n, long wanted)
{
    long low = 0, high = n;
    while (low < high) {
        long middle = (low + high) / 2;
        if (a[middle] < wanted) {
            low = middle + 1;
            __asm__ volatile("" : "+r"(low));
        } else
            high = middle;
    }
    return low;
}
C
"$sidewinder" cc -O2 -g -c kept.c && "$sidewinder" blocks kept.o -m rdma search >said
says "what inline assembly makes is made of its inputs" grep -Eq " asm i64 +[.]0\$" said
says "so a search's next address waits for no load" grep -Eq "^ +4 +0 +1 +[0-9]+ +6 +load s64" said

# gcc's own code for x86-64: movups four times; shl, add, movzbl; comisd, cmova; and, cmovne; add, cmovs.
cat >shapes.c <<'C'
struct particle { double at[8]; };
void copy(struct particle *to, const struct particle *from, long n)
{
    for (long i = 0; i < n; i++) to[i] = from[i];
}
static unsigned char next[16][256];
unsigned automaton(const unsigned char *text, long n)
{
    unsigned state = next[1][2];
    for (long i = 0; i < n; i++) state = next[state][text[i]];
    return state;
}
void learn(unsigned a, unsigned b, unsigned char c) { next[a][b] = c; }
long least(const double *a, long n)
{
    long k = 0;
    for (long i = 1; i < n; i++)
        if (a[i] < a[k]) k = i;
    return k;
}
long odd(const long *a, long n)
{
    long s = 0;
    for (long i = 0; i < n; i++) s = a[i] & 2 ? s + a[i] : s - a[i];
    return s;
}
long rising(const long *a, long n)
{
    long s = 0;
    for (long i = 0; i < n; i++) {
        s += a[i];
        if (s < 0) s = 0;
    }
    return s;
}
C
"$sidewinder" cc -O2 -g -c shapes.c
shape() { "$sidewinder" blocks shapes.o -m "$1" "$2" | sed -n '/a loop[;,]/,/^  block/p'; }
shape rdma copy >said
says "a structure is copied as wide as gcc copies" eval 'test "$(grep -c " load i64 x2 " said)" = 4 &&
    test "$(grep -c " store i64 x2 " said)" = 4'
shape rdma automaton >said
says "an index of an array of arrays is multiplied and added before the load" \
    eval 'grep -q " shift i64 .*#5$" said &&
        grep -Eq "^ +[0-9]+ +[0-9]+ +1 +[0-9]+ .* load i8 +_ [.][0-9]+ [.][0-9]+" said &&
        grep -q " add i64 " said'
shape rdma least >said
says "an index that is counted as one type and used as another is chosen once" \
    eval 'test "$(grep -c " select " said)" = 1 && test "$(grep -c " branch " said)" = 1'
shape rdma odd >said
says "what masks is tested as it is made" eval 'grep -q " select " said &&
    ! grep -Eq "^ +[0-9]+ +[0-9]+ +1 .* compare" said'
shape rdma rising >said
says "so is what adds, and a minimum with 0 is one operation" grep -Eq '^ +[0-9]+ +[0-9]+ +1 .* minimum ' said
cat >list.c <<'C'
struct item { struct item *next; };
long length(const struct item *i)
{
    long n = 0;
    for (; i; i = i->next) n++;
    return n;
}
C
"$sidewinder" cc -O2 -g -c list.c
says "a pointer is compared with 0 by its branch: beq of the 21064" \
    eval '"$sidewinder" blocks list.o -m t3d length >said && ! grep -Eq "^ +[0-9]+ +[0-9]+ +1 .* compare" said'
finish

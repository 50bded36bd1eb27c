#!/bin/bash
# sidewinder cc is a drop-in for gcc: arguments, files, exit codes, messages.
. "$(dirname "$0")/../lib.sh"
cc() { "$sidewinder" cc "$@"; }
cxx() { "$sidewinder" c++ "$@"; }
fails() { ! "$@" >"$work/said" 2>&1; }
quiet() { "$@" >"$work/said" 2>&1 && [ ! -s "$work/said" ]; }
prints() { [ "$("${@:2}" 2>"$work/err")" = "$1" ]; }
contains() { grep -q -e "$2" "$1"; }
cd "$work"

cat >one.c <<'C'
#include "two.h"
#include <stdio.h>
int main(int argc, char **argv) { printf("%d %s\n", two(), argc > 1 ? argv[1] : "-"); return 7; }
C
echo 'int two(void);' >two.h
printf '#include "two.h"\nint counter;\nint two(void) { return ++counter + ANSWER; }\n' >two.c
echo 'int undefined_anywhere(void); int main(void) { return undefined_anywhere(); }' >undefined.c
echo 'int main(void) { return 0 }' >wrong.c

# ---- one call, several files ----
says "several sources, no -o: a.out" quiet cc -DANSWER=41 one.c two.c
says "a.out starts natively, with its argument" prints "42 x" ./a.out x
./a.out >said; says "and with its exit code" test $? = 7
says "no object is left where the sources are" test -z "$(ls ./*.o 2>/dev/null)"
says "-c of several files" quiet cc -c -DANSWER=41 -O3 one.c two.c
says "objects are linked with -o joined" quiet cc one.o two.o -oprog
says "the program runs" prints "42 -" ./prog
says "a source and an object" quiet cc one.c two.o -o mixed
says "the mixture runs" prints "42 -" ./mixed
says "-x c from standard input" quiet cc -DANSWER=0 -x c - -o from_stdin < <(cat two.c; grep -v include one.c |
    sed 's/.*/#include <stdio.h>\n&/')
says "which runs" prints "1 -" ./from_stdin
printf -- '-DANSWER=9 one.c\n"two.c" -o "with space"\n' >words
says "@file" quiet cc @words
says "which runs" prints "10 -" "./with space"
for level in -O0 -O1 -O2 -O3 -Os; do
    says "$level" quiet cc $level -Wall -Wextra -DANSWER=1 one.c two.c -o level
    says "$level runs" prints "2 -" ./level
done

# ---- archives and libraries ----
ar rcs libtwo.a two.o
says "a static archive by -l" quiet cc one.o -L. -ltwo -o archived
says "which runs" prints "42 -" ./archived
says "a static archive by name" quiet cc one.o libtwo.a -o archived
says "-shared makes a library" quiet cc -shared -fPIC -DANSWER=41 two.c -o libtwo.so
says "which is no program to sidewinder run" fails "$sidewinder" run -m smp -n 1 ./libtwo.so
says "a program that uses it" quiet cc one.o -L. -l:libtwo.so -Wl,-rpath,"$work" -o dynamic
says "runs natively" prints "42 -" ./dynamic
says "runs simulated" prints "42 -" "$sidewinder" run -q -m smp -n 1 ./dynamic
says "and its loads and stores in there are counted" test \
    "$(cd /; "$sidewinder" run -q -m smp -n 1 --json "$work/json" "$work/dynamic" >"$work/out"
       json 'rank[0].cache[0].stores')" -gt 0
says "a program that looks for it beside itself" quiet cc one.o -L. -l:libtwo.so '-Wl,-rpath,$ORIGIN' -o beside
says "runs natively, too" prints "42 -" ./beside
says "and simulated, though the ranks' copies lie elsewhere" prints "42 -" \
    "$sidewinder" run -q -m smp -n 1 ./beside
says "-r links objects into one" quiet cc -r one.o two.o -o both.o
says "which is linked" quiet cc both.o -o both

cp two.c input.c
says "-o over a source is refused" fails cc one.c input.c -o ./input.c
says "and over an object" fails cc one.o two.o -o two.o
says "and both are as they were" eval 'cmp two.c input.c && quiet cc one.o two.o -o both'

# ---- stages ----
says "-E preprocesses, and the detector is not defined" test -z "$(cc -E -dM one.c | grep SANITIZE_THREAD)"
says "-E finds mpi.h" bash -c "echo '#include <mpi.h>' | '$sidewinder' cc -E - | grep -q MPI_Win_create"
says "-S has hooks" bash -c "'$sidewinder' cc -S -DANSWER=1 two.c -o - | grep -q __sw_store"
says "-fsyntax-only" quiet cc -fsyntax-only one.c
says "-M names the headers" contains <(cc -M one.c) 'two\.h'
says "-MM leaves the system's out" fails contains <(cc -MM one.c) 'stdio\.h'
rm -f ./*.d
says "-MMD -c writes the file beside the object" bash -c "'$sidewinder' cc -MMD -c one.c &&
    grep -q '^one.o: one.c two.h' one.d"
says "-MD -MF -MT" bash -c "'$sidewinder' cc -MD -MF deps -MT goal -c one.c && grep -q '^goal: one.c' deps"
for words in "-MMD one.c two.o -o prog" "-MMD one.c two.o" "-MMD -MF named.d one.c two.o -o prog"; do
    rm -f ./*.d
    gcc $words 2>said; grep . /dev/null ./*.d | sort >wanted
    rm -f ./*.d
    cc $words 2>said; grep . /dev/null ./*.d | sort >got
    says "$words writes what gcc writes" cmp -s wanted got
done
says "-g puts lines in, and so does no -g" test \
    "$(for g in -g ''; do cc $g -DANSWER=1 -c two.c; readelf -S two.o | grep -c ' .debug_line '; done | tr '\n' ' ')" \
    = "1 1 "

# ---- telling ----
says "--version is gcc's" prints "$(gcc --version)" cc --version
says "-dumpmachine is gcc's" prints "$(gcc -dumpmachine)" cc -dumpmachine
says "-print-file-name is gcc's" prints "$(gcc -print-file-name=libc.so)" cc -print-file-name=libc.so
says "c++ --version is g++'s" prints "$(g++ --version)" cxx --version
says "-v alone" contains <(cc -v 2>&1) 'gcc version'
cc -v one.o libtwo.a -o prog >said 2>&1
says "-v with a link shows the linker's line" contains said collect2
says "--help is ours" contains <(cc --help) 'sidewinder cc'

# ---- refusing ----
says "an undefined function fails the link" fails cc undefined.c -o undefined
says "and says so" contains said 'undefined reference to .undefined_anywhere'
says "a syntax error fails" fails cc -c wrong.c
says "with gcc's message" contains said 'wrong.c:1:.*expected .;.'
cc -c wrong.c 2>said; ours=$?; gcc -c wrong.c 2>said
says "and gcc's exit code" test $ours = $?
says "no file fails" fails cc
says "an unknown option fails with gcc's message" bash -c "! '$sidewinder' cc --not-an-option one.c 2>said &&
    grep -q not-an-option said"
says "a missing file fails" fails cc missing.c
says "one bad source of two: nothing is linked" bash -c "rm -f prog;
    ! '$sidewinder' cc wrong.c two.c -o prog 2>said && [ ! -e prog ]"
cc --dialect nonsense -c one.c 2>said
says "an unknown dialect is refused" test $? = 2
says "naming what is accepted" contains said 'accepted:.* mpi'
cc --dialect 2>said
says "a dialect without a name too" test $? = 2
says "--dialect mpi" quiet cc --dialect mpi -c one.c
says "--dialect=mpi" quiet cc --dialect=mpi -c one.c
says "--dialect behind the source" quiet cc -O2 -c one.c --dialect mpi
says "... and a program that needs it" quiet cc -std=gnu89 -c "$tests/programs/shmalloc/shmalloc_example.c" -o \
    example.o --dialect shmalloc
says "an option's argument is not taken for one of ours" \
    eval 'quiet cc -c one.c -MD -MT --dialect -MF deps && grep -q "^--dialect:" deps'
mkdir with without
(cd with && "$sidewinder" cc --coverage -save-temps -DANSWER=1 ../one.c ../two.c -o both; ./both; ls ../with) >ours \
    2>said
(cd without && gcc --coverage -save-temps -DANSWER=1 ../one.c ../two.c -o both; ./both; ls ../without) >gccs 2>said
says "--coverage and -save-temps leave gcc's files, where gcc leaves them" \
    test "$(grep -E 'gcno|gcda|\.i$' ours)" = "$(grep -E 'gcno|gcda|\.i$' gccs)" -a -s gccs
says "-fsanitize=address is refused" fails cc -fsanitize=undefined,address one.c two.c
says "with what does its work here" contains said 'cc: -fsanitize=undefined,address: .*--check-memory'
says "-m32 is refused" fails cc -m32 -c two.c
says "with the reason" contains said 'cc: -m32: .*64 bits'
says "a compiler that is not there" fails env SIDEWINDER_CC=no-such-gcc "$sidewinder" cc -c one.c
says "SIDEWINDER_CC may have words" quiet env SIDEWINDER_CC="gcc -DANSWER=5" "$sidewinder" cc one.c two.c -o five
says "which count" prints "6 -" ./five

# ---- objects that are not ours ----
gcc -fPIC -DANSWER=41 -c two.c -o foreign.o
rm -f libforeign.a; ar rcs libforeign.a foreign.o
printf 'int table[3] = {1, 2, 3};\n' >data.c; gcc -fPIC -c data.c
cc one.o foreign.o data.o -o foreign 2>said
says "an uninstrumented object is not fatal" test $? = 0
says "noted once" test "$(grep -c 'foreign.o is not instrumented' said)" = 1
says "and data alone is not" fails contains said 'data.o'
says "the program runs" prints "42 -" ./foreign
cc one.o libforeign.a -o foreign 2>said
says "a member of an archive is noted" contains said 'libforeign.a(foreign.o) is not instrumented'
cc one.o libtwo.a -L. -o prog 2>said
says "what is ours is not" test ! -s said
run smp 1 foreign
says "a run's JSON lists it" contains json '"libforeign.a(foreign.o)"'
strip foreign
run smp 1 foreign
says "after strip too" contains json '"libforeign.a(foreign.o)"'

# ---- C++ ----
cat >plus.cc <<'C'
#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
#ifndef PLAIN
#include <mpi.h>
#endif
struct base { virtual int f() { return 1; } virtual ~base() {} };
struct derived : base { std::string text = "a string too long to be stored in place"; int f() override { return
    (int)text.size(); } };
inline int &shared_by_units() { static int n; return n; }
int main(int argc, char **argv)
{
    int rank = 0;
#ifndef PLAIN
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
    shared_by_units() += 1;
#ifndef PLAIN
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    std::vector<std::string> words;
    for (int i = 0; i < 200; i++) words.push_back(std::to_string(i * 7919 % 1000) + std::string(i, 'x'));
    std::sort(words.begin(), words.end());
    std::map<int, std::string> map;
    for (int i = 0; i < 100; i++) map[i % 17] += words[i];
    std::ostringstream out;
    for (auto &p : map) out << p.first << p.second.size();
    base *b = new derived;
    int caught = 0;
    try { throw std::runtime_error(out.str()); } catch (const std::exception &e) { caught =
        (int)std::string(e.what()).size(); }
    if (rank == 0) std::cout << b->f() << ' ' << caught << ' ' << shared_by_units() << std::endl;
    delete b;
#ifndef PLAIN
    MPI_Finalize();
#endif
}
C
g++ -std=c++17 -DPLAIN plus.cc -o plus_plain
sampled "C++ with -O0 and -O2"
for level in -O0 -O2 $(thorough && echo -O3); do
    says "C++ with $level" quiet cxx -std=c++17 $level plus.cc -o plus
    says "runs on two ranks, each with variables of its own" prints "$(./plus_plain)" "$sidewinder" run -q -m smp -n 2 \
        ./plus
done
echo 'int main() { return 0; }' >plain.cpp
says "cc compiles C++ by its name and c++ C++ by its nature" bash -c "'$sidewinder' cc -c plain.cpp &&
    '$sidewinder' c++ plain.o -o plain && ./plain"
says "nothing is left in TMPDIR" test -z "$(ls -d "${TMPDIR:-/tmp}"/sidewinder-cc-* 2>/dev/null)"
echo 'int same(int x) { return x; }' >"$work/none.c"
"$sidewinder" cc -O2 -c "$work/none.c" -o "$work/none.o" >"$work/out" 2>&1
says "code without loads and stores is compiled without a word" [ ! -s "$work/out" ]
finish

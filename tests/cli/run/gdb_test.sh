#!/bin/bash
# `sidewinder run --debugger` runs everything under a command, `sidewinder gdb` stops in the program.
. "$(dirname "$0")/../../lib.sh"
cp "$apps/stale.c" "$work" && cd "$work" && "$sidewinder" cc -O0 -g -o stale stale.c || exit 1
"$sidewinder" run -q -m t3d -n 2 ./stale >expected 2>&1
says "under env the run is the run" eval '"$sidewinder" run -q -m t3d -n 2 --debugger "env A=1" ./stale >out 2>&1 &&
    cmp expected out'
says "a debugger that is not there is refused" eval '! "$sidewinder" run -m t3d -n 2 --debugger no_such ./stale 2>err &&
    grep -q -- "--debugger no_such: not found in PATH" err'
says "gdb that is not there is named with its package" eval '! PATH=$work "$sidewinder" gdb -m t3d -n 2 ./stale 2>err &&
    grep -q "gdb: not found in PATH (Debian: gdb)" err'
command -v gdb >/dev/null || { echo "skipped: there is no gdb"; finish; }
file=$(realpath "$(dirname "$sidewinder")/../share/sidewinder/sidewinder.gdb")
if ! gdb -q -batch -ex start --args /bin/true >gdb.out 2>&1 || grep -q ptrace gdb.out; then
    echo "skipped: gdb cannot start a program here"
    finish
fi
timeout 600 "$sidewinder" run -q -m t3d -n 2 --debugger "gdb -q -batch -x '$file' -ex rank -ex 'delete 2' \
    -ex 'break stale.c:14 if \$rank() == 1' -ex 'break stale.c:22' -ex continue -ex rank \
    -ex 'break MPI_Barrier' -ex continue -ex rank \
    -ex 'delete 5' -ex continue -ex bt -ex rank -ex 'delete' -ex continue" ./stale >out 2>&1
says "it stops in main of the program" grep -q 'Breakpoint 2.*main (argc=1, argv=.*) at stale.c:' out
says "a breakpoint at a line stops there" grep -q 'Breakpoint 4.*stale.c:22' out
says "one with a condition stops the rank that it names" eval \
    '[ "$(grep -c "Breakpoint 3\..* main .*stale.c:14" out)" = 1 ]'
says "the rank is known, in the library too" eval \
    '[ "$(grep "^rank" out | tr "\n" ",")" = "rank 0,rank 1,rank 1,rank 1," ]'
says "the program prints what it prints without" eval 'grep -q "put done, and barrier: x = 0" out'
"$sidewinder" gdb -m t3d -n 2 ./stale </dev/null >out 2>&1
says "sidewinder gdb stops in main" grep -q 'Breakpoint 2.*main (argc=1, argv=.*) at stale.c:' out
finish

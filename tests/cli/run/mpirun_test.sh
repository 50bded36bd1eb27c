#!/bin/bash
# `sidewinder mpirun` is `sidewinder run` with the options of other launchers, and the names of share/sidewinder/mpi.
. "$(dirname "$0")/../../lib.sh"
build echo
cp "$apps/stale.c" "$work" && "$sidewinder" cc -O2 -g -o "$work/stale" "$work/stale.c"
cd "$work" || exit 1
"$sidewinder" run -q -m t3d -n 2 ./stale >expected 2>&1
gives() { "$sidewinder" mpirun "$@" ./stale >out 2>&1 && cmp expected out; }
"$sidewinder" machines t3d --xml >mine.xml
for words in "-np 2 -machine t3d" "-np2 -machine=t3d" "-n2 -mt3d" "-n2 -machinet3d" \
    "-np=2 -m=t3d" "--np 2 --machine t3d" \
    "-np 2 --oversubscribe -m t3d" \
    "--allow-run-as-root --quantum=1us -n 2 -m t3d"; do
    says "mpirun $words" gives $words
done
export SIDEWINDER_MACHINE=t3d
for words in "-n2 -m./mine.xml" "-n2 -machine$work/mine.xml"; do
    says "mpirun ${words/$work/FOLDER}" gives $words
done
says "SIDEWINDER_MACHINE is the machine when no option names one" gives -np 2
says "an option wins over it" eval '"$sidewinder" mpirun -np 2 -machine smp ./stale | grep -q "barrier: x = 1"'
"$sidewinder" mpirun -np 1 ./echo -np 7 -machine smp >out 2>&1
says "what follows the program is the program's" eval 'grep -q -- "-np" out && grep -q -- "-machine" out'
says "the exit status is the program's" eval '! "$sidewinder" mpirun -np 2 ./no_such_program >out 2>&1'
says "mpirun --json=FILE writes the report as run does" eval 'gives --json=run.json -np 2 && [ -s run.json ]'
unset SIDEWINDER_MACHINE
says "without a machine it is refused, with both ways to name one" eval \
    '! "$sidewinder" mpirun -np 2 ./stale >out 2>&1 &&
    grep -q "no machine given; use -machine MACHINE, or set SIDEWINDER_MACHINE" out'

PATH=$(realpath "$(dirname "$sidewinder")/../share/sidewinder/mpi"):$PATH
says "but not --version" eval '"$sidewinder" mpirun --version >out 2>&1'
says "mpicc and mpiexec are found by these names" eval 'mpicc -O2 -g -o stale2 stale.c &&
    SIDEWINDER_MACHINE=t3d mpiexec -n 2 ./stale2 >out 2>&1 && cmp expected out'
finish

#!/bin/bash
# `sidewinder cc -show` prints what it would run: FindMPI and configure scripts ask for that.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
cat >p.c <<'C'
#include <mpi.h>
int main(int argc, char **argv) { MPI_Init(&argc, &argv); return MPI_Finalize(); }
C
for option in -show --show -showme --showme; do
    says "cc $option -c prints one command and runs nothing" \
        eval '[ "$("$sidewinder" cc $option -O2 -c p.c | grep -c "^gcc -fplugin=.* -c p.c ")" = 1 ] && [ ! -e p.o ]'
done
says "the printed commands build the program" eval '"$sidewinder" cc -show -O2 p.c -o p | bash && [ -x p ] &&
    "$sidewinder" run -q -m smp -n 2 ./p'
says "-show without a file prints the linker's words" eval '"$sidewinder" cc -show | grep -q -- "-lsidewinder"'
says "-showme:compile and :link print words to add" \
    eval '"$sidewinder" cc -showme:compile | grep -q -- "-fplugin=.* -isystem " &&
        "$sidewinder" cc --showme:link | grep -q -- "-lsidewinder" && ! "$sidewinder" cc -showme:link | grep -q gcc'
finish

#!/bin/bash
# A function is priced when it is first entered, and neither it nor the program sees anything of that (entered.c).
. "$(dirname "$0")/../lib.sh"
for level in -O2 $(thorough && echo -O0 -O1 -O3); do
    build entered $level -frounding-math
    for machine in t3d rdma; do
        passes $machine 2 entered
        says "$level on $machine: all were asked" test "$(grep -c ok: "$work/out")" = 10
    done
done
# Registers that only a call would change are no function's own because it may be entered without prices.
cat >"$work/leaf.c" <<'C'
int leaf(int a, int b) { return (a ^ b) * 17 + (a >> 3); }
C
"$sidewinder" cc -O2 -S "$work/leaf.c" -o "$work/leaf.s"
says "a function that calls nothing saves nothing" \
    bash -c "! sed '/^leaf:/,/ret\$/!d' '$work/leaf.s' | grep -q '^.pushq'"
# Descriptions that are wrong are refused before the program begins, of functions that nobody enters, too.
cat >"$work/never.c" <<'C'
#include <mpi.h>
#include <stdio.h>
volatile int no;
__attribute__((noinline)) int never_entered(int x) { return x > 3 ? x / 7 : x * x; }
int main(int argc, char **argv)
{
    puts("it runs");
    MPI_Init(&argc, &argv);
    if (no) no = never_entered(no);
    MPI_Finalize();
}
C
"$sidewinder" cc -O2 "$work/never.c" -o "$work/never"
objcopy -O binary --only-section=.sidewinder.blocks --set-section-flags .sidewinder.blocks=alloc "$work/never" \
    "$work/section"
at=$(grep -abo never_entered "$work/section" | head -1 | cut -d: -f1)
printf '\377\377\377\377' | dd of="$work/section" bs=1 seek=$((at + 13)) conv=notrunc status=none
objcopy --update-section .sidewinder.blocks="$work/section" "$work/never"
says "a wrong description of a function that is not entered ends the run" \
    bash -c "! '$sidewinder' run -q -m t3d -n 1 '$work/never' >'$work/out' 2>'$work/err'"
says "which says where it is" grep -q 'section .sidewinder.blocks, byte' "$work/err"
says "and nothing has run" bash -c "! grep -q runs '$work/out'"
finish

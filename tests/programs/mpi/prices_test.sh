#!/bin/bash
# What a program computes takes the time of its blocks on the machine of the run.
. "$(dirname "$0")/../../lib.sh"
optimize=-O2
cat >"$work/library.c" <<'C'
double library_logistic(double x, int steps);
double library_logistic(double x, int steps)
{
    for (int i = 0; i < steps; i++) x = 3.9 * x * (1 - x);
    return x;
}
C
"$sidewinder" cc -O2 -fPIC -shared -o "$work/liblogistic.so" "$work/library.c" || wrong "a library is compiled"
cp "$work/liblogistic.so" "$work/plug_in.so"
build prices -DLINKED "$work/liblogistic.so" -Wl,-rpath,"$work" -ldl

# between VALUE LEAST MOST, in cycles of 150 MHz: what is beside the loop is a few cycles a call.
between() { holds "$(value "$1") * 150e6 >= $2 && $(value "$1") * 150e6 <= $3"; }
run t3d 1 prices "$work/plug_in.so"
says "a recursion takes time: on t3d fib(15), of 1,973 calls, between one cycle and forty a call" between fib 1973 78920
says "a polynomial is a chain of a multiply and an add, of 4 cycles each on t3d" between polynomial 80000 82000
says "a step of the logistic map is a chain of two of them, one cycle after a multiply beside it" \
    between logistic 80000 92000
says "sin costs its chain in library.def: 17 operations of 4 cycles, 4 of one and 4 loads, and the loop around it" \
    between sines 840000 960000
says "the same loop costs the same in a library that is linked and in one that is loaded while the program runs, but \
for its call through a pointer: 4 cycles" \
    holds "($(value loaded) - $(value linked)) * 150e6 > 3.9 && ($(value loaded) - $(value linked)) * 150e6 < 4.1"
says "and what it costs in the program, but for how often its branch is taken for one predicted wrongly" \
    between linked 80000 100000
says "a divide between two readings of the clock is billed between them: 63 cycles on t3d" \
    holds "($(value divide) - $(value nothing)) * 150e6 > 55 && ($(value divide) - $(value nothing)) * 150e6 < 75"

cp "$work/json" "$work/first.json"
run t3d 1 prices "$work/plug_in.so"
says "two runs write the same JSON" cmp "$work/json" "$work/first.json"
for machine in t3d smp rdma; do
    for quantum in 0 1us 1s; do
        run_options=(--quantum "$quantum")
        run "$machine" 1 prices "$work/plug_in.so"
        cp "$work/out" "$work/$quantum"
        json time_s >"$work/$quantum.time"
    done
    says "on $machine one rank's times are the same with a quantum of 0, 1us and 1s" \
        eval 'cmp "$work/0" "$work/1us" && cmp "$work/0" "$work/1s"'
    says "and so is its whole time" eval 'cmp "$work/0.time" "$work/1us.time" && cmp "$work/0.time" "$work/1s.time"'
done
run_options=()

"$sidewinder" run -q -m t3d -n 1 --set cpu.cycles_per_access=1 "$work/prices" >"$work/out" 2>"$work/err"
says "a set of cpu.cycles_per_access is refused" test $? -ne 0
says "and the message names what replaces it" \
    grep -q 'cpu.cycles_per_access is no longer a key: .*cpu.latency' "$work/err"

"$sidewinder" cc -O0 "$work/library.c" -c -o "$work/library.o"
says "what is compiled with -O0 is shown with a warning" \
    grep -q 'compiled with -O0' <("$sidewinder" blocks "$work/library.o" -m t3d)
cp "$work/prices" "$work/bare"
objcopy --remove-section .sidewinder.blocks "$work/bare"
run t3d 1 bare
says "a program that has lost its descriptions is refused" \
    eval '[ $status -ne 0 ] && grep -q "descriptions of its blocks" "$work/err"'
run_options=()
run rdma 1 prices "$work/plug_in.so"
copy=$(value copy)
run_options=(--set cpu.vector=0)
run rdma 1 prices "$work/plug_in.so"
says "C's library copies vectors where there are some: of 32 bytes in less than half of the time of words" \
    holds "$copy < 0.5 * $(value copy) && $copy > 0.2 * $(value copy)"
finish

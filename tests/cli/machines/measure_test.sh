#!/bin/bash
# "sidewinder machines --measure > here.xml": a machine file that runs are made on; a host that does not let it measure
# well is reported, and it goes on.
. "$(dirname "$0")/../../lib.sh"
if [ "$(uname -m)" != x86_64 ]; then
    says "on another processor than x86-64 it says so" eval \
        '! "$sidewinder" machines --measure >"$work/out" 2>"$work/err" && grep -q "x86-64" "$work/err"'
    finish
fi
gcc -shared -fPIC -o "$work/denied.so" "$here/denied.c" -ldl || wrong "denied.c is compiled"

# Beside other programs the quick way may not see where translations run out: up to three times.
for _ in 1 2 3; do
    "$sidewinder" machines --measure --quick -n >"$work/here.xml" 2>"$work/err" || wrong "--measure: $(cat "$work/err")"
    ! grep -q 'id="tlb.entries" .*<!-- measured: ' "$work/here.xml" || break
done
says "progress is for terminals" eval '! grep -q "$(printf "\r")" "$work/err"'
says "what is written is a machine that can be shown" eval '"$sidewinder" machines "$work/here.xml" >"$work/shown"'
while read -r key; do
    says "$key is measured" eval 'grep -q "id=\"$key\" .*<!-- measured: " "$work/here.xml"'
done <<'KEYS'
cpu.clock
cpu.issue
cpu.window
cpu.registers
cpu.fp_registers
cpu.queue
cpu.branch_miss
cpu.atomic
cpu.call_targets
cpu.target_predictor
cpu.latency.int_multiply
cpu.latency.fp_divide
cpu.forward
cpu.memory_renaming
cpu.taken
cpu.store_lines
cpu.fp_add_bypass
cpu.lower.fp_minimum
cpu.library.memcpy
cpu.library.strtok
cpu.library.print_real
cpu.library_result.exp
cpu.repeat.fp_sqrt
cpu.ports.shift
cache.l1.size
cache.l1.line
cache.l1.ways
cache.l2.hit_cycles
tlb.entries
tlb.miss
tlb.walks
mem.outstanding
mem.store_buffer
dram.busy
dram.same_page_cycles
KEYS
says "every number has its source" eval '! grep "<prop" "$work/here.xml" | grep -v "<!-- .* -->"'
says "numbers come with their spread" eval '[ "$(grep -c "; spread [0-9.]* %" "$work/here.xml")" -gt 40 ]'
says "what is not measured is marked" grep -q '\[D\] not measured: as in rdma' "$work/here.xml"
"$sidewinder" cc -O2 -g -o "$work/chase" "$apps/chase.c"
says "a program runs on it" eval '"$sidewinder" run -q -m "$work/here.xml" -n 1 "$work/chase" >"$work/out" &&
    grep -q "every ring closes: ok" "$work/out"'
[ "$(nproc)" = 1 ] || says "measured together, its processors are one node's: two ranks run" \
    "$sidewinder" run -q -m "$work/here.xml" -n 2 --report "$work/report" "$work/chase"

# A processor that is shared with something that never waits, and may not be chosen.
taskset -c "$(taskset -cp $$ | sed 's/.*[^0-9]//')" bash -c '
    while :; do :; done &
    trap "kill $!" EXIT
    DENIED=affinity LD_PRELOAD=$1/denied.so "$2" machines --measure --quick >"$1/other.xml"' - "$work" "$sidewinder" \
    2>"$work/err" || wrong "--measure beside another program: $(cat "$work/err")"
says "a loaded computer is reported, and how much of it was had" \
    grep -q 'loaded computer: the benchmarks had their processor for [0-9]* % of the time' "$work/err"
says "that it may not stay on a processor is reported, and what is less exact" \
    grep -q 'not allowed to stay on one processor.*less exact' "$work/err"
says "and it goes on" grep -q '"cpu.clock" value="[0-9]*MHz"' "$work/other.xml"
says "where nobody may execute code of his own, it says so" eval \
    '! DENIED=execution LD_PRELOAD=$work/denied.so "$sidewinder" machines --measure >"$work/out" 2>"$work/err" &&
    grep -q "^sidewinder machines: --measure: this system lets no program execute" "$work/err" && [ ! -s "$work/out" ]'
finish

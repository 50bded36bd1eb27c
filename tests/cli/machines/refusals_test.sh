#!/bin/bash
# Bad machines, keys and values at the command line: a clear message on standard error, nothing on standard output, and
# the right exit code.
#   SIDEWINDER   the command under test (default: sidewinder)
set -u
sidewinder=${SIDEWINDER:-sidewinder}
work=$(mktemp -d "${TMPDIR:-/tmp}/sidewinder-test-XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0

# refuses CODE PATTERN ARGUMENT...: exit code CODE, one line of error that matches PATTERN, no output.
refuses() {
    local code=$1 pattern=$2 status=0
    shift 2
    "$sidewinder" "$@" >"$work/out" 2>"$work/err" || status=$?
    if [ "$status" -eq "$code" ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
        grep -q -e "$pattern" "$work/err"; then
        echo "ok: $* is refused"
    else
        echo "FAILED: $* (exit code $status instead of $code, or not: $pattern)"
        sed 's/^/    /' "$work/out" "$work/err" | head -5
        failures=$((failures + 1))
    fi
}

# shows PATTERN ARGUMENT...: exit code 0, nothing on standard error, output that matches.
shows() {
    local pattern=$1 status=0
    shift
    "$sidewinder" "$@" >"$work/out" 2>"$work/err" || status=$?
    if [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && grep -q -e "$pattern" "$work/out"; then
        echo "ok: $* shows $pattern"
    else
        echo "FAILED: $* (exit code $status), or not: $pattern"
        sed 's/^/    /' "$work/err" | head -5
        failures=$((failures + 1))
    fi
}

shows 'machines' --help
shows '^sidewinder [0-9]' --version
shows '^t3d  *Cray T3D' machines
shows '^cxl-pool ' machines
shows '^cache.l1.size  *8KiB  *file  *\[R\]' machines t3d
shows '^serve.when  *arrival  *default ' machines t3d
shows '^nodes  *512  *--set' machines t3d --set nodes=512 --text
shows 'torus of 8 x 8 x 8' machines --text --set=nodes=512 t3d
shows '^dram.same_page_cycles  *270ns (45.09 cycles)' machines smp
shows 'Usage: sidewinder machines' machines --help
shows '^cache.l1.replace' machines --keys

refuses 2 "unknown command 'mashines'; did you mean machines" mashines
refuses 2 'unknown option --frobnicate' machines --frobnicate
refuses 2 'unknown option --sett=nodes=2; did you mean --set' machines t3d --sett=nodes=2
refuses 2 'only one machine can be shown' machines t3d smp
refuses 2 'issing argument for --set' machines t3d --set
refuses 2 'no machine given' machines --set nodes=2
refuses 2 '-n needs --measure' machines -n
refuses 2 '--measure takes no machine' machines t3d --measure
refuses 2 '--quick needs --measure' machines --quick
refuses 2 'no machine given' machines --xml
refuses 2 'issing argument for --name' machines t3d --name
refuses 2 'issing argument for --doc' machines t3d --doc
refuses 2 'letters, digits' machines t3d --name 'a b'
refuses 2 'letters, digits' machines t3d --name=
refuses 2 'without --' machines t3d --doc 'one -- two'
refuses 2 'text shows the parameters' machines t3d --text --xml

refuses 2 "'t3e'.*did you mean t3d.*challenge, clump, cxl-pool, now, now-ethernet, rdma, smp, t3d" machines t3e
refuses 2 'set nods=3: .*did you mean nodes' machines t3d --set nods=3
refuses 2 'set nonsense: .*key=value' machines t3d --set nonsense
refuses 2 'set net.latency=5KiB: .*5us' machines t3d --set net.latency=5KiB
refuses 2 'set nodes=0: out of range.*from 1 to' machines t3d --set nodes=0
refuses 2 'set cache.l1.size=9KiB: 9216 bytes are not 32 (line)' machines t3d --set cache.l1.size=9KiB
refuses 2 'set cache.l1.ways=0' machines t3d --set cache.l1.ways=0
refuses 2 'set cache.l1.line=48: .*power of two' machines t3d --set cache.l1.line=48
refuses 2 'set cache.l2.line=16: .*smaller than one of l1' machines smp --set cache.l2.line=16
refuses 2 'set coh.protocol=mosi.*none, msi, mesi, moesi' machines t3d --set coh.protocol=mosi
refuses 2 'set nodes=2: .*--set cpus' machines smp --set nodes=2

refuses 2 'cannot read .*none.xml: No such file' machines "$work/none.xml"
"$sidewinder" machines smp >"$work/text.xml"
refuses 2 'text.xml:1: .*not XML .*sidewinder machines NAME --xml. writes one' machines "$work/text.xml"
refuses 2 'set cache.l1.size=10kB: .*KiB and MiB of two' machines t3d --set cache.l1.size=10kB
echo 'int main(void) { return 0; }' >"$work/program.xml"
refuses 2 'program.xml:1: .*not XML' machines "$work/program.xml"
printf '<?xml version="1.0"?>\n<html>\n</html>\n' >"$work/page.xml"
refuses 2 'page.xml:2: not a SimGrid platform: .*<html>' machines "$work/page.xml"
printf '<platform version="4.1">\n<zone id="x" routing="Full">\n</zone>\n</platform>\n' >"$work/plain.xml"
refuses 2 'plain.xml:2: .*no <prop>' machines "$work/plain.xml"
printf '<platform version="4.1">\n<zone id="x" routing="Full">\n<prop id="wb.entires" value="4"/>\n</zone>\n' \
    >"$work/typo.xml"
printf '</platform>\n' >>"$work/typo.xml"
refuses 2 'typo.xml:3: .*did you mean wb.entries' machines "$work/typo.xml"
printf '<platform version="4.1">\n<zone id="x" routing="Full">\n<prop id="cpus"\n value="2 or 3"/>\n</zone>\n' \
    >"$work/value.xml"
printf '</platform>\n' >>"$work/value.xml"
refuses 2 'value.xml:4: cpus is 2 or 3: .*whole number' machines "$work/value.xml"

# A pipeline, or a hierarchy, that cannot be, in a file: the file and the line, the key, and what it takes instead.
impossible() {   # impossible PATTERN PROP...: a machine of these, each KEY=VALUE, on lines 3, 4 ...
    local pattern=$1 prop
    shift
    {
        printf '<platform version="4.1">\n<zone id="x" routing="Full">\n'
        for prop in "$@"; do printf '<prop id="%s" value="%s"/>\n' "${prop%%=*}" "${prop#*=}"; done
        printf '</zone>\n</platform>\n'
    } >"$work/x.xml"
    refuses 2 "x.xml:$pattern" machines "$work/x.xml"
}
impossible '3: cpu.issue is 0: out of range; cpu.issue takes .* from 1 to 16' cpu.issue=0
impossible '4: cpu.window is 3: a window of 3 .* cannot issue 4 .*cpu.window takes 0 (in order) or 4 to 4096' \
    cpu.issue=4 cpu.window=3
impossible '4: ranks_per_node is 3: a node has a processor .*ranks_per_node takes 0 to 2' cpus=2 ranks_per_node=3
# What is said to make a machine large enough does.
for advised in 'smp|33|--set cpus=33' 'rdma|65|--set nodes=65' \
    'smp --set cpus=4 --set ranks_per_node=2|3|--set ranks_per_node=3' \
    'smp --set cpus=4 --set ranks_per_node=2|5|--set cpus=5 --set ranks_per_node=5'; do
    IFS='|' read -r machine ranks advice <<<"$advised"
    # shellcheck disable=SC2086 -- a machine and options
    refuses 2 "$ranks ranks need as many processors; .*For a larger machine of this kind: $advice\$" run -m $machine \
        -n "$ranks" true
done
impossible '3: cpu.latency.fp_add is : not a latency; whole cycles from 1' cpu.latency.fp_add=
impossible '3: cpu.latency.load is 0: not a latency; whole cycles from 1' cpu.latency.load=0
impossible '3: cpu.repeat.fp_divide is 0: out of range; cpu.repeat.fp_divide takes .* from 1' cpu.repeat.fp_divide=0
two_levels='cache.l1.size=1KiB cache.l2.size=4KiB cache.l3.size=8KiB'
impossible '6: cache.l2.shared is 1: only the last level can be shared; this machine.s is l3' $two_levels \
    cache.l2.shared=1 coh.protocol=mesi
impossible '4: cache.l1.shared is 1: the first level is each processor.s own; cache.l2.shared' cache.l1.size=1KiB \
    cache.l1.shared=1
impossible '7: cache.l3.line is 64: a shared level has lines as long as .* l2.s 32 bytes' $two_levels \
    cache.l3.shared=1 cache.l3.line=64 coh.protocol=mesi
impossible '7: cache.l2.write is through: .*cache.l2.write and cache.l3.write take back' $two_levels \
    cache.l3.shared=1 cache.l2.write=through coh.protocol=mesi
impossible '7: cache.l3.allocate is read: .*cache.l2.allocate and cache.l3.allocate take both' $two_levels \
    cache.l3.shared=1 cache.l3.allocate=read coh.protocol=mesi

printf '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "\xff">\n<platform version="4.1">\n<zone id=x/>\n' \
    >"$work/latin.xml"
printf '</platform>\n' >>"$work/latin.xml"
refuses 2 'latin.xml:2: .*not text in UTF-8' machines "$work/latin.xml"

SIDEWINDER_PLATFORMS=$work/empty
export SIDEWINDER_PLATFORMS
mkdir "$SIDEWINDER_PLATFORMS"
refuses 1 'no platform files in .*empty' machines
refuses 2 "'t3d': no platform files" machines t3d
# One broken file does not hide the others.
printf '<platform version="4.1">\n<zone id="good" routing="Full">\n<prop id="cpus" value="2"/>\n</zone>\n' \
    >"$work/empty/good.xml"
printf '</platform>\n' >>"$work/empty/good.xml"
cp "$work/page.xml" "$work/empty/bad.xml"
status=0
"$sidewinder" machines >"$work/out" 2>"$work/err" || status=$?
if [ $status -eq 1 ] && grep -q '^good' "$work/out" && grep -q 'bad.xml:2' "$work/err"; then
    echo "ok: a broken file does not hide the others"
else
    echo "FAILED: a broken file does not hide the others"
    failures=$((failures + 1))
fi

echo "$failures failed"
exit $((failures > 0))

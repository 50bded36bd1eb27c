#!/bin/bash
# sidewinder run refuses what cannot be run: a clear message on standard error, exit code not 0, nothing on standard
# output.
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../refuses.sh"
build echo

refuses "an unknown command"                 "frobnicate"          frobnicate
refuses "an unknown option"                  "--frobnicate"        run --frobnicate -m t3d -n 2 "$work/echo"
refuses "an option that is nearly one, saying which" "unknown option --sett=a=b; did you mean --set" run --sett=a=b \
    -m t3d -n 2 "$work/echo"
refuses "a number of --check-exit that is none" '--check-exit: "x" is not a whole number' run --check --check-exit x \
    -m t3d -n 2 "$work/echo"
refuses "no program of gdb, in gdb's name"   "^sidewinder gdb: no program given; expected -m"   gdb -m t3d -n 2
refuses "no machine"                         "-m MACHINE"          run -n 2 "$work/echo"
refuses "no number of ranks"                 "-n N"                run -m t3d "$work/echo"
refuses "no program"                         "program"             run -m t3d -n 2
refuses "zero ranks"                         "at least"            run -m t3d -n 0 "$work/echo"
refuses "minus three ranks"                  "at least"            run -m t3d -n -3 "$work/echo"
refuses "a number of ranks that is none"     "-n"                  run -m t3d -n many "$work/echo"
refuses "a program that is not there"        "$work/nothing"       run -m t3d -n 2 "$work/nothing"
refuses "a program that is not on the path"  "no-such-program"     run -m t3d -n 2 no-such-program
refuses "a program that is a folder"         "$work"               run -m t3d -n 2 "$work"
refuses "a source file, saying what writes programs" "sidewinder cc" run -m t3d -n 2 "$here/echo.c"
refuses "an unknown machine"                 "cray-9"              run -m cray-9 -n 2 "$work/echo"
refuses "an unknown key"                     "cache.l1.colour"     run -m t3d -n 2 --set cache.l1.colour=red \
    "$work/echo"
refuses "a key without a value"              "cache.l1.size"       run -m t3d -n 2 --set cache.l1.size "$work/echo"
refuses "a bad unit"                         "8KHz"                run -m t3d -n 2 --set cache.l1.size=8KHz "$work/echo"
refuses "an impossible cache"                "cache.l1"            run -m t3d -n 2 --set cache.l1.line=48 "$work/echo"
refuses "a bad quantum"                      "quantum"             run -m t3d -n 2 --quantum soon "$work/echo"
refuses "octal is not a number of ranks"        "256"                 run -m t3d -n 0400 "$work/echo"
if [ "$(cat /proc/sys/vm/max_map_count)" -lt 6000000 ]; then
    refuses "more ranks than the host has mappings for" "vm.max_map_count" \
        run -m rdma --set nodes=1000000 -n 1000000 "$work/echo"
fi
cat >"$work/large.c" <<'C'
#include <mpi.h>
volatile char large[1 << 30];
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    large[argc] = 1;
    return MPI_Finalize();
}
C
"$sidewinder" cc -O2 -o "$work/large" "$work/large.c"
most=$(awk '/^(MemAvailable|SwapFree):/ {kib += $2} END {print int(kib / 1048576) + 2}' /proc/meminfo)
if [ "$most" -lt 900 ]; then
    refuses "more variables than the host has memory for" "--force" run -m rdma --set nodes=$((2 * most)) \
        -n $((2 * most)) "$work/large"
    says "--force runs all the same" "$sidewinder" run -q --force -m rdma --set nodes="$((2 * most))" \
        -n "$((2 * most))" "$work/large"
fi
refuses "more ranks than processors"         "processors"          run -m smp -n 100000 "$work/echo"
refuses "JSON into a folder that is not there" "$work/none/a.json" run -m t3d -n 2 --json "$work/none/a.json" \
    "$work/echo"
refuses "two files of one name"              "--json and --report would both be written to $work/a" run -m t3d -n 2 \
    --report "$work/../${work##*/}/a" --json "$work/a" "$work/echo"
ln -s echo "$work/linked"
refuses "a report over the program"          "--json would be written over the program, $work/echo" run -m t3d -n 2 \
    --json "$work/linked" "$work/echo"
cp "$tests/../platforms/t3d.xml" "$work/mine.xml"
refuses "a report over the machine"          "--report would be written over the machine, $work/mine.xml" run \
    -m "$work/mine.xml" -n 2 --report "$work/./mine.xml" "$work/echo"
refuses "an output's file that is the next option" "--profile needs a file: -m is an option" run \
    --profile -m t3d -n 2 "$work/echo"
refuses "whatif's JSON into a folder, before it runs" "--json: cannot write $work: Is a dir" whatif -m t3d -n 2 \
    --set net.latency=x2 --json "$work" "$work/echo"
refuses "check's SARIF over the program"     "--sarif would be written over the program" check -n 2 \
    --sarif "$work/echo" "$work/echo"
refuses "check of no program, on standard error" "no machine can run the program; t3d reports" check -n 2 "$work/none"
refuses "check with no number of ranks"      "two. is not a whole number" check -n two "$work/echo"
refuses "check with options behind a machine" "expected a machine, with --set" check -n 2 \
    -m "t3d --json $work/a" "$work/echo"
refuses "check with fewer than no pair"      "whole numbers from 0" check -n 2 --forced=-1 "$work/echo"
cp "$work/mine.xml" "$work/my own.xml"
says "check takes a machine's name in quotes" eval '"$sidewinder" check -n 2 \
    -m "\"$work/my own.xml\" --set net.latency=2us" "$work/echo" >"$work/out"'
refuses "two files for standard output"      "--json and --trace"  run -m t3d -n 2 --trace - --json - "$work/echo"
refuses "a report into a folder"             "$work"               run -m t3d -n 2 --report "$work" "$work/echo"

gcc -o "$work/plain" -x c - <<<'int main(void) { return 0; }'
refuses "a program not built with sidewinder cc says what to do" "sidewinder cc" run -m t3d -n 2 "$work/plain"
cp "$work/echo" "$work/older"
record=$(LC_ALL=C grep -abo SWBLOCKS "$work/older" | head -n 1 | cut -d: -f1)
printf '\001' | dd of="$work/older" bs=1 seek=$((record + 8)) conv=notrunc 2>"$work/err"
refuses "a program of another version's compiler" "another version" run -m t3d -n 2 "$work/older"
printf '#!/bin/sh\necho hello\n' >"$work/script"
chmod +x "$work/script"
refuses "a script in a program's place"      "script" run -m t3d -n 2 "$work/script"
printf 'not a program\n' >"$work/text"
refuses "a text file in a program's place"   "$work/text"          run -m t3d -n 2 "$work/text"
printf '<html/>\n' >"$work/page.xml"
refuses "a platform file that is not one"    "page.xml"            run -m "$work/page.xml" -n 2 "$work/echo"

# "Nothing lost, nothing half written": a report is there whole or not at all, and each that cannot be written is
# reported.
TMPDIR=$work/none refuses "a TMPDIR that is not there"  "$work/none.*TMPDIR"  run -m t3d -n 2 "$work/echo"
echo old >"$work/report"
ln "$work/report" "$work/before"
"$sidewinder" run -q -m t3d -n 2 --report "$work/report" "$work/echo" >/dev/null 2>&1
says "a report is written beside the old one, then put in its place" eval 'grep -q "^old$" "$work/before" &&
    grep -q "^echo on t3d" "$work/report"'
status=0
"$sidewinder" run -q -m t3d -n 2 --report /dev/full --json /dev/full "$work/echo" >"$work/out" 2>"$work/err" ||
    status=$?
says "each report that cannot be written is reported" eval '[ $status = 1 ] &&
    [ "$(grep -c "cannot write /dev/full" "$work/err")" = 2 ]'
finish

#!/bin/bash
# "A newcomer can answer 'what if my NIC did not invalidate caches?' in one command": sidewinder whatif.
. "$(dirname "$0")/../../lib.sh"
cp "$apps/stale.c" "$work/stale.c"
(cd "$work" && "$sidewinder" cc -O2 -g -o stale stale.c) || wrong "stale.c is compiled"

asks() { "$sidewinder" whatif "$@" >"$work/out" 2>"$work/err" </dev/null; }
shows() { grep -q -e "$1" "$work/out"; }

says "one command answers what happens when the interface keeps no cache coherent" asks -m rdma -n 2 --set \
    coh.protocol=none "$work/stale"
says "it repeats the question" shows 'coh.protocol were none instead of mesi?'
says "it puts both machines side by side" shows '^ *as it is  *changed$'
says "it counts the loads of old values" shows '^1 load would be stale, instead of none\.$'
says "it names the load and the write" shows 'rank 1, at stale.c:22; .* rank 0 wrote with MPI_Put at stale.c:17'
says "it shows what the program would print instead" eval "shows 'now  *put done, and barrier: x = 1$' &&
    shows 'changed  *put done, and barrier: x = 0$'"
says "the help has that question, and the command that answers it" \
    eval '"$sidewinder" whatif --help | grep -A1 "did not invalidate caches" |
    grep -q "whatif -m rdma -n 2 --set coh.protocol=none"'
says "the list of commands names it" eval '"$sidewinder" --help | grep -q "^  whatif " && "$sidewinder" --help |
    grep -q "whatif -m rdma -n 2 --set coh.protocol=none .*did not invalidate"'

# Its columns are those of two runs and compare.
"$sidewinder" run -q -m rdma -n 2 --json "$work/as it is.json" "$work/stale" >"$work/one"
"$sidewinder" run -q -m rdma -n 2 --set coh.protocol=none --json "$work/changed.json" "$work/stale" >"$work/two"
"$sidewinder" compare "$work/as it is.json" "$work/changed.json" | sed 1d >"$work/table"
says "its table is that of the two runs" eval 'sed 1,4d "$work/out" | head -n "$(wc -l <"$work/table")" |
    cmp -s - "$work/table"'
cp "$work/out" "$work/before"
asks -m rdma -n 2 --set coh.protocol=none "$work/stale"
says "it says the same every time" cmp -s "$work/before" "$work/out"

asks -m t3d -n 2 --set ni.invalidate=index "$work/stale"
says "what cures a stale load is reported too" shows '^No load would be stale, instead of 1\.$'
asks -m rdma -n 2 --set ni.invalidate=none "$work/stale"
says "a change that is none is called so" shows 'changes nothing: the machine has these values already'
says "and the key that was meant is named" shows 'Try --set coh.protocol=none'
asks -m t3d -n 2 --set nodes=512 "$work/stale"
says "what does not matter is reported as well" eval "shows 'It would take the same time' &&
    shows 'It would print the same output'"

# What a change is measured from, and relative ones.
asks -m t3d -n 2 --set net.latency=x2 --set net.bandwidth=50% "$work/stale"
says "a relative change is shown as what it comes to" eval 'shows "net.latency were .* instead of " &&
    shows "net.bandwidth were .* instead of "'
cp "$work/out" "$work/relative"
value() { sed -n "s/^  $1 were \([^ ]*\) instead of .*/\1/p" "$work/relative"; }
asks -m t3d -n 2 --set "net.latency=$(value net.latency)" --set "net.bandwidth=$(value net.bandwidth)" "$work/stale"
says "and is the same as that" cmp -s "$work/relative" "$work/out"
asks -m now -n 2 --set "net.overhead_*=x2" "$work/stale"
cp "$work/out" "$work/pattern"
asks -m now -n 2 --set net.overhead_receive=x2 --set net.overhead_send=x2 "$work/stale"
says "a pattern changes all keys that fit it" eval 'cmp -s "$work/pattern" "$work/out" &&
    shows "net.overhead_send were .* instead of " && shows "net.overhead_receive were .* instead of "'
asks -m rdma -n 2 --base-set coh.protocol=none --set ni.invalidate=index "$work/stale"
says "--base-set changes both runs" eval "shows '^No load would be stale, instead of 1\.$' &&
    ! shows 'coh.protocol were'"
asks -m t3d -n 2 --with smp "$work/stale"
cp "$work/out" "$work/with"
asks -m t3d -m smp -n 2 "$work/stale"
says "a second -m is --with" cmp -s "$work/with" "$work/out"
asks -m rdma -n 2 --set coh.protocol=none --json "$work/both.json" "$work/stale"
asks -m rdma -n 2 --set coh.protocol=none --json - "$work/stale"
printf '{\n"as_it_is" : %s,\n"changed" : %s\n}\n' "$(cat "$work/as it is.json")" "$(cat "$work/changed.json")" \
    >"$work/two.json"
says "the JSON has that of both runs, and goes to standard output alone" eval 'cmp -s "$work/both.json" "$work/out" &&
    cmp "$work/both.json" "$work/two.json"'

refuses() {
    local sentence=$1 code=$2 pattern=$3
    shift 3
    status=0
    "$sidewinder" whatif "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    if [ "$status" = "$code" ] && grep -q -e "$pattern" "$work/err" && [ ! -s "$work/out" ]; then ok "$sentence"; else
        cat "$work/err"
        wrong "$sentence (exit code $status)"
    fi
}
refuses "no question is refused" 2 'no change given' -m t3d -n 2 "$work/stale"
refuses "three machines are refused" 2 "two machines at most" -m t3d -m smp -m now -n 2 "$work/stale"
refuses "a relative change of a word is refused" 2 "which is no number" -m t3d -n 2 --set serve.policy=x2 "$work/stale"
refuses "no machine is refused" 2 'no machine given' -n 2 --set nodes=2 "$work/stale"
refuses "no number of ranks is refused" 2 'no number of ranks given' -m t3d --set nodes=2 "$work/stale"
refuses "no program is refused" 2 'no program given' -m t3d -n 2 --set nodes=2
refuses "an unknown key is refused with its neighbour" 2 'did you mean nodes' -m t3d -n 2 --set nods=2 "$work/stale"
refuses "a program that is not there is refused in the words of run" 1 'no-such-program' -m t3d -n 2 --set nodes=2 \
    ./no-such-program
cp "$tests/cli/run/faulty.c" "$work" && "$sidewinder" cc -O1 -g -o "$work/faulty" "$work/faulty.c"
refuses "of a program that crashes is reported: on which machine, how and where" 1 \
    'as it is failed (signal 11 (Segmentation fault))' -m t3d -n 2 --set nodes=512 "$work/faulty" crash
says "... with its line" grep -q 'segmentation fault at faulty.c:' "$work/err"
asks -m t3d -n 2 --set nodes=512 "$work/faulty" deadlock
says "a deadlock is reported" shows 'It would end in a deadlock; as it is: in a deadlock'
refuses "too many ranks are refused" 1 'ranks' -m t3d -n 999 --set nodes=512 "$work/stale"
# Two machines, and values by key.
says "two machines are compared" asks -m t3d -n 2 --with smp --key 'sum(rank[*].stale_loads)' --key time_s \
    --key 'time_s * 1e6' "$work/stale"
says "it says which" shows '^  the machine were smp?$'
says "the other machine's values are read" shows '^No load would be stale, instead of 1\.$'
says "a key that an experiment measures is shown of both" shows '^sum(rank\[\*\].stale_loads): 1; 0$'
says "a time is shown with its unit" shows '^time_s: [0-9.]* [^ 0-9]*s; [0-9.]* [^ 0-9]*s$'
says "a key that is none is refused" eval '! asks -m t3d -n 2 --with smp --key nothing "$work/stale" &&
    grep -q -- "--key nothing: not found" "$work/err"'
says "--set changes the other machine" eval 'asks -m t3d -n 2 --with rdma --set coh.protocol=none "$work/stale" &&
    shows "and its coh.protocol none?"'
asks -m "$tests/../platforms/t3d.xml" -n 2 --set ni.invalidate=address "$work/stale" && cp "$work/out" "$work/plain"
asks -m <(cat "$tests/../platforms/t3d.xml") -n 2 --set ni.invalidate=address "$work/stale"
says "a machine that comes through a pipe is read once" cmp "$work/plain" "$work/out"
finish

#!/bin/bash
# The program's output, input, arguments, environment and signals are its own; the simulator leaves nothing behind.
. "$(dirname "$0")/../../lib.sh"
build echo
build faulty

export SW_TEST_VARIABLE='a value; with "all" $sorts'
echo 'one line of input' | "$sidewinder" run -m t3d -n 3 "$work/echo" -n 7 --json x --help --cfg=a:b '' 'two words' \
    '*' -- >"$work/out" 2>"$work/err"
says "the exit code is the program's" test $? = 0
i=0
for argument in -n 7 --json x --help --cfg=a:b '' 'two words' '*' --; do
    i=$((i + 1))
    says "argument $i, '$argument', reaches the program as it is" grep -qxF "argument $i [$argument]" "$work/out"
done
says "no argument more" test "$(grep -c '^argument' "$work/out")" = $i
says "the environment reaches the program" grep -qxF "variable [$SW_TEST_VARIABLE]" "$work/out"
says "standard input reaches the program" grep -qxF 'input [one line of input]' "$work/out"
says "every rank prints its line" test "$(grep -c '^rank [012]$' "$work/out")" = 3
says "standard output holds nothing but the program's" test \
    "$(grep -cvE '^(argument|variable|input|rank) ' "$work/out")" = 0
says "standard error passes through" grep -qx 'this goes to standard error' "$work/err"
says "the report is on standard error" test "$(wc -l <"$work/err")" -gt 5
run t3d 3 echo
says "with -q there is no report" test "$(cat "$work/err")" = "this goes to standard error"
run_options=(--report "$work/report")
run t3d 3 echo
says "a report goes to the file named" eval '[ -s "$work/report" ] &&
    [ "$(cat "$work/err")" = "this goes to standard error" ]'
run_options=()
(cd "$work" && PATH=$work:$PATH "$sidewinder" run -q -m t3d -n 1 echo >"$work/out" 2>/dev/null </dev/null)
says "a program without a slash is found by PATH" grep -q '^rank 0$' "$work/out"

build forks
run_options=(--set mpi.call=0s)
run t3d 3 forks
run_options=()
says "a rank may fork: its child is a process, and no rank runs in it" eval '[ $status = 0 ] &&
    [ "$(grep -c "from a shell" "$work/out")" = 3 ] && [ ! -s "$work/err" ] &&
    [ "$(grep "^rank" "$work/out" | sort | sed "s/after 0.0000000.. s/at once/")" = "$(for r in 0 1 2; do
        echo "rank $r: its child ended with 1$r at once"; done)" ]'

build execs
run t3d 9 execs
says "... and its child may become another program, in each of C's ways" eval '[ $status = 0 ] &&
    [ "$(sed "s/by //" "$work/out" | sort | tr "\n" " ")" = \
        "execl execle, env execlp execv execve execveat execvp execvpe fexecve " ]'
for how in execl execlp execle execv execve execvp execvpe execveat fexecve; do
    run t3d 2 execs $how
    says "a rank that becomes another program by $how ends the run with a sentence" eval '[ $status = 1 ] &&
        ! grep -q "by $how" "$work/out" &&
        grep -q "rank 1: $how(.*) at execs.c:[0-9]*: all ranks are one process here" "$work/err"'
done

# Nothing stays in TMPDIR, however the run ends.
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
left() { find "$TMPDIR" -mindepth 1 2>&1 | head -n 3; }
run t3d 3 echo
says "a run that ends well leaves no temporary file" test -z "$(left)"
run t3d 3 faulty crash
says "a crash leaves no temporary file" test -z "$(left)"
run t3d 3 faulty deadlock
says "a deadlock leaves no temporary file" test -z "$(left)"

# SimGrid takes its options apart at blanks, commas, colons and quotes.
odd="$work/a b, c's \"tmp\""
mkdir "$odd"
TMPDIR=$odd run t3d 3 echo
says "TMPDIR may be a path with blanks, commas and quotes" eval '[ $status = 0 ] &&
    [ "$(grep -c "^rank" "$work/out")" = 3 ]'
says "nothing stays there either" test -z "$(find "$odd" -mindepth 1)"
{      # whatever the caller has open is not the run's
    prlimit --nofile=5 "$sidewinder" run -q -m t3d -n 3 "$work/echo" >"$work/out" 2>"$work/err" </dev/null \
        3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
} 2>/dev/null
says "when SimGrid gives up the run says why" grep -q \
    '^sidewinder: SimGrid: .*\(Too many open files\|Unable to open\)' "$work/err"
says "and leaves no temporary file" test -z "$(left)"
begun() { [ "$(grep -c before "$work/out")" = 3 ]; }
gone() { ! kill -0 $pid 2>/dev/null; }
for signal in INT TERM HUP; do
    rm -f "$work/out"      # the one before has three such lines, too
    # a background job ignores SIGINT
    env --default-signal=INT "$sidewinder" run -q -m t3d -n 3 "$work/faulty" forever >"$work/out" 2>"$work/err" \
        </dev/null &
    pid=$!
    says "a program that runs forever has begun" until_true begun
    kill -$signal $pid
    for _ in $(seq 100); do
        kill -0 $pid 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL $pid 2>/dev/null      # too late: the exit code tells
    status=0
    wait $pid 2>/dev/null || status=$?
    says "SIG$signal ends it as a signal does (exit code $((128 + $(kill -l $signal))))" test "$status" = \
        $((128 + $(kill -l $signal)))
    says "SIG$signal leaves no temporary file" test -z "$(left)"
done
finish

#!/bin/bash
# "A rank's signals reach ranks, and no process of the host."
. "$(dirname "$0")/../../lib.sh"
build signals
# A signal that leaves the run reaches this script and the process whose number is that of a rank's.
trap 'wrong "the script itself was sent a signal"' USR1 USR2 TERM

prints() {      # SENTENCE ARGUMENT EXPECTED...
    run t3d 2 signals "$2"
    sort "$work/out" >"$work/sorted"
    printf "%s\n" "${@:3}" | sort >"$work/expected"
    says "$1" eval '[ $status = 0 ] && diff "$work/expected" "$work/sorted"'
}
prints "a rank's kill and raise to itself run its own handler, before they return" itself \
    "rank 0 takes signal 10" "rank 0 takes signal 10" "rank 0: 0, 1 then 1" \
    "rank 1 takes signal 10" "rank 1 takes signal 10" "rank 1: 0, 1 then 1"
prints "sigqueue to another rank runs the handler there, with its value and the sender's number" another \
    "rank 0: got 0, value 0, from rank 0: 0" "rank 1: got 12, value 42, from rank 0: 1"
prints "kill of 0 and of -1 and killpg reach every rank once" all \
    "rank 0 takes signal 10" "rank 0 takes signal 10" "rank 0 takes signal 10" "rank 0: got 30" \
    "rank 1 takes signal 10" "rank 1 takes signal 10" "rank 1 takes signal 10" "rank 1: got 30"
prints "a signal that one rank ignores ends nothing" ignored "kill: 0" "rank 0 goes on" "rank 1 goes on"
prints "a blocked signal waits" blocked \
    "rank 0 takes signal 10" "rank 0: 0 before, 10 after" "rank 1 takes signal 10" "rank 1: 0 before, 10 after"
prints "what a rank blocks no other does, and waits until it is let in" masked \
    "rank 0: got 10, waits 0" "rank 0: then 10" "rank 1: got 0, waits 1" "rank 1: then 10"
prints "sigsuspend, sigwait and sigtimedwait wait for signals of ranks in simulated time" turns \
    "rank 0: 5 were handled" "rank 0: -1 after 1 ms" "rank 1: 5 were handled" "rank 1: 15 after 0 ms"
prints "an alarm comes at its date of simulated time" time \
    "rank 0: slept 5 s, left 0, got 0" "rank 1: slept 2 s, left 3, got 14" "after 501 us" \
    "rank 0: alarms 3, then none: 1" "rank 1: alarms 0, then none: 1"
prints "pause waits for a signal in simulated time" pause "rank 1 takes signal 10" \
    "pause: -1, Interrupted system call, after 5 ms: 1"
prints "there is a process for each rank and no other" nobody \
    "rank 0: -1 No such process, 0" "rank 1: -1 No such process, 0"
prints "a child that a rank has forked is still a process of the host" child "rank 0: the child ends by 15" \
    "rank 1: the child ends by 15"
prints "a signal that a handler raises comes when the handler returns, and after one that was left by longjmp" handler \
    "rank 0: 1 in the handler" "rank 0: 2 after it" "rank 0: 4 after it was left" \
    "rank 1: 1 in the handler" "rank 1: 2 after it" "rank 1: 4 after it was left"
prints "what a handler blocks ends when it is left by longjmp, for its rank and for others" left \
    "rank 0 left its handler 2 times" "rank 1 left its handler 2 times"
prints "a rank has its alarms while others run, and none crashes the run when it is over" alarms \
    "rank 0 has alarms: 0" "rank 1 has alarms: 1"
run smp 4 signals window
says "a handler that stores into a window blocks its signal for no other rank" \
    [ "$(grep -c 'got 8, stored by the next 8' "$work/out")" = 4 ]

run t3d 2 signals fatal
says "a signal whose default ends a rank ends the run, by that signal" [ $status = 143 ]
says "and says who sent it to whom" \
    grep -qx "sidewinder: rank 0 sent signal 15 (Terminated) to rank 1, which ends it: the run is over" "$work/err"
finish

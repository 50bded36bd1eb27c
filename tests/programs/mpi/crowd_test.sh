#!/bin/bash
# Thousands of messages that are on their way to one rank at once: SimGrid's solver would share out the interface among
# all of them each time that one comes or goes. It took minutes of processor time.
. "$(dirname "$0")/../../lib.sh"
build crowd
in_time() { ulimit -S -t 20 && run now 64 crowd && [ "$status" = 0 ] && grep -qx right "$work/out"; }
says "64 ranks that each let a long message wait, and go on with 100 short ones, end within 20 s of processor time" \
    in_time
# What enters rank 0's interface: bytes at net.bandwidth, a message each net.gap at most.
number() { "$sidewinder" machines now | sed -n "s/^net\.$1 *\([0-9.]*\)$2 .*/\1/p"; }
bytes_s="$(value bytes) / ($(number bandwidth MBps) * 1e6)" gaps_s="$(value messages) * $(number gap us) * 1e-6"
says "their messages take as long as rank 0's interface needs for them, within 5 %" \
    holds "$(value seconds) >= $bytes_s && $(value seconds) <= 1.05 * ($bytes_s + $gaps_s)"
finish

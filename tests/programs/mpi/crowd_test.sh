#!/bin/bash
# Thousands of messages that are on their way to one rank at once: SimGrid's solver would share out the interface among
# all of them each time that one comes or goes. It took minutes of processor time.
. "$(dirname "$0")/../../lib.sh"
build crowd
in_time() { ulimit -S -t 20 && run now 64 crowd && [ "$status" = 0 ] && grep -qx right "$work/out"; }
says "64 ranks that each let a long message wait, and go on with 100 short ones, end within 20 s of processor time" \
    in_time
# What enters rank 0's interface: bytes at net.bandwidth, a message each net.gap at most.
says "their messages take as long as rank 0's interface needs for them, within 5 %" holds \
    "$(value seconds) >= $(value bytes) / 38e6 &&
     $(value seconds) <= 1.05 * ($(value bytes) / 38e6 + $(value messages) * 5.8e-6)"
finish

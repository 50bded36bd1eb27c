#!/bin/bash
# A rank that waits in MPI_Probe goes on when the message is there: after the sender's overhead and the latency, and
# what two looks take.
. "$(dirname "$0")/../../lib.sh"
build waiting

# wakes MACHINE SECONDS
wakes() {
    local late
    late=$("$sidewinder" run -q -m "$1" -n 2 "$work/waiting")
    says "$1: a probe returns within $2 s of the sending (obtained $late)" holds "$late > 0 && $late < $2"
    late=$("$sidewinder" run -q -m "$1" -n 2 "$work/waiting" polls)
    says "$1: a loop of polls ends within $2 s of the sending (obtained $late)" holds "$late > 0 && $late < $2"
}
wakes rdma "(200e-9 + 900e-9 + 2 * 50e-9 + 100e-9)"
wakes now "(1.8e-6 + 5e-6 + 2 * 2.9e-6 + 100e-9)"
wakes smp "(1e-6 + 960e-9 + 2 * 1e-6 + 100e-9)"
finish

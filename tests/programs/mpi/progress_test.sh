#!/bin/bash
# Request-based operations go on by themselves: tests are local, and MPI_Waitany waits for the first.
. "$(dirname "$0")/../../lib.sh"
build progress
for machine in t3d smp now clump rdma cxl-pool; do passes "$machine" 3 progress; done
for set in serve.policy=interrupt serve.policy=thread serve.when=completion; do
    run_options=(--set $set)
    passes now 3 progress
done
run_options=()
run now 3 progress
says "now, polling: MPI_Test of a get from a rank that computes is false" test "$(value flag)" = 0
says "now, polling: so is MPI_Request_get_status" test "$(value status)" = 0
says "now, polling: the test returned long before that rank served" holds "$(value test) < 0.05 * $(value done)"
says "now, polling: MPI_Waitany returned with a message long before that" holds "$(value first) < 0.3 * $(value done)"
says "now, polling: the get was served when the block was over" holds "$(value done) > 1.5e-3"
finish

#!/bin/bash
# What simulates an access or a call leaves the program's state of floating point alone, at every rank.
. "$(dirname "$0")/../lib.sh"
optimize=-O2
build floating -O2
sampled "t3d, smp and rdma"
for machine in t3d smp rdma $(thorough && echo challenge now cxl-pool); do passes $machine 2 floating; done
# Work of a third of a cycle is no sum of halves: what rounds it must not trap.
run_options=(--set cpu.issue=3)
passes rdma 2 floating
finish

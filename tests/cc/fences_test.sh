#!/bin/bash
# A store that is sequentially consistent, and a fence between stores and loads, take what an atomic operation takes
# where the machine says that (cpu.atomic); weaker orders are those of any store of x86.
. "$(dirname "$0")/../lib.sh"
build fences -O2
run rdma 1 fences
says "the values are right" test "$status" = 0
for order in sequential cleared fence synchronize intrinsic assembly; do
    says "$order takes 17 cycles of 2.5 GHz more than a store" holds \
        "$(value $order) - $(value nothing) > 6.6 && $(value $order) - $(value nothing) < 7.4"
done
for order in release weak stores; do
    says "$order takes what a store takes" holds "$(value $order) < $(value nothing) + 0.3"
done
run_options=(--set cpu.atomic=0cycles)
run rdma 1 fences
for order in sequential fence; do
    says "where atomic operations have no price $order takes little more" holds \
        "$(value $order) < $(value nothing) + 0.6"
done
finish

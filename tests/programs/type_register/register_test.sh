#!/bin/bash
# Registered datatypes and operations: every sentence of the proposal, on every kind of machine and under every
# servicing policy; mistakes; what travels with an operation, what decoding and a function of the program's cost.
. "$(dirname "$0")/../../lib.sh"
build register
build register_operations
build register_errors
build register_unkind
build register_travel
says "a program that includes nothing but <mpi.h> compiles" "$sidewinder" cc --dialect register -std=c11 -Wall -Werror \
    -x c -o "$work/plain" - <<'END'
#include <mpi.h>
int main(void)
{
    MPI_Init(NULL, NULL);
    int code = MPI_Type_register(MPI_INT, MPI_COMM_WORLD) | MPI_Type_register_sparse(MPI_INT, MPI_GROUP_EMPTY,
        MPI_COMM_WORLD);
    code |= MPI_Type_dereg(MPI_INT, MPI_COMM_WORLD) | MPI_Op_register(MPI_SUM, MPI_COMM_WORLD);
    code |= MPI_Op_register_sparse(MPI_SUM, MPI_GROUP_EMPTY, MPI_COMM_WORLD) | MPI_Op_dereg(MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return code;
}
END
run now 2 plain
says "and runs" test "$status" = 0

both() { passes "$1" "$2" register; passes "$1" "$2" register_operations; }
sampled "three machines; errors and travels on one or two"
for machine in t3d smp now $(thorough && echo rdma clump cxl-pool); do both "$machine" 4; done
for policy in interrupt thread; do
    run_options=(--set "serve.policy=$policy")
    both now 5
done
run_options=(--set serve.when=completion)
for machine in t3d $(thorough && echo smp now); do both "$machine" 3; done
run_options=(--set move.eager_bytes=16B)
both now 3
run_options=(--set register.cache=2)
both now 3
run_options=()
both now 7
for machine in smp $(thorough && echo t3d now); do
    passes "$machine" 4 register_errors
    passes "$machine" 4 register_unkind
done

# ---- the texts of fatal errors
refuses() {      # CASE PATTERN: with the default handlers; in the long run on every kind of machine
    local machine
    for machine in $(thorough && echo t3d smp) now; do
        run "$machine" 4 register_errors fatal "$1"
        says "$machine: $1: ends the run" test "$status" != 0
        says "$machine: $1: says '$2'" grep -q -- "$2" "$work/err"
    done
}
refuses map "entry 1 is MPI_INT at byte 4 on rank 0, MPI_FLOAT at byte 4 on rank 2"
refuses short "entry 2 is missing on rank 0, MPI_LONG at byte 32 on rank 1"
refuses short "rank 2 differs from rank 0 as well"
refuses free "the datatype is still registered: call MPI_Type_dereg first"
refuses twice "not registered over this communicator"
refuses unregistered "not registered with target 1 for this window: call MPI_Op_register first"
refuses calls "rank 1: an MPI call inside a user-defined operation"
refuses communicates "rank 1: MPI_Barrier inside a user-defined operation"
refuses aborts "rank 1: MPI_Abort(42) in a user-defined operation"
says "MPI_Abort's code in a user's operation is the run's" test "$status" = 42
refuses crashes \
    "rank 1: segmentation fault at register_errors.c:$(grep -n CRASH "$here/register_errors.c" | cut -d: -f1)"
run_options=(--set register.required=yes)
refuses required "not registered with target 1 for this window, and this machine accepts only registered ones"

# ---- register.required: RMA is restricted to registered types
for machine in t3d now $(thorough && echo smp); do
    run "$machine" 2 register_travel vector put described
    says "$machine: with register.required, an unregistered datatype is refused" test "$status" = 3
    passes "$machine" 2 register_travel vector put registered
    passes "$machine" 2 register_travel predefined put described
done
run_options=()

# ---- what travels
travels() {      # MACHINE BYTES TYPE KIND HOW TIMES SENTENCE
    run "$1" 2 register_travel "$3" "$4" "$5" "$6"
    says "$1: $7: $2 bytes" test "$status $(json "operations[0].description_bytes")" = "0 $2"
}
travels now 0 predefined put described 1 "a predefined datatype needs no description"
travels now 12 contiguous put described 1 "a contiguous: combiner, count, predefined type"
travels now 20 vector put described 1 "a vector: combiner, three integers, predefined type"
travels now 36 indexed put described 1 "an indexed of 3: combiner, 7 integers, predefined type"
travels now 48 hindexed put described 1 "an hindexed of 3: combiner, 4 integers, 3 addresses, predefined type"
travels now 56 struct put described 1 "a struct of 3: combiner, 4 integers, 3 addresses, 3 predefined types"
travels now 28 nested put described 1 "a contiguous of vectors: what holds a datatype holds its description"
travels now 20 vector get described 1 "a get's request describes, too"
travels now 20 vector sum described 1 "and an accumulate"
travels now 8 vector put registered 1 "a registered datatype is a handle"
travels now 28 vector own described 1 "an operation of the program's is a handle"
travels now 16 vector own registered 1 "with a registered datatype, two"
travels now 8 predefined own described 1 "with a predefined one, one"
travels now 100 vector put described 5 "without a cache a description travels with every operation"
run_options=(--set move.eager_bytes=8B)
travels now 20 vector put described 1 "by rendezvous it travels with the bytes"
run_options=(--set register.cache=1)
travels now 60 vector put described 5 "a target that remembers it gets it once, with a handle, then by the handle"
travels now 120 vector put alternate 4 "the last one used is remembered: two datatypes in turn push each other out"
run_options=(--set register.cache=2)
travels now 76 vector put alternate 4 "two fit where two are remembered"
run_options=()
for machine in t3d smp rdma cxl-pool; do travels "$machine" 0 vector put described 1 \
    "where the origin reaches the target's memory nothing travels"; done

# ---- what it costs
took() { run "$@" && value us; }
run_options=(--set net.gap=0s) # else the interface's gap between two messages hides it
described=$(took now 2 register_travel vector put described 20)
registered=$(took now 2 register_travel vector put registered 20)
run_options+=(--set register.cache=1)
remembered=$(took now 2 register_travel vector put described 20)
run_options=()
says "on now with net.gap=0s, 20 puts of a described vector take longer than of a registered one \
($described, $registered us)" holds "$described > $registered"
says "and remembered ones lie between ($remembered us)" holds "$remembered > $registered && $remembered < $described"
service() { json "rank[1].service_s"; }
run now 2 register_travel hindexed put described 20
described=$(service)
run now 2 register_travel hindexed put registered 20
says "the target's processor pays for decoding" holds "$described > $(service)"
# 100,000 cycles at 167 MHz are 598.8 us, at 150 MHz 666.7: on the target's processor where it performs the operation,
# else on the origin's
run now 2 register_travel predefined own described
described=$(service)
run now 2 register_travel predefined own slow
says "now: a function's time is the target's, as service" holds \
    "$(service) - $described > 598.8e-6 && $(service) - $described < 598.9e-6"
for machine in t3d smp; do
    run "$machine" 2 register_travel predefined own described
    origin=$(json "rank[0].compute_s") target=$(json "rank[1].compute_s")
    run "$machine" 2 register_travel predefined own slow
    says "$machine: a function's time is computation of the origin's, whose processor performs the operation" \
        holds "$(json "rank[0].compute_s") - $origin > 598e-6 && $(json "rank[0].compute_s") - $origin < 668e-6"
    # The arguments differ in length: the target may load a line more of them.
    says "$machine: and not the target's" holds "$(json "rank[1].compute_s") - $target < 1e-7"
done
finish

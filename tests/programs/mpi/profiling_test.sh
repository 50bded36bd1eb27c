#!/bin/bash
# The profiling interface (MPI-3.1 14.2): a tool defines MPI_X and calls PMPI_X, linked as an object, from an archive,
# as a shared library, or loaded before the program.
. "$(dirname "$0")/../../lib.sh"
compiled() { # compiled SENTENCE WORD...: sidewinder cc of these
    local sentence=$1
    shift
    "$sidewinder" cc -std=c11 -O1 -g -Wall "$@" >"$work/build.log" 2>&1 || { cat "$work/build.log"; wrong "$sentence"; }
}
cd "$work" || exit 1
put=profiling.c:$(sed -n '/the put/=' "$here/profiling.c")
compiled "the tool is compiled" -c -o tool.o "$here/profiling_tool.c"
compiled "the program is compiled" -c -o program.o "$here/profiling.c"
ar rcs libtool.a tool.o
compiled "the tool is linked as a library" -shared -fPIC -o libtool.so "$here/profiling_tool.c"
compiled "the program is linked alone" -o alone program.o
compiled "the program is linked with the tool" -o object program.o tool.o
compiled "the program is linked with the archive" -o archive program.o -L. -l:libtool.a
compiled "the program is linked with the library" -o library program.o -L. -l:libtool.so "-Wl,-rpath,$work"

# "profiling.c:14 MPI_Win_create 2": each line's calls, without the reads of the clock that only the tool makes
calls() {
    tr -d ' \n' <json | grep -o '"at":"[^"]*","call":"[^"]*","count":[0-9]*' | tr -d '"' |
        sed 's/^at:\(.*\),call:\(.*\),count:/\1 \2 /' | grep -v MPI_Wtime | sort
}
twice_put() { sed 's/\(MPI_Put\) 2$/\1 4/' "$1"; }
tool_saw() { # tool_saw PUTS SENDS-OF-RANK-0 SENDS-OF-RANK-1
    printf 'tool, rank %s: %s puts, %s sends, level 1, time %s\n' 0 "$1" "$2" passed 1 "$1" "$3" "$4" >wanted
    grep '^tool' out | sort | cmp -s - wanted
}
for machine in t3d smp now; do
    run $machine 2 alone
    says "$machine: without the tool one number is put" grep -q '^rank 0: 2 and 0 put' out
    calls >calls_alone
    says "$machine: its calls have lines" grep -q "^$put MPI_Put 2$" calls_alone
    for how in object archive; do
        run $machine 2 $how
        says "$machine, $how: the tool puts twice" grep -q '^rank 0: 2 and 2 put' out
        says "$machine, $how: what is sent arrives" grep -q '^rank 1: 1 and 1 put, 1 received' out
        says "$machine, $how: the tool's report at exit has the calls and time of its rank" \
            tool_saw 2 1 0 "stood still"
        says "$machine, $how: each call is told once, at the program's line" \
            eval 'calls >calls_here; twice_put calls_alone | cmp - calls_here'
    done
done

run_options=(--check)
run t3d 2 object early
says "the check tells a put of the wrapper at the program's line" \
    eval 'tr -d " \n" <json >flat; grep -q "\"at\":\"$put\"" flat && grep -q "\"violations\":\[{" flat'
run_options=()

run rdma 2 library
says "a shared library's MPI_Put is called, and puts twice" grep -q '^rank 0: 2 and 2 put' out
says "each call is told at the program's line" eval 'calls | grep -q "^$put MPI_Put 4$"'
LD_PRELOAD=$work/libtool.so run rdma 2 alone
says "so is that of a library that LD_PRELOAD names" grep -q '^rank 0: 2 and 2 put' out
says "each call is told at the program's line there, too" eval 'calls | grep -q "^$put MPI_Put 4$"'

# Calls that a library of the program's makes are the tool's, too.
compiled "a library is linked" -shared -fPIC -o libexchange.so "$here/profiling_library.c"
compiled "its program is compiled" -c -o user.o "$here/profiling_user.c"
compiled "its program is linked" -o user user.o -L. -l:libexchange.so "-Wl,-rpath,$work"
compiled "and with the tool" -o user_object user.o tool.o -L. -l:libexchange.so "-Wl,-rpath,$work"
compiled "and with the tool's library" -o user_library user.o -L. -l:libexchange.so -l:libtool.so "-Wl,-rpath,$work"
wraps_library() {
    says "$1: messages of a library arrive" test "$(grep -c '^rank [01]: 8$' out)" = 2
    says "$1: the tool has counted $2 of them in $3 of its copies" \
        test "$(grep -c "^tool, rank [01]: 0 puts, $2 sends" out)" = "$3"
    says "$1: they are told at the library's line" eval 'calls | grep -q "^profiling_library.c:[0-9]* MPI_Send 2$"'
}
for how in user_object user_library; do
    run rdma 2 $how
    wraps_library $how 1 2
done
LD_PRELOAD=$work/libtool.so run rdma 2 user
wraps_library LD_PRELOAD 2 2 # one for all ranks

# Every call wrapped: programs that test the calls see nothing of it.
echo '#include <mpi.h>' >header.c
"$sidewinder" cc -E -P header.c | awk -f "$here/profiling.awk" >all.c
says "MPI has hundreds of calls to wrap" test "$(grep -c 'all_calls++' all.c)" -gt 450
compiled "the tool that wraps them is compiled" -w -c -o all.o all.c
for program in windows collectives attributes datatypes errors; do
    build $program
    run t3d 4 $program
    cp out plain
    build $program "$work/all.o"
    run t3d 4 $program
    says "$program prints the same where every call is wrapped" cmp -s out plain
done
finish

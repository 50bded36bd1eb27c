#!/bin/bash
# Programs in Fortran: PUT/ACCEPT and the other dialects as their proposals spell them, MPI's windows, what belongs to a
# rank alone, wrong arguments.
. "$(dirname "$0")/../../lib.sh"
# fortran COMMAND NAME.SUFFIX [FLAG...]: becomes $work/NAME.
fortran() {
    local command=$1 file=$2
    shift 2
    if ! "$sidewinder" "$command" "$@" -O2 -g -w -fcray-pointer -o "$work/${file%.*}" "$here/$file" >"$work/build.log" \
        2>&1; then
        cat "$work/build.log"
        wrong "$file is compiled"
        finish
    fi
}
pa="--dialect put_accept"
quiet_rules() { ! grep -q '"rule"' "$work/json"; }
cd "$work" || exit 1

fortran f77 fortran_put_accept.f $pa
fortran f90 fortran_windows.f90
sampled "t3d and now; wrong arguments on now; fewer levels"
for machine in t3d now $(thorough && echo smp clump cxl-pool); do
    passes $machine 2 fortran_put_accept
    says "no rule is broken on $machine" quiet_rules
    passes $machine 2 fortran_windows
    says "PRINT loads from the window what another put there, on $machine" grep -q '^printed=103$' "$work/out"
done
for set in serve.policy=interrupt serve.policy=thread serve.when=completion; do
    run_options=(--set $set)
    passes now 2 fortran_put_accept
done
run_options=(--quantum 0)
passes t3d 2 fortran_put_accept
run_options=()

# The module mpi has what 'mpif.h' has: the same program with it.
sed -e "s/^ *include 'mpif.h'//; s/^program windows/&\n  use mpi/" "$here/fortran_windows.f90" >"$work/module.f90"
here=$work fortran f90 module.f90
passes now 2 module

fortran f90 fortran_sizeof.f90
sed 's/use mpi$/use mpi_f08/' "$here/fortran_sizeof.f90" >"$work/sizeof08.f90"
here=$work fortran f90 sizeof08.f90
for program in fortran_sizeof sizeof08; do
    passes now 1 $program
    says "MPI_SIZEOF is of any type and rank" grep -qx 'ok: sizes 8 8 4 16 2 4' "$work/out"
done

fortran f90 fortran_kinds.f90
sed -e '/whole.*!mpif.h$/s/integer/type(MPI_Datatype)/; /win !mpif.h$/s/integer/type(MPI_Win)/' \
    -e 's/use mpi$/use mpi_f08/' "$here/fortran_kinds.f90" >"$work/kinds08.f90"
here=$work fortran f90 kinds08.f90
for program in fortran_kinds kinds08; do passes t3d 2 $program; done

fortran f90 fortran_topologies.f90
passes now 3 fortran_topologies
types='type(MPI_Comm) :: half, inter, graph, ring\n  type(MPI_Message) :: message\n  type(MPI_Request) :: request, sent'
types+='\n  type(MPI_Status) :: status\n  type(MPI_Datatype) :: types(2)'
sed "/!mpif.h$/d; s/^program topologies/&\n  use mpi_f08\n  $types/" "$here/fortran_topologies.f90" \
    >"$work/topologies08.f90"
here=$work fortran f90 topologies08.f90
passes now 3 topologies08

# Objects: what SMPI's bindings for Fortran do not do.
fortran f90 fortran_objects.f90
for machine in t3d now; do
    passes $machine 2 fortran_objects
done

# The module mpi_f08: handles are types, errors optional.
fortran f90 fortran_keys.f90
fortran f90 fortran_newer.f90
for machine in t3d $(thorough && echo smp now); do
    passes $machine 3 fortran_newer
    passes $machine 2 fortran_keys
done
fortran f90 fortran_f08.f90
for machine in t3d $(thorough && echo smp now); do
    passes $machine 2 fortran_f08
done
fortran_at() {   # fortran_at FLAGS: the same at another level
    "$sidewinder" f90 "$1" -g -o "$work/fortran_f08" "$here/fortran_f08.f90" >"$work/build.log" 2>&1
}
for level in -O0 $(thorough && echo -O3 -fcheck=all); do
    says "it is compiled with $level" fortran_at "$level"
    passes t3d 2 fortran_f08
done
run now 2 fortran_f08 fatal
says "a rank that is none is fatal by default, and named with the line of a call without ierror" \
    grep -q "^sidewinder: rank [01]: MPI_Send at fortran_f08.f90:$(grep -n "5, 0, MPI_COMM_WORLD)$" \
    "$here/fortran_f08.f90" | cut -d: -f1): " "$work/err"
calls=$(awk '/^[A-Z]/ { sub("/", "", $1); print "mpi_" tolower($1) "_" }' "$tests/../sim/dialect/fortran/f08.def")
nm -D --defined-only "${sidewinder%/bin/*}/lib/libsidewinder.so" | awk '{ print $3 }' >"$work/bindings"
missing() { grep -vxFf "$work/bindings" <<<"$calls"; }
says "each call of the module has its binding" eval '! missing'
cat >"$work/wrong.f90" <<'END'
program wrong
  use mpi_f08
  integer :: comm, rank
  call MPI_Comm_rank(comm, rank)
end program
END
says "an integer is no handle: it does not compile" \
    eval '! "$sidewinder" f90 "$work/wrong.f90" -o "$work/wrong" 2>"$work/err" && grep -q MPI_Comm "$work/err"'

# The profiling interface: a subroutine MPI_PUT of the program's, which calls PMPI_PUT; and so in mpi_f08.
fortran f90 fortran_tooled.f90 "$here/fortran_tool.f90"
run t3d 2 fortran_tooled
says "MPI_PUT that a tool wraps puts" grep -q 'rank  *0  *got  *2' "$work/out"
says "the tool has counted and timed each rank's calls" \
    test "$(grep -c 'tool  *1  *[01]  *T' "$work/out")" = 2
says "they are told at the program's line" \
    grep -q "\"fortran_tooled.f90:$(grep -n 'MPI_PUT' "$here/fortran_tooled.f90" | cut -d: -f1)\"" "$work/json"
sed -e 's/use mpi$/use mpi_f08/; s/, win, got/, got/; s/integer :: ierr/type(MPI_Win) :: win\n  &/' \
    -e 's/ MPI_SEND/ PMPI_Send/' "$here/fortran_tooled.f90" >"$work/tooled08.f90"
here=$work fortran f90 tooled08.f90
run t3d 2 tooled08
says "PMPI_Send of mpi_f08 sends" grep -q 'rank  *0  *got  *2' "$work/out"

# The calls are PA_'s: the same program with those names and without the dialect.
sed -e 's/MPI_\(PUT\|GET\)\(HOLD\|C\|\)(/PA_\1\2(/; s/MPI_\(I\|\)\(ACCEPT\|OFFER\)\(C\|\)(/PA_\1\2\3(/' \
    -e 's/MPI_\(I\|\)AVAIL(/PA_\1AVAIL(/' \
    -e "s/MPI_PROBE(/PA_PROBE(/; s/MPI_RMA_/PA_RMA_/; s/INCLUDE 'mpif.h'/&\n      INCLUDE 'put_accept.inc'/" \
    "$here/fortran_put_accept.f" >"$work/names.f"
here=$work fortran f77 names.f
passes t3d 2 names

# ---- the other dialects ----
fortran f77 fortran_shmalloc.f --dialect shmalloc
fortran f90 fortran_register.f90 --dialect register
for machine in t3d $(thorough && echo smp now clump); do
    passes $machine 2 fortran_shmalloc
    passes $machine 2 fortran_register
done
run t3d 2 fortran_shmalloc
says "the ten floats of SHMALLOC's example are printed" \
    test "$(sed -n 's/^float //p' "$work/out" | tr '\n' ' ')" = \
    "0.000000 1.100000 2.200000 3.300000 4.400000 5.500000 6.600000 7.700000 8.800000 9.900001 "

# ---- a load of an old value ----
fortran f77 fortran_stale.f
line() { grep -n "$1" "$here/fortran_stale.f" | cut -d: -f1; }
run t3d 2 fortran_stale
says "a load after a barrier reads the old value on t3d" grep -q STALE "$work/out"
says "and the new one once its window is locked" grep -q 'LOCKED  *1' "$work/out"
says "the report names the line that loads" test "$(json 'stale[0].load_at')" = \
    "fortran_stale.f:$(line "PRINT \*, 'STALE'")"
says "and the line that put: a statement over several lines is at its first" \
    test "$(json 'stale[0].writer.at')" = "fortran_stale.f:$(line 'CALL MPI_PUT')"
run smp 2 fortran_stale
says "on smp it reads the new value" grep -q FRESH "$work/out"

# ---- a rank's own ----
fortran f90 fortran_rank.f90
passes_but_stops() { [ "$status" = 5 ] && ! grep -q FAILED "$work/out" && grep -q '^ok' "$work/out"; }
for machine in t3d now; do
    run $machine 3 fortran_rank
    sed "s/^/[$machine] /" "$work/out"
    says "everything above, and STOP 5 is the run's exit code" passes_but_stops
    cp "$work/out" "$work/out.$machine"
    run $machine 3 fortran_rank
    says "a second run prints the same, random numbers too" cmp "$work/out" "$work/out.$machine"
done
says "nine lines came while others' were under way" test "$(grep -c '^line [123] of [012]$' "$work/out")" = 9

# ---- a crash ----
cat >"$work/crash.f90" <<'END'
program crash
  use mpi
  integer :: ierr, rank
  integer, pointer :: nowhere
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  write (*, '(a,i0)', advance='no') 'half a line of rank ', rank
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  nullify(nowhere)
  if (rank == 1) nowhere = 3
  call MPI_Finalize(ierr)
end program
END
here=$work fortran f90 crash.f90
run t3d 2 crash
says "a crash is reported with rank and line, and what both ranks had not flushed is there" \
    eval '[ "$status" = 139 ] && grep -q "^sidewinder: rank 1: segmentation fault at crash.f90:10$" "$work/err" &&
    grep -q "half a line of rank 0" "$work/out" && grep -q "half a line of rank 1" "$work/out"'

# ---- C beside it ----
"$sidewinder" f77 $pa -g -c "$here/fortran_requests.f" && "$sidewinder" f77 -g -c "$here/fortran_window.f" &&
    "$sidewinder" cc -g -c -I"$tests" "$here/fortran_mixed.c" || wrong "objects of three kinds are compiled"
for link in "f90 -o mixed" "cc -o mixed -lgfortran"; do
    "$sidewinder" ${link%% *} fortran_mixed.o fortran_requests.o fortran_window.o ${link#* } || wrong "sidewinder $link"
    passes t3d 2 mixed
done

# ---- wrong arguments ----
fortran f77 fortran_wrong.f $pa
for machine in now $(thorough && echo t3d smp); do
    passes $machine 2 fortran_wrong
    cp "$work/out" "$work/reported"
    run $machine 2 fortran_wrong lost
    says "$machine: a request that nobody serviced is named with its line" \
        grep -Eq 'rank 0: a PUT to rank 1 with tag 3 was never matched \(issued at fortran_wrong.f:18\)' "$work/err"
    run $machine 2 fortran_wrong starve
    says "$machine: a deadlock reports the missing counts" \
        eval '[ "$status" = 3 ] && grep -q "rank 1: PA_Accept with tag 3 has serviced 1 of 3 PUT requests" "$work/err"'
    run $machine 2 fortran_wrong round
    says "$machine: and who has not come to a collective one" \
        eval '[ "$status" = 3 ] &&
        grep -q "PA_Acceptc with tag 3: round 1 has been reached by 1 of 2 processes" "$work/err"'
done
for i in $(seq 16); do
    run t3d 2 fortran_wrong fatal "$i"
    says "mistake $i is fatal by default, and names rank, call and line" \
        eval '[ "$status" -ne 0 ] && grep -Eq "rank [01]: PA_[A-Za-z]+ at fortran_wrong.f:[0-9]+: [a-z0-9]" "$work/err"'
    what=$(sed -n 's/^sidewinder: rank [01]: \(PA_[A-Za-z]*\) at [^:]*:[0-9]*\(: .*\) (MPI_ERR.*/\1\2/p' "$work/err" |
        head -1)
    says "it is one of those above: $what" \
        awk -v what="$what" \
        'sub(/^ok: /, "") { sub(/ +$/, ""); if (index(what, $0) == 1) found = 1 } END { exit !(found && what) }' \
        "$work/reported"
done
finish

#!/bin/bash
# SHMALLOC get/put: every sentence of the proposal (E. Salo, MPI-2 mailing list, 31 October 1995), on every kind of
# machine and under every servicing policy; wrong arguments; the author's questions: chunks, cache invalidation, a
# listening thread, shared pages.
. "$(dirname "$0")/../../lib.sh"
build shmalloc
build shmalloc_errors
build shmalloc_shows
optimize=-O2 build shmalloc_tearing # what is lost depends on when

says "the proposal's example compiles as it stands, with its includes and MPI_Init" \
    "$sidewinder" cc --dialect shmalloc -std=gnu89 -O2 -g -o "$work/shmalloc_example" "$here/shmalloc_example.c"
# Puts and gets of up to 256 KiB; in the short run only now as it is moves more than 20000 bytes.
upto() { thorough || [ "${1:-}" = now ] || echo 20000; }
sampled "blocks of at most 20000 bytes, of 256 KiB on now; four machines"
floats=$(printf '%s\n' 0.000000 1.100000 2.200000 3.300000 4.400000 5.500000 6.600000 7.700000 8.800000 9.900000)
for machine in t3d smp now cxl-pool $(thorough && echo clump rdma challenge now-ethernet); do
    run "$machine" 2 shmalloc_example
    says "$machine: it prints the ten floats" test "$(cat "$work/out")" = "$floats"
    passes "$machine" 4 shmalloc $(upto "$machine")
    passes "$machine" 3 shmalloc_errors
done
with() {       # MACHINE KEY=VALUE: the same with that machine changed
    run_options=(--set "$2")
    passes "$1" 4 shmalloc $(upto)
    run_options=()
}
sampled "one key in three, each on one machine"
for key in serve.policy=thread $(thorough &&
    echo move.eager_bytes=64B serve.policy=interrupt serve.when=completion shmalloc.strict=0); do
    with now "$key"
done
for key in serve.policy=polling shmalloc.chunk=1 $(thorough && echo ni.invalidate=index ni.invalidate=address \
    move.put=message move.get=message serve.when=completion ni.block_puts=1); do
    with t3d "$key"
done
for key in serve.when=completion $(thorough && echo serve.policy=thread); do with smp "$key"; done

# ---- wrong arguments, reported: what|exit code|words
while IFS='|' read -r what words; do
    run now 3 shmalloc_errors "$what"
    says "a bad call is reported: $words" eval '[ "$status" -ne 0 ] &&
        grep -q "sidewinder: rank [01]: .* at shmalloc_errors.c:[0-9]*: $words" "$work/err"'
done <<'WRONG'
negative|the offset is -8 (MPI_ERR_DISP)
past|offset 56 + 16 bytes leaves the window of rank 0 (64 bytes) (MPI_ERR_DISP)
none|rank 2 has no window (MPI_ERR_DISP)
rank|rank 3 is not in the communicator of 3 ranks (MPI_ERR_RANK)
type|the datatype is not committed (MPI_ERR_TYPE)
world|not a valid get/put communicator: SHM_Shmalloc creates one (MPI_ERR_COMM)
freed|not a valid get/put communicator: SHM_Shmalloc creates one (MPI_ERR_COMM)
length|the length of the window is negative (MPI_ERR_SIZE)
WRONG

# ---- "Cache invalidation on the T3D may be something of a problem"
line_of() { grep -n "$2" "$here/$1" | head -1 | cut -d: -f1; }
saw() { [ "$(value before) $(value after_world) $(value after_copy) $(value after_own)" = "$1" ]; }
run t3d 2 shmalloc_shows stale
says "t3d: after another communicator's barrier a cached cell is old; after the get/put communicator's it is not" saw \
    "0 0 0 1"
says "t3d: that barrier pays for dropping the window's lines" holds "$(json 'rank[1].cache[0].flushed_lines') > 0"
says "t3d: the report names the put and what would have helped" eval '
    "$sidewinder" run -m t3d -n 2 "$work/shmalloc_shows" stale 2>&1 >/dev/null | tr -s "\n " "  " |
    grep -q "wrote that with SHM_Put at shmalloc_shows.c:$(line_of shmalloc_shows.c PUT).*would have seen it after \
MPI_Barrier on the get/put communicator"'
for how in index address; do
    run_options=(--set "ni.invalidate=$how")
    run t3d 2 shmalloc_shows stale
    says "t3d, ni.invalidate=$how: a put drops the cached line by itself" saw "0 1 1 1"
done
run_options=()
for machine in smp now; do
    run "$machine" 2 shmalloc_shows stale
    says "$machine: caches are coherent, nobody sees the old value" saw "0 1 1 1"
done

# ---- "An asynchronous thread to listen": 2 ms of computation at the target
export CYCLES=334000
put_get() { run now 3 shmalloc_shows busy; says "now: the get finds the put's value" test "$(value back)" = 5; }
put_get
says "now, polling: the target answers when it has computed; a put to another target waits for that (strict order)" \
    holds "$(value put_us) < 10 && $(value put_elsewhere_us) > 1900 && $(value computed_us) < 2001"
run_options=(--set shmalloc.strict=0)
put_get
says "now, shmalloc.strict=0: only the get waits" holds "$(value put_elsewhere_us) < 10 && $(value get_us) > 1900"
for policy in interrupt thread; do
    run_options=(--set "serve.policy=$policy")
    put_get
    says "now, $policy: requests are serviced as they arrive, and take the target's time" \
        holds "$(value put_elsewhere_us) < 150 && $(value get_us) < 150 && $(value computed_us) > 2030"
done
run_options=(--trace "$work/trace")
export CYCLES=334000
run smp 3 shmalloc_shows busy
says "smp: shared pages: the origin's loads and stores do it all" eval \
    '[ "$(grep -c "^[gp][eu]t," "$work/trace")" = 3 ] &&
    [ "$(grep -c "^[gp][eu]t,.*,SHM_.*,loadstore," "$work/trace")" = 3 ] && holds "$(json "rank[1].service_s") == 0 &&
        $(value computed_us) < 2001"'

# ---- the end
for machine in t3d now; do
    run "$machine" 2 shmalloc_shows unfinished
    says "$machine: a put in flight at MPI_Finalize completes before the process ends" \
        holds "$(awk -F, '/^put,/ {print $13}' "$work/trace") > 0 &&
            $(json 'rank[0].time_s') >= $(awk -F, '/^put,/ {print $13}' "$work/trace")"
done
run_options=()

# ---- "What happens if two different processes try to write to bytes located within the same remote word?"
tear() {       # MACHINE CHUNK WHO BYTES APART [RANKS]
    run_options=(--set "shmalloc.chunk=$2" --quantum 0)
    run "$1" "${6:-3}" shmalloc_tearing "$3" "$4" "$5"
    run_options=()
}
lost() { echo $(($(value lost_of_1) + $(value lost_of_other))); }
noted() { tr -d '\n' <"$work/json" | grep -o '"kind" : "lost_update"[^]]*' | grep -o '"count" : [0-9]*' |
    awk '{n += $3} END {print n + 0}'; }
lost_over() {  # CALL LINE WRITER-RANK WRITER-CALL WRITER-LINE: is that reported?
    tr -d '\n' <"$work/json" | tr -s ' ' | grep -q \
        "\"call\" : \"$1\", \"at\" : \"shmalloc_tearing.c:$2\", \"writer\" : { \"rank\" : $3, \"call\" : \"$4\"${5:-}"
}
at_line() { line_of shmalloc_tearing.c "$1"; }
sampled "bytes within a word on t3d and smp"
for machine in t3d $(thorough && echo rdma cxl-pool) smp; do
    tear "$machine" 8 put 1 1
    says "$machine, chunks of 8 bytes: puts of bytes in one word lose each other ($(lost) of 600)" holds "$(lost) > 0"
    says "$machine: every one lost is reported" test "$(lost)" = "$(noted)"
    says "$machine: with both writers and their lines" eval '
        lost_over SHM_Put "$(at_line OTHER)" 1 SHM_Put ", \"at\" : \"shmalloc_tearing.c:$(at_line PUT)\"" ||
        lost_over SHM_Put "$(at_line PUT)" 2 SHM_Put ", \"at\" : \"shmalloc_tearing.c:$(at_line OTHER)\""'
    tear "$machine" 8 put 1 1 6
    says "$machine: with five writers, too, and the owner, who stores nothing, is no loser" eval '
        [ "$(noted)" -gt 0 ] && ! grep -q "\"call\" : \"store\"" "$work/json"'
    tear "$machine" 8 put 1 8
    says "$machine, chunks of 8 bytes: puts of bytes in two words do not" test "$(lost) $(noted)" = "0 0"
    tear "$machine" 4 put 1 4
    says "$machine, chunks of 4 bytes: bytes of two chunks in one word do not" test "$(lost) $(noted)" = "0 0"
    tear "$machine" 4 put 1 1
    says "$machine, chunks of 4 bytes: bytes of one chunk do" holds "$(lost) > 0"
    tear "$machine" 1 put 1 1
    says "$machine, chunks of 1 byte: nothing is lost" test "$(lost) $(noted)" = "0 0"
done
tear t3d 8 put 4 4
says "t3d: longwords are stored as they are: nothing is lost" test "$(lost) $(noted)" = "0 0"
tear smp 8 put 4 4
says "smp, chunks of 8 bytes: two halves of one lose each other" holds "$(lost) > 0"
tear t3d 8 store 1 1
says "t3d: a put and the owner's byte store lose each other" holds \
    "$(value lost_of_1) > 0 && $(value lost_of_other) > 0"
says "t3d: reported both ways" eval 'test "$(lost)" = "$(noted)" && lost_over SHM_Put "$(at_line PUT)" 0 store &&
    lost_over store "$(at_line STORE)" 1 SHM_Put'
tear smp 8 store 1 1
says "smp, chunks of 8 bytes: a put loses the owner's store" eval 'holds "$(value lost_of_other) > 0" &&
    test "$(lost)" = "$(noted)"'
for policy in polling interrupt thread; do
    run_options=(--set shmalloc.chunk=8 --set "serve.policy=$policy")
    run now 3 shmalloc_tearing put 1 1
    says "now, $policy: a handler reads and writes a chunk at once: nothing is lost" test "$(lost) $(noted)" = "0 0"
done
run t3d 3 shmalloc_tearing put 1 1
run_options=()
run t3d 3 shmalloc_tearing put 1 1
says "t3d: chunks of 8 bytes are its own" holds "$(lost) > 0"
for bad in 0 3B 8KiB; do
    run_options=(--set "shmalloc.chunk=$bad")
    run t3d 3 shmalloc_tearing put 1 1
    says "shmalloc.chunk=$bad is refused by name" eval '[ "$status" = 2 ] && grep -q "shmalloc.chunk" "$work/err"'
done
finish

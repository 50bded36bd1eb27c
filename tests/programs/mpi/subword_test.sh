#!/bin/bash
# A store of a byte writes the word around it on some machines (cpu.subword=rmw8): no byte is lost that MPI protects,
# which is charged and reported; cpu.subword_restore=0 shows the hardware alone.
. "$(dirname "$0")/../../lib.sh"
build subword

# kept WHO MACHINE SET...: the program's own sentence, with those keys.
kept() {
    local who=$1 machine=$2 key
    shift 2
    run_options=()
    for key; do run_options+=(--set "$key"); done
    run "$machine" 3 subword "$who"
    says "$who, $machine $*: no byte of a put, and none of a store, is lost" \
        test "$status $(value put_lost) $(value own_lost)" = "0 0 0"
}
sampled "every third key, of each program others"
at=0
mine() { at=$((at + 1)); thorough || [ $((at % 3)) = 0 ]; }
for who in beside windows origins passive; do
    kept "$who" t3d
    for key in ni.invalidate=index ni.invalidate=address wb.entries=0 cache.l1.size=0 wb.timeout=1us \
        serve.policy=polling move.put=message "cache.l1.write=back cache.l1.allocate=both"; do
        # shellcheck disable=SC2086
        if mine; then kept "$who" t3d $key; fi
    done
    for machine in rdma now cxl-pool clump; do
        if mine; then kept "$who" "$machine" cpu.subword=rmw8; fi
    done
done

run_options=()
run t3d 3 subword beside
time_us=$(value time_us)
says "the C library reads what was put too" test "$(value text)" = 1
noted() { tr -d '\n' <"$work/json" | grep -o "\"kind\" : \"$1\"[^]]*" | grep -o '"bytes" : [0-9]*' | head -1; }
restored=$(noted restored)
restored=${restored##* }
# Which of the 1,200 a store hits is a matter of dates; that it is as many as the hardware alone loses is said below.
says "the report counts the bytes that were restored ($restored), and says that none was lost" \
    test "$((restored >= 1000 && restored <= 1200)) $(noted lost_update)" = "1 "
says "it names the store and the put" eval '
    "$sidewinder" run -m t3d -n 3 "$work/subword" beside 2>&1 >/dev/null | tr -s "\n " "  " |
    grep "Restored: rank 0.s store at subword.c:[0-9]* is " |
    grep -q "over ${restored%???},${restored#?} bytes of rank 1.s MPI_Put at"'
run_options=(--set cpu.subword_restore=0)
run t3d 3 subword beside
says "cpu.subword_restore=0: the hardware alone loses them" test "$(value put_lost)" = "$restored"
says "which is quicker" holds "$(value time_us) < $time_us"
finish

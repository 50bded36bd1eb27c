# What the test scripts share. Source it: builds and runs programs, counts sentences that failed.
#   SIDEWINDER   the command under test (default: sidewinder)
#   POINTS       set: the long run
set -u
here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
apps=$tests/../apps
sidewinder=${SIDEWINDER:-sidewinder}
case $sidewinder in */*) sidewinder=$(realpath "$sidewinder") ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/sidewinder-test-XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0

ok() { echo "ok: $*"; }
wrong() { echo "FAILED: $*"; failures=$((failures + 1)); }
finish() { echo "$failures failed"; exit $((failures > 0)); }

# thorough: in the long run (./bootstrap test --all sets POINTS)? The short one takes a fixed sample and reports which:
# sampled TEXT.
thorough() { [ "${POINTS:-}" ]; }
sampled() { thorough || echo "a sample: $*"; }

# until_true COMMAND...: waits until the command is true. The limit is for what never will be, on the slowest host: no
# test depends on how fast one is.
until_true() {
    local i
    for ((i = 0; i < 2000; i++)); do
        "$@" && return 0
        sleep 0.05
    done
    return 1
}

# says SENTENCE COMMAND...: the command decides whether the sentence is true.
says() {
    local sentence=$1
    shift
    if "$@"; then ok "$sentence"; else wrong "$sentence"; fi
}

# build PATH/NAME [FLAG...]: NAME.c, its path from the script, becomes $work/NAME. Where a variable is at each
# instruction, what gcc takes longest for, only a debugger asks. -O1 takes half of what -O2 does, which is for programs
# whose times or code matter (optimize=-O2).
build() {
    local name=$1
    shift
    if ! "$sidewinder" cc -std=c11 "${optimize:--O1}" -g -fno-var-tracking -Wall -I"$here" -I"$tests" \
        -o "$work/${name##*/}" "$here/$name.c" -lm "$@" >"$work/build.log" 2>&1; then
        cat "$work/build.log"
        wrong "$name.c is compiled"
        finish
    fi
}

# run MACHINE RANKS PROGRAM [ARGUMENT...]: output in $work/out, errors in $work/err, JSON in $work/json, exit code in
# $status. run_options (an array) goes to sidewinder run.
run_options=()
run() {
    local machine=$1 ranks=$2 program=$3
    shift 3
    rm -f "$work/json"
    status=0
    {      # the braces keep bash's own word on a program that died of a signal
        timeout 600 "$sidewinder" run -q -m "$machine" -n "$ranks" --json "$work/json" \
            ${run_options[@]+"${run_options[@]}"} \
            "$work/$program" "$@" >"$work/out" 2>"$work/err" || status=$?
    } 2>/dev/null
}

# passes MACHINE RANKS PROGRAM [ARGUMENT...]: the program's own sentences are the test's. Lines that match $hide are not
# shown.
hide='^$'
passes() {
    run "$@"
    grep -v -e "$hide" "$work/out" | sed "s/^/[$1] /"
    if [ "$status" -ne 0 ] || grep -q '^FAILED' "$work/out" || ! grep -q '^ok' "$work/out"; then
        sed 's/^/    /' "$work/err"
        wrong "$3 ${*:4} on $1 with $2 ranks (exit code $status)"
    fi
}

# value NAME: what the program printed as NAME=...
value() { sed -n "s/^$1=//p" "$work/out"; }
# json KEY: a value of the run's JSON.
json() { "$sidewinder" compare --key "$1" "$work/json"; }
# holds EXPRESSION: arithmetic on real numbers.
holds() { awk "BEGIN { exit !($*) }"; }

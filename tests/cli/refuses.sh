# What the tests of refused command lines share; sourced after tests/lib.sh.

# SENTENCE WORD ARGUMENT...: the message holds WORD (a regular expression)
refuses() {
    local sentence=$1 word=$2
    shift 2
    status=0
    timeout 600 "$sidewinder" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    if [ "$status" -gt 0 ] && [ "$status" -lt 124 ] && grep -Eqi -- "$word" "$work/err" && [ ! -s "$work/out" ] &&
        [ "$(wc -l <"$work/err")" -le 6 ]; then
        ok "$sentence: $(head -n 1 "$work/err")"
    else
        sed 's/^/    /' "$work/out" "$work/err"
        wrong "$sentence (exit code $status, expected a short message with '$word')"
    fi
}

# What the tests of launchers share: an experiment whose program counts its runs outside, its table made here, and the
# comparison.
. "$here/../../lib.sh"
cp "$here/point.c" "$work"
# experiment FOLDER: $work/FOLDER/experiment.ini; what ran is in $work/FOLDER/ran.
experiment() {
    mkdir -p "$work/$1"
    cat >"$work/$1/experiment.ini" <<END
[experiment]
title=Launched
source=../point.c
arguments="$work/$1/ran" "{machine} {when} it's \$HOME" {n}
machines=t3d;now
ranks=2
[vary]
when=a b;c*
n=10;${2:-100}
[measure]
time_us=json:time_s * 1e6
said=line:^(.*):
END
}
ran() { wc -l <"$work/$1/ran"; }
experiment here
"$sidewinder" sweep "$work/here/experiment.ini"
says "what this machine makes of it: 8 points" [ "$(grep -c '^[tn]' "$work/here/data.csv")" = 8 ]
# same SENTENCE FOLDER OPTION...: swept with those options, the same table; each point ran once.
same() {
    local sentence=$1 folder=$2
    shift 2
    [ -d "$work/$folder" ] || experiment "$folder"
    status=0
    timeout 300 "$sidewinder" sweep "$@" "$work/$folder/experiment.ini" >"$work/out" 2>"$work/err" || status=$?
    says "$sentence" eval '[ $status = 0 ] && cmp "$work/here/data.csv" "$work/$folder/data.csv" &&
        [ "$(ran "$folder")" = 8 ] && [ ! -e "$work/$folder/.sweep" ]'
    [ $status = 0 ] || sed 's/^/    /' "$work/err"
}

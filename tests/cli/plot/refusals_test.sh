#!/bin/bash
# sidewinder plot refuses what cannot be drawn: file, line, group and key, what was wrong, what is accepted; exit code
# not 0; no figure touched.
. "$(dirname "$0")/../../lib.sh"

mkdir "$work/x"
reset() {
    printf '%s\n' '# a remark' machine,ranks,grain,variant,time_us,failed t3d,2,0,fence,1.5, t3d,4,0,fence,3, \
        t3d,2,10,fence,2, t3d,4,10,fence,4, \
        t3d,2,0,pscw,1, t3d,4,0,pscw,2, t3d,2,10,pscw,7, t3d,4,10,pscw,8, >"$work/x/data.csv"
}
experiment() {
    printf '%s\n' '[experiment]' title=T program=p machines=t3d 'ranks=2;4' 'arguments={grain} {variant}' '[vary]' \
        'grain=0;10' 'variant=fence;pscw' \
        '[measure]' time_us=json:time_s "$@" >"$work/x/experiment.ini"
}
# refuses SENTENCE CODE PATTERN LINE...: those lines behind the experiment's
refuses_now() {
    local sentence=$1 code=$2 pattern=$3
    shift 3
    echo old >"$work/x/figure.svg"
    status=0
    "$sidewinder" plot "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    if [ "$status" = "$code" ] && grep -Eq -- "$pattern" "$work/err" && [ ! -s "$work/out" ] &&
        [ "$(cat "$work/x/figure.svg")" = old ] &&
        [ -z "$(find "$work/x" -name '*.svg*' ! -name figure.svg)" ]; then
        ok "$sentence: $(head -n 1 "$work/err")"
    else
        sed 's/^/    /' "$work/out" "$work/err"
        wrong "$sentence (exit code $status, expected $code and '$pattern')"
    fi
}
refuses() {
    local sentence=$1 pattern=$2
    shift 2
    experiment "$@"
    refuses_now "$sentence" 1 "$pattern" "$work/x"
}
good=('[plot]' kind=lines x=ranks y=time_us series=variant where=grain=0)
reset
experiment "${good[@]}"
says "what is refused below is drawn here" "$sidewinder" plot "$work/x"

refuses "no [plot]" 'experiment.ini: there is no group \[plot\]'
refuses "no kind" 'experiment.ini:12: \[plot\]: kind: is missing; accepted are lines, bars and heat' '[plot]' x=ranks \
    y=time_us
refuses "an unknown kind" 'experiment.ini:13: \[plot\] kind: unknown kind pie; accepted are lines, bars and heat' \
    '[plot]' kind=pie x=ranks y=time_us
refuses "no x" '\[plot\]: x: is missing' '[plot]' kind=lines y=time_us
refuses "no y" '\[plot\]: y: is missing' '[plot]' kind=lines x=ranks
refuses "an unknown key" '\[plot\] serie: unknown key \(did you mean series\?\); accepted are kind, x,' "${good[@]}" \
    serie=variant
refuses "a z axis" '\[plot\] z: .*series gives the rows and y the value' '[plot]' kind=heat x=ranks y=time_us z=grain
refuses "a column that is not there, with those there are" \
    'y: .*data.csv has no column .speed.; accepted are machine, ranks, grain, variant, time_us' '[plot]' kind=lines \
    x=ranks y=speed
refuses "a series that is not there" "series: .*no column 'colour'" '[plot]' kind=lines x=ranks y=time_us \
    'series=variant;colour'
refuses "a panel that is not there" "panel: .*no column 'colour'" "${good[@]}" panel=colour
refuses "a condition on what is not there" "where: .*no column 'colour'" '[plot]' kind=lines x=ranks y=time_us \
    where=colour=red
refuses "a condition that is none" "where: 'grain' is not a condition" '[plot]' kind=lines x=ranks y=time_us where=grain
refuses "a condition no point fits" 'where: none of the 8 points' '[plot]' kind=lines x=ranks y=time_us where=grain=11
refuses "an axis that is none" 'log: z is not an axis; accepted are x, y' "${good[@]}" log=z
refuses "zero on a logarithmic axis" "log: x cannot be logarithmic: column grain has '0'.*where=grain!=0" '[plot]' \
    kind=lines x=grain y=time_us series=variant where=ranks=2 log=x
refuses "words on a logarithmic axis" "log: x cannot be logarithmic: column variant has 'fence'" '[plot]' kind=lines \
    x=variant y=time_us 'where=ranks=2;grain=0' log=x
refuses "a logarithmic axis of bars side by side" 'log: the x values of bars have no scale' '[plot]' kind=bars x=ranks \
    y=time_us series=variant where=grain=0 log=x
refuses "points on top of each other, with the column that distinguishes them" \
    'series: lines 3 and 5 of .*differ in grain \(0 and 10\).*where=grain=0' '[plot]' kind=lines x=ranks y=time_us \
    series=variant
refuses "a heat map of two columns" 'y: a heat map shows one column' '[plot]' kind=heat x=ranks 'y=time_us;failed' \
    series=variant where=grain=0
refuses "a heat map without rows" 'series: is missing' '[plot]' kind=heat x=ranks y=time_us where=grain=0
refuses "words where numbers are drawn" "data.csv:3: 'fence' in column variant is not a number" '[plot]' kind=lines \
    x=ranks y=variant where=grain=0
refuses "a table that is not there" 'x/table.csv' "${good[@]}" data=table.csv
refuses "a second figure that is wrong keeps the first from being written" 'plot two\] kind: unknown kind pie' \
    "${good[@]}" '[plot two]' kind=pie x=ranks y=time_us
refuses "a name that leads elsewhere" "'../two' is not a valid figure name" "${good[@]}" '[plot ../two]' kind=lines \
    x=ranks y=time_us
refuses "a name that is taken" "plot figure.: figure.svg is already the file of another" "${good[@]}" '[plot figure]' \
    kind=bars x=ranks y=time_us series=variant where=grain=0

sed -i 's/^t3d,4,0,pscw,2,/t3d,4,0,pscw,-2,/' "$work/x/data.csv"
refuses "a negative value on a logarithmic axis" 'log: y cannot be logarithmic: .*data.csv:8 has -2 in column time_us' \
    "${good[@]}" log=y
reset
{ echo machine,ranks,grain,variant,time_us; for i in $(seq 20); do echo "t3d,2,0,v$i,1"; done; } >"$work/x/data.csv"
refuses "more series than one can tell apart" 'series: 20 series, more than the 14 that can be distinguished' \
    "${good[@]}"
refuses "more bars than one can tell apart" 'series: 20 series, more than the 8' '[plot]' kind=bars x=ranks y=time_us \
    series=variant where=grain=0
refuses "more panels than fit" 'panel: 20 panels, more than 12' '[plot]' kind=lines x=ranks y=time_us panel=variant \
    where=grain=0

echo machine,ranks,time_us >"$work/x/data.csv"
refuses "no points" 'data.csv holds no points' "${good[@]}"
: >"$work/x/data.csv"
refuses "empty data" 'data.csv holds no points' "${good[@]}"
printf '%s\n' machine,ranks,time_us t3d,2 >"$work/x/data.csv"
refuses "a line cut short" 'data.csv:2: 2 values, where the header names 3' "${good[@]}"
printf '%s\n' machine,ranks,ranks t3d,2,3 >"$work/x/data.csv"
refuses "two columns of one name" 'data.csv:1: column 3' "${good[@]}"
printf '%s\n' machine,ranks,time_us '"t3d,2,3' >"$work/x/data.csv"
refuses "a quotation without an end" 'data.csv:2: .*does not end' "${good[@]}"
printf 'machine,ranks,time_us\nt3d,2,\377\n' >"$work/x/data.csv"
refuses "what is no text" 'data.csv is not text' "${good[@]}"
printf '%s\n' machine,ranks,grain,variant,time_us t3d,2,0,fence, >"$work/x/data.csv"
refuses "nothing but failed points" 'y: no value' "${good[@]}"
rm "$work/x/data.csv"
refuses "no data" 'cannot read .*data.csv: No such file or directory .sidewinder sweep writes it.' "${good[@]}"
reset
experiment "${good[@]}"
refuses_now "a place that is not there" 1 'cannot write .*none.*: No such file' --output "$work/none" "$work/x"
mkfifo "$work/pipe"
ln -s "$work/pipe" "$work/x/linked.svg"
experiment '[plot linked]' kind=lines x=ranks y=time_us series=variant 'where=grain=0'
cat "$work/pipe" >"$work/read" &
says "a pipe is written, through a link too, and stays" eval '"$sidewinder" plot "$work/x" && wait $! &&
    [ -p "$work/pipe" ] && [ -L "$work/x/linked.svg" ] && grep -q "</svg>" "$work/read"'
rm "$work/x/linked.svg"
experiment "${good[@]}"
PATH_BEFORE=$PATH
PATH=/none
status=0
"$sidewinder" plot "$work/x" 2>"$work/err" || status=$?
PATH=$PATH_BEFORE
says "no gnuplot is reported, with its package" eval '[ $status = 1 ] && grep -q "gnuplot-nox" "$work/err"'
refuses_now "no experiment" 2 'give one experiment'
refuses_now "two experiments" 2 'give one experiment' "$work/x" "$work/x"
refuses_now "an experiment that is not there" 1 'No such file' "$work/none"
refuses_now "an unknown option" 2 'frobnicate' --frobnicate "$work/x"
finish

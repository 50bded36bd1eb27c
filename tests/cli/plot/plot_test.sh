#!/bin/bash
# sidewinder plot: "the CSV and the experiment's [plot] section to SVG through gnuplot: lines with log axes, bars, heat
# maps; colour-blind-safe, labelled with units". The data here are made up, so that every mark is known.
. "$(dirname "$0")/../../lib.sh"

mkdir "$work/x"
cat >"$work/x/head" <<'INI'
[experiment]
title=How long & how <far>
program=none
machines=t3d;now
ranks=2..16*2
arguments={variant}
[vary]
net.latency=1us;5us;25us
variant=fence;pscw
[measure]
time_us=json:time_s * 1e6
moved=json:operations[put].bytes
INI
for latency in 1us 5us 25us; do
    for variant in fence pscw; do
        for ranks in 2 4 8 16; do
            for machine in t3d now; do echo "$machine,$ranks,$latency,$variant,$((ranks * 3)).5,$ranks"; done
        done
    done
done | sed -e 's/^now,8,1us,fence,.*/now,8,1us,fence,,/' | { echo "# a remark, with commas";
    echo machine,ranks,net.latency,variant,time_us,moved; cat; } >"$work/x/data.csv"

# draws LINE...: those lines behind the experiment's; figure.svg in the folder.
draws() {
    rm -f "$work"/x/*.svg
    { cat "$work/x/head"; printf '%s\n' "$@"; } >"$work/x/experiment.ini"
    status=0
    "$sidewinder" plot "$work/x" >"$work/out" 2>"$work/err" || status=$?
    [ "$status" = 0 ] || return 1
}
script() { "$sidewinder" plot --script "$work/x"; }
lines=('[plot]' kind=lines x=ranks y=time_us series=variant panel=machine where=net.latency=1us 'log=x;y' \
    'xlabel=ranks' 'ylabel=time (µs)')

says "lines are drawn" draws "${lines[@]}"
svg=$work/x/figure.svg
says "a figure that is drawn is quiet" eval '[ ! -s "$work/out" ] && [ ! -s "$work/err" ]'
says "its title stands in it, for readers aloud too" eval \
    'grep -q "<title id=.title.>How long &amp; how &lt;far&gt;</title>" "$svg" &&
        grep -q "<text>How long &amp; how &lt;far" "$svg"'
says "it is described in words" grep -q \
    '<desc id="description">Line chart: time (µs) against ranks. Series: fence; pscw. Panels: t3d; now.' "$svg"
says "it says nothing of the program that drew it" eval '! grep -qi gnuplot\ 5 "$svg" && ! grep -q "$work" "$svg"'
for word in 'time (µs)' '>	\?ranks' 't3d' 'now' 'fence' 'pscw'; do
    says "it is labelled: $word" grep -q "$word" "$svg"; done
cp "$svg" "$work/first.svg"
says "the same data give the same bytes, whatever the locale and the user's own start-up file" eval '
    mkdir "$work/home"; echo "set title \"mine\"" >"$work/home/.gnuplot"
    HOME=$work/home GNUTERM=dumb LC_ALL=C draws "${lines[@]}" && cmp -s "$svg" "$work/first.svg"'
script >"$work/script"
says "a point that failed is a gap in its line" eval 'awk "/panel2_series1 <</,/^END/" "$work/script" | tr "\n" "|" |
    grep -q "4 12.5 12.5 12.5||16 48.5"'
says "panels stand on one scale" eval '[ "$(grep -c "^set yrange" "$work/script")" = 1 ] &&
    [ "$(grep -c "^set xrange" "$work/script")" = 1 ]'
says "lines differ in colour, dash and point" eval \
    'for word in "lc rgb .#0072b2. dt solid pt 7" "lc rgb .#d55e00. dt (10,4) pt 5"; do
        grep -q "$word" "$work/script" || exit 1
    done'
says "the script draws the figure by itself" eval '(cd "$work" && gnuplot script 2>"$work/err") &&
    [ -s "$work/figure.svg" ] && grep -c "<path" "$work/figure.svg" | cmp -s - <(grep -c "<path" "$svg")'

says "quantities with units are numbers on the axis" draws '[plot]' kind=lines x=net.latency y=time_us series=variant \
    'where=ranks=2;machine=t3d' log=x
says "and keep their units there, microseconds as everywhere" grep -q '>	\?5 µs' "$svg"
says "a machine's key is its own name" grep -q '>	\?net\.latency' "$svg"
says "a label that was left out is made of the column, with its unit" grep -q 'time (µs)' "$svg"
cp "$work/x/head" "$work/x/head.short" && sed -i \
    's/^variant=.*/variant=a word that is so long that it is written aslant below its bar;pscw/' "$work/x/head"
cp "$work/x/data.csv" "$work/x/data.short" && sed -i \
    's/,fence,/,a word that is so long that it is written aslant below its bar,/' "$work/x/data.csv"
says "long words are written aslant" draws '[plot]' kind=bars x=variant y=time_us \
    'where=net.latency=1us;ranks=2;machine=t3d'
says "... and none begins outside the page" eval \
    '[ "$(sed -n "s/.*translate(\([0-9]*\)[.0-9]*,.*rotate(-35[.0]*).*/\1/p" "$svg" | head -n 1)" -gt $((61 * 5)) ]'
mv "$work/x/head.short" "$work/x/head" && mv "$work/x/data.short" "$work/x/data.csv"
says "bars are drawn" draws '[plot]' kind=bars x=variant y=time_us series=ranks panel=machine where=net.latency=1us
says "a number in a legend says what it counts" grep -q 'ranks = 16' "$svg"
says "heat maps are drawn" draws '[plot]' kind=heat x=ranks y=time_us series=net.latency panel=machine \
    where=variant=pscw
says "few cells have their values printed" grep -q '>	\?12.5' "$svg"
says "a second figure has its name" eval \
    'draws "${lines[@]}" "[plot heat_map]" kind=heat x=ranks y=time_us series=variant \
        "where=net.latency=1us;machine=t3d" && [ -s "$svg" ] && [ -s "$work/x/heat_map.svg" ]'
says "a file is an experiment as well as its folder, and --output another place" \
    eval '"$sidewinder" plot --output "$work" "$work/x/experiment.ini" &&
    cmp -s "$work/heat_map.svg" "$work/x/heat_map.svg"'
says "two columns are two lines" eval \
    'draws "[plot]" kind=lines x=ranks "y=time_us;moved" "where=variant=fence;net.latency=5us;machine=t3d" &&
        grep -q ">	\?moved" "$svg"'
mkdir "$work/keyed"
sed 's/variant/serve.when/g; s/fence/arrival/g; s/pscw/completion/g' "$work/x/data.csv" >"$work/keyed/data.csv"
{
    sed 's/variant/serve.when/g; s/fence/arrival/g; s/pscw/completion/g' "$work/x/head"
    printf '%s\n' '[plot]' kind=lines x=ranks y=time_us series=machine panel=serve.when where=net.latency=1us
} >"$work/keyed/experiment.ini"
says "a panel of a key's word names the key" eval '"$sidewinder" plot --script "$work/keyed" >"$work/script" &&
    grep -q "serve\.when: completion" "$work/script"'

# ---- several columns to a panel, a line at a value, a heading of the legend, lines that coincide ----
says "panels may be of two columns" draws '[plot]' kind=lines x=ranks y=time_us series=net.latency \
    'panel=machine;variant' 'log=x;y' 'serieslabel=latency of the net' mark=7.5
says "... each combination has one" eval 'grep -q ">	\?t3d: fence" "$svg" && grep -q ">	\?now: pscw" "$svg"'
says "serieslabel is the legend's heading, and its numbers stand without their column" eval \
    'grep -q ">	\?latency of the net" "$svg" && ! grep -q "net.latency = " "$svg"'
says "mark is a line across every panel" eval 'script >"$work/script"; [ "$(grep -c "first 7.5 to graph 1, first 7.5" \
    "$work/script")" = 4 ]'
says "lines that lie on each other are named, with their panels" grep -q \
    "Lines within 1 % of each other: 1 µs = 5 µs = 25 µs (t3d: fence, t3d: pscw, now: pscw); 5 µs = 25 µs (now: f" \
    "$work/script"
says "a mark that is no number is refused" eval '! draws "${lines[@]}" mark=one && grep -q "one is not a number" \
    "$work/err"'
sed -i 's/^seed//; s/^machine,ranks/machine,seed,ranks/; s/^t3d,/t3d,1,/; s/^now,/t3d,2,/' "$work/x/data.csv"
says "repetitions with seeds are drawn as their mean, from the least to the greatest" \
    eval 'sed -i "s/^t3d,2,4,1us,pscw,12.5/t3d,2,4,1us,pscw,14.5/" "$work/x/data.csv" &&
    draws "[plot]" kind=lines x=ranks y=time_us series=variant where=net.latency=1us &&
          script | grep -q "^4 13.5 12.5 14.5" && script | grep -q yerrorbars'
# ---- its table ----
sed 's/12\.5/7777.5/' "$work/x/data.csv" >"$work/x/derived.csv"
says "data= names a table beside the experiment, each figure its own" \
    eval 'draws "${lines[@]}" "[plot derived]" data=derived.csv "${lines[@]:1}" && [ -s "$work/x/derived.svg" ] &&
          script | awk "/derived.svg/ { d = 1 } /7777.5/ { if (!d) exit 1; n++ } END { exit !n }"'
says "--data is drawn instead of what the groups name" \
    eval '"$sidewinder" plot --script --data "$work/x/data.csv" "$work/x" >"$work/script" &&
          ! grep -q 7777.5 "$work/script"'
# ---- other formats ----
says "the figure is drawn again" draws "${lines[@]}"
for format in pdf png; do
    says "--format $format draws figure.$format" eval '"$sidewinder" plot --format $format "$work/x" &&
        head -c 8 "$work/x/figure.$format" | grep -qaE "%PDF|PNG"'
done
says "an unknown format is refused" \
    eval '! "$sidewinder" plot --format gif "$work/x" 2>"$work/err" && grep -q "svg, pdf and png" "$work/err"'
finish

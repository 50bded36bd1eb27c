#!/bin/bash
# "Killing a sweep at any moment and restarting loses and repeats nothing": killed at random moments, by every signal
# that ends a program, alone or with all its children, then started again; what ran is counted outside, by the program
# itself. KILLS sets how many times (default 12, in the short run the first 3), SEED where the moments begin.
. "$(dirname "$0")/../../lib.sh"
kills=${KILLS:-$(thorough && echo 12 || echo 2)}
machines="now" every=12
thorough && machines="t3d;now" every=24
sampled "the first $kills kills of sweeps of $every points"
state=${SEED:-1}
# BELOW: into $number; the minimal standard generator (Park and Miller 1988), the same moments every time
random() {
    state=$((state * 16807 % 2147483647))
    number=$((state % $1))
}
cp "$here/point.c" "$work"
experiment() {      # FOLDER: appends what ran to FOLDER/ran
    mkdir -p "$1"
    cat >"$1/experiment.ini" <<END
[experiment]
title=Killed
source=../point.c
arguments=$1/ran {machine}-{ranks}-{when} {n}
machines=$machines
ranks=2;4
[vary]
when=a;b;c
n=20000..60000*3
[measure]
time_us=json:time_s * 1e6
took_us=line:took ([0-9.]+) us
END
}
experiment "$work/whole"
"$sidewinder" sweep "$work/whole/experiment.ini"
points=$(grep -c '^[a-z0-9]*,[24],' "$work/whole/data.csv")
says "undisturbed, every point runs once" eval '[ "$points" = $every ] && [ "$(wc -l <"$work/whole/ran")" = $every ] &&
    [ "$(sort -u "$work/whole/ran" | wc -l)" = $every ]'

# A record has its name by a rename; before, it is none.
records() { find "$1/.sweep" -maxdepth 1 -regextype egrep -regex '.*/[0-9a-f]{64}' 2>/dev/null; }
# The points whose records are whole, as they are named in "ran".
finished() {
    records "$1" | xargs -r grep -l '^whole=true' | xargs -r sed -n \
        's/^name=machine=\(.*\)\\sranks=\(.*\)\\swhen=\(.*\)\\sn=\(.*\)/\1-\2-\3 \4/p;
        s/^name=machine=\(.*\) ranks=\(.*\) when=\(.*\) n=\(.*\)/\1-\2-\3 \4/p'
}
runs_of() { grep -cx -- "$1" "$folder/ran" 2>/dev/null; }
gone() { ! pgrep -r R,S,D,T -g "$sweep" >"$work/running"; }

signals=(KILL TERM INT HUP)
killed=0 lost=0 repeated=0 different=0 resumed=0 folders=0 left=0 failed=0
# On a host so fast or slow that the moments do not matter there are more of them.
while [ $killed -lt "$kills" ] || { [ $resumed -le $((kills / 3)) ] && [ $killed -lt $((4 * kills)) ]; }; do
    folders=$((folders + 1))
    folder=$work/killed-$folders
    experiment "$folder"
    : >"$work/before"
    while :; do
        random 4
        signal=${signals[number]}
        random 2
        group=$number
        random 6
        until=$(($(records "$folder" | wc -l) + number))
        random 90
        moment=0.$(printf '%03d' $((number * number / 20 + 1)))
        # A session of its own, so that no signal reaches the test; jobs of scripts ignore SIGINT unless set otherwise.
        perl -e '$SIG{INT} = "DEFAULT"; $SIG{QUIT} = "DEFAULT"; setpgrp; exec @ARGV' "$sidewinder" sweep \
            "$folder/experiment.ini" >"$work/out" 2>"$work/err" &
        sweep=$!
        # The moment: so many records later, and a little; hosts are of different speeds.
        while kill -0 $sweep 2>/dev/null && [ "$(records "$folder" | wc -l)" -lt $until ]; do sleep 0.02; done
        sleep "$moment"
        target=$sweep
        [ "$group" = 1 ] && target=-$sweep
        if kill -s $signal -- "$target" 2>/dev/null; then killed=$((killed + 1)); fi
        wait $sweep 2>/dev/null
        # Orphans of a sweep that was killed alone end by themselves.
        if ! until_true gone; then
            echo "    still there after $signal to $target:"
            ps -o pid,ppid,stat,wchan,args -p "$(pgrep -d, -r R,S,D,T -g "$sweep")" | cut -c1-150
            left=$((left + 1))
        fi
        while IFS=: read -r name runs; do
            [ "$(runs_of "$name")" = "$runs" ] || { repeated=$((repeated + 1));
                echo "    repeated after $signal: $name"; }
            { [ ! -d "$folder/.sweep" ] || finished "$folder" | grep -qx -- "$name"; } || { lost=$((lost + 1));
                echo "    lost after $signal: $name"; }
        done <"$work/before"
        [ -e "$folder/data.csv" ] && [ ! -d "$folder/.sweep" ] && break
        [ -z "$(records "$folder" | xargs -r grep -h -A 2 '^failed=true')" ] || failed=$((failed + 1))
        finished "$folder" | while read -r name; do echo "$name:$(runs_of "$name")"; done >"$work/before"
        [ -s "$work/before" ] && resumed=$((resumed + 1))
    done
    cmp "$work/whole/data.csv" "$folder/data.csv" || different=$((different + 1))
    [ "$(sort -u "$folder/ran" | cmp - <(sort "$work/whole/ran") 2>&1)" = "" ] || lost=$((lost + 1))
    rm -rf "$folder"
done
echo "    $killed kills, $folders sweeps; $resumed of the kills left finished points behind"
says "the kills came at moments that matter" [ $resumed -gt $((kills / 3)) ]
says "no finished point runs again" [ $repeated = 0 ]
says "a point that was killed has not failed" [ $failed = 0 ]
says "no finished point is lost" [ $lost = 0 ]
says "data.csv is the same, byte for byte" [ $different = 0 ]
says "no process goes on after its sweep" [ $left = 0 ]

# The last moments: data.csv is there, the journal not yet gone, or half gone.
folder=$work/last machines="t3d;now"
experiment "$folder"
sed -i 's/^when=.*/when=a/' "$folder/experiment.ini"
"$sidewinder" sweep --only machine=t3d,now "$folder/experiment.ini" >/dev/null 2>&1
"$sidewinder" sweep --only "machine=t3d;now" "$folder/experiment.ini" >/dev/null
cp -r "$folder/.sweep" "$work/journal"
ran=$(wc -l <"$folder/ran")
"$sidewinder" sweep "$folder/experiment.ini"
cp -r "$work/journal" "$folder/.sweep"
says "killed between writing data.csv and removing the journal: nothing runs again" \
    eval '"$sidewinder" sweep "$folder/experiment.ini" && [ "$(wc -l <"$folder/ran")" = "$ran" ] &&
    [ ! -e "$folder/.sweep" ]'
cp -r "$work/journal" "$folder/.sweep.old"
says "killed while removing it: the rest goes with the next sweep" \
    eval '"$sidewinder" sweep "$folder/experiment.ini" &&
    [ "$(ls -A "$folder" | tr "\n" " ")" = "data.csv experiment.ini ran " ]'

# What counts as finished.
cp -r "$work/journal" "$folder/.sweep"
ran=$(wc -l <"$folder/ran")
for record in "$folder"/.sweep/[0-9a-f]*; do grep -q '^whole' "$record" 2>/dev/null && truncate -s -20 "$record" &&
    break; done
says "a record that is not whole is none: its point runs again, the others do not" \
    eval '"$sidewinder" sweep "$folder/experiment.ini" && [ "$(wc -l <"$folder/ran")" = $((ran + 1)) ]'
again() {      # SENTENCE POINTS: so many run again
    local ran
    rm -rf "$folder/.sweep"
    cp -r "$work/journal" "$folder/.sweep"
    ran=$(wc -l <"$folder/ran")
    "$sidewinder" sweep "$folder/experiment.ini"
    says "$1" [ $(($(wc -l <"$folder/ran") - ran)) = "$2" ]
}
again "the same experiment finds all its points finished" 0
sed -i 's/^ranks=.*/ranks=2;4;8/' "$folder/experiment.ini"
again "one more value: only its points run" 4
sed -i 's/^ranks=.*/ranks=2;4/; s/ \* 1e6/ * 1e9/' "$folder/experiment.ini"
again "another measure: all points run" 8
sed -i 's/ \* 1e9/ * 1e6/' "$folder/experiment.ini"
sed -i 's/i \* 17/i * 19/' "$work/point.c"
again "another program: all points run" 8
finish

#!/bin/bash
# sidewinder sweep: which points there are, what stands in the table, and that it is the same however it is made.
. "$(dirname "$0")/../../lib.sh"
folder=$work/results/first
mkdir -p "$folder"
cp "$here/point.c" "$work"
sweep() { timeout 600 "$sidewinder" sweep "$@" >"$work/out" 2>"$work/err"; }
rows() { grep -v '^#' "$folder/data.csv"; }
column() { rows | cut -d, -f"$1" | tr '\n' ' '; }

cat >"$folder/experiment.ini" <<'END'
# a comment
[experiment]
title=Two machines
source=../../point.c
arguments=- "a {variant}" {n} {how}
machines=t3d;now
ranks=2..4*2

[vary]
serve.when=arrival;completion
n=10..1000*10
variant=b;c
how=good

[points]
machine=now
n=10;1000
variant=b
[points the t3d]
machine=t3d
serve.when=arrival
n=1000..1000*2
ranks=4

[measure]
time_us=json:time_s * 1e6
time_ms=json:time_s / 1e-3
first_wait=json:rank[0].wait_s
waits=json:sum( rank[*].wait_s )
least=json:min(rank[*].time_s) * 1e6
most=json:max(rank[*].time_s) * 1e6
mean=json:mean(rank[*].time_s) * 1e6
puts=json:operations[put].count
gets=json:sum(operations[get].count)
ranks_json=json:ranks
name=json:machine
took_us=line:took ([0-9.]+) us$
said=line:^(a .*"):
END
says "a sweep is quiet without a terminal" eval 'sweep "$folder/experiment.ini" && [ ! -s "$work/out" ] &&
    [ ! -s "$work/err" ]'
cp "$folder/data.csv" "$work/by_file.csv"
says "an experiment may be named by its folder" eval 'sweep "$folder" && cmp "$folder/data.csv" "$work/by_file.csv"'
version=$("$sidewinder" --version | cut -d" " -f1,2)
says "a title, the version, the command and each machine's digest stand above the table" \
    eval '[ "$(grep -c "^# machine \(t3d\|now\): sha256 [0-9a-f]\{64\}$" "$folder/data.csv")" = 2 ] &&
        [ "$(head -n 3 "$folder/data.csv" | tr "\n" "|")" = \
            "# Two machines|# $version|# sidewinder sweep experiment.ini    (in this folder)|" ]'
says "columns are machine, ranks, what varies, what is measured, in the order written" \
    [ "$(rows | head -n 1)" = \
    "machine,ranks,serve.when,n,variant,how,time_us,time_ms,first_wait,waits,least,most,mean,puts,gets,ranks_json,\
name,took_us,said" ]
says "every combination that [points] keep is a row, the last that varies fastest" [ \
    "$(rows | cut -d, -f1-5 | tail -n +2 | tr '\n' ' ')" = \
    "t3d,4,arrival,1000,b t3d,4,arrival,1000,c now,2,arrival,10,b now,2,arrival,1000,b now,2,completion,10,b \
now,2,completion,1000,b \
now,4,arrival,10,b now,4,arrival,1000,b now,4,completion,10,b now,4,completion,1000,b " ]
says "nothing is left beside data.csv" [ "$(ls -A "$folder" | tr '\n' ' ')" = "data.csv experiment.ini " ]
says "no absolute path, host or date is in the table" eval \
    '! grep -q -e "$work" "$folder/data.csv" && ! grep -qw -e "$(hostname)" -e "$(date +%Y)" "$folder/data.csv"'

# The first row, by hand.
cd "$folder"
"$sidewinder" cc -O2 -g -o "$work/point" ../../point.c
run t3d 4 point - "a b" 1000 good
cell() { rows | awk -F, -v row="$1" -v name="$2" \
    'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i} NR == row + 1 {print $at[name]}'; }
json_sum() { json "$1" | awk '{sum += $1} END {printf "%.10g", sum}'; }
says "json: a value times a factor" holds \
    "$(cell 1 time_us) - 1e6 * $(json time_s) < 1e-6 && $(cell 1 time_us) - 1e6 * $(json time_s) > -1e-6"
says "json: divided by a number" holds "$(cell 1 time_ms) * 1000 - $(cell 1 time_us) < 1e-6"
says "json: one of a list" holds "$(cell 1 first_wait) - $(json 'rank[0].wait_s') < 1e-12"
sum=$(json_sum 'rank[*].wait_s') # of numbers of ten digits
says "json: the sum of a list" holds "$(cell 1 waits) - $sum < 1e-9 * $sum && $sum - $(cell 1 waits) < 1e-9 * $sum"
says "json: least, mean and most of a list" holds \
    "$(cell 1 least) <= $(cell 1 mean) && $(cell 1 mean) <= $(cell 1 most) && $(cell 1 most) == $(cell 1 time_us)"
says "json: the member of a list that is of a kind, as in compare --key" eval '[ "$(cell 1 puts)" = 4 ] &&
    [ "$(json "operations[put].count")" = 4 ]'
says "json: the sum over a kind that did not occur is 0" [ "$(cell 1 gets)" = 0 ]
says "json: whole numbers and words stay what they are" eval '[ "$(cell 1 ranks_json)" = 4 ] &&
    [ "$(cell 1 name)" = t3d ]'
says "line: what stands in the parentheses" [ "$(cell 1 took_us)" = "$(sed -n 's/.*took \(.*\) us/\1/p' "$work/out")" ]
says "a cell with commas and quotes is quoted (RFC 4180)" grep -q ',"a b, ""1000"""$' data.csv

# The same bytes, however.
cp data.csv "$work/first.csv"
says "as many points at once as you like: the same bytes" eval 'sweep --jobs 7 experiment.ini &&
    cmp "$work/first.csv" data.csv'
cd "$work"
says "one at a time, from another folder, into another file: the same bytes" \
    eval 'sweep -j 1 -o "$work/other.csv" results/first/experiment.ini; diff "$work/first.csv" other.csv;
    cmp "$work/first.csv" other.csv && [ ! -e .sweep ]'

# Parts of it.
says "--only prints those rows, and leaves data.csv alone" eval 'rm "$folder/data.csv";
    sweep --only machine=now --only "n=10" "$folder/experiment.ini" &&
    [ "$(grep -v "^#" out | tail -n +2)" = "$(grep "^now,[24],[a-z]*,10," first.csv)" ] && [ ! -e "$folder/data.csv" ]'
says "--sample spreads evenly, and says how it was called" eval 'sweep --sample 2 "$folder/experiment.ini" &&
    grep -q "^# sidewinder sweep --sample=2 experiment.ini" out &&
    [ "$(grep -v "^#" out | tail -n +2)" = "$(grep -v "^#" first.csv | sed -n "2p;\$p")" ]'
says "points of a part count for the whole" eval 'sweep "$folder/experiment.ini" &&
    cmp first.csv "$folder/data.csv" && [ ! -e "$folder/.sweep" ]'

# Commands.
says "--dry-run prints the commands and runs none" eval \
    'sweep --dry-run --only machine=t3d "$folder/experiment.ini" && [ "$(grep -c "^sidewinder run" out)" = 2 ]'
sed "s|^sidewinder |'$sidewinder' |" out >by_hand
says "... which do by hand what the sweep does" eval 'TMPDIR=$work bash by_hand >said &&
    grep -q "took $(sed -n "/^t3d/s/.*,\([0-9.]*\),\"a b.*/\1/p" first.csv) us" said'
rm -rf "$folder/.sweep"

# Ranges, and a machine of one's own.
cat >"$folder/experiment.ini" <<'END'
[experiment]
source=../../point.c ../../more.c
cflags=-O1 -DEXTRA={extra}
arguments=- x 10
machines=mine/fast.xml
ranks=1
[vary]
net.latency=1us..8us*2;20us
wb.entries=0..4+2;1
extra=1;2
[points]
net.latency=500ns..500ns*2;20us
net.latency=20us
wb.entries=1
[measure]
extra=json:ranks
END
sed -i '/^net.latency=500ns/d; s/^extra=json/one=json/' "$folder/experiment.ini"
mkdir "$folder/mine"
sed 's/id="now"/id="elsewhere"/' "${sidewinder%/bin/*}/share/sidewinder/platforms/now.xml" >"$folder/mine/fast.xml"
echo 'int more = EXTRA;' >more.c
says "a list of ranges and values, sources in several files, flags that vary, a machine's file" eval \
    'sweep "$folder/experiment.ini"'
cat err
says "... and that machine goes by its file's name" [ "$(column 1)" = "machine fast fast " ]
sed -i '/^\[points\]/,/^wb.entries/d' "$folder/experiment.ini"
says "... in the units written" eval 'sweep "$folder/experiment.ini" &&
    [ "$(rows | cut -d, -f3 | uniq | tr "\n" " ")" = "net.latency 1us 2us 4us 8us 20us " ] &&
    [ "$(rows | cut -d, -f4 | sed -n "2,9p" | uniq | tr "\n" " ")" = "0 2 4 1 " ]'

# Repetitions: the only thing random in a machine is which line of a set gives way; and what the program does with
# {seed}.
cat >"$folder/experiment.ini" <<'END'
[experiment]
source=../../point.c
arguments=- x 5000
machines=t3d
ranks=2
repetitions=3
run=--set cache.l1.size=512B --set cache.l1.ways=4
[vary]
cache.l1.replace=lru;random
[measure]
misses=json:rank[0].cache[0].load_misses
END
says "repetitions have a column, and are not alike where lines are replaced at random" eval \
    'sweep "$folder/experiment.ini" &&
    [ "$(rows | head -n 1)" = "machine,ranks,cache.l1.replace,seed,misses" ] && [ "$(rows | grep -c ",lru,")" = 3 ] &&
    [ "$(rows | grep ",lru," | cut -d, -f5 | sort -u | wc -l)" = 1 ] &&
        [ "$(rows | grep ",random," | cut -d, -f5 | sort -u | wc -l)" -gt 1 ]'
cat err
sed -i "s/^arguments.*/arguments=- seed-{seed} 10/; s/^misses.*/said=line:^(seed-.)/" "$folder/experiment.ini"
sed -i '/^\[vary\]/d; /^cache/d; /^run/d' "$folder/experiment.ini"
says "{seed} is the repetition's number" eval 'sweep "$folder/experiment.ini" &&
    [ "$(column 4)" = "said seed-1 seed-2 seed-3 " ]'

# Keys that are varied together.
mkdir "$work/together"
printf "%s\n" "[experiment]" source=../point.c "arguments=- a 10 good" "machines=now" ranks=2 "[vary]" \
    "net.overhead_*=1us;7us" "[measure]" "time_us=json:time_s * 1e6" >"$work/together/experiment.ini"
says "a pattern of keys is one axis: all that fit it are set together" eval \
    '"$sidewinder" sweep --dry-run together/experiment.ini >"$work/out" &&
    [ "$(grep -c -e "--set .net.overhead_\*=[17]us" "$work/out")" = 2 ]'
says "... and one column of the table" eval 'sweep together/experiment.ini &&
    [ "$(grep -c "^now,2,[17]us,[0-9]" together/data.csv)" = 2 ] && grep -qx "machine,ranks,net.overhead_.,time_us" \
        together/data.csv'
sed -i "s/^net.overhead_./net.overheat_*/" together/experiment.ini
says "a pattern that fits no key is refused" eval '! sweep together/experiment.ini && 
    grep -q "has no effect" "$work/err"'
finish

#!/bin/bash
# sidewinder sweep refuses an experiment that is wrong: the file, the line, the group and key, and what is accepted;
# nothing has run then, and data.csv is as it was. A point that fails does not affect the others.
. "$(dirname "$0")/../../lib.sh"
cp "$here/point.c" "$work"
cd "$work"
echo "the old table" >data.csv
echo "the old table" >old.csv
good() {
    cat <<'END'
[experiment]
source=point.c
arguments=- {variant} {n}
machines=t3d
ranks=2

[vary]
variant=a
n=10
serve.when=arrival

[measure]
time_us=json:time_s * 1e6
END
}
# refuses SENTENCE WORDS SED-SCRIPT: the good experiment, edited; the message has all WORDS (patterns, '|' between).
refuses() {
    local sentence=$1 words=$2 word fine=1
    good | sed "$3" >bad.ini
    status=0
    timeout 600 "$sidewinder" sweep ${options[@]+"${options[@]}"} bad.ini >out 2>err </dev/null || status=$?
    while read -r -d '|' word; do grep -Eq -- "$word" err || { fine=0; echo "    without '$word'"; }; done <<<"$words|"
    [ "$status" -gt 0 ] && [ "$status" -lt 3 ] && [ ! -s out ] && cmp -s data.csv old.csv || fine=0
    if [ $fine = 1 ]; then ok "$sentence: $(head -n 1 err)"; else sed 's/^/    /' out err;
        wrong "$sentence (exit code $status)"; fi
}
options=()
refuses "a file without [experiment]"     "bad.ini|experiment"                              '1d;/^source/,/^ranks/d'
refuses "bytes that are no text"          "bad.ini: not an experiment file: it is not text in UTF-8" \
    's/^title.*//;s/^n=10/n=\xff10/'
refuses "an unknown group"                "bad.ini:12|\[mesure\]|did you mean \[measure\]"  's/\[measure\]/[mesure]/'
refuses "an unknown key"                  "bad.ini:4: \[experiment\] machine|did you mean machines;" \
    's/^machines/machine/'
refuses "a group there twice"             "bad.ini:7: \[vary\]: is given again in line 14"  '$a [vary]\nx=1'
refuses "a key there twice"               "\[measure\] time_us|again"                       '$a time_us=json:time_s'
refuses "a line that is none"             "bad.ini"                                         '$a what is this'
refuses "a comment behind a value"        "bad.ini:5|a line of its own"                     's/^ranks.*/ranks=2 # two/'
refuses "no machines"                     "no machines|such as"                             '/^machines/d'
refuses "no ranks"                        "no ranks|such as"                                '/^ranks/d'
refuses "an empty list"                   "bad.ini:8: \[vary\] variant: the list is empty"  's/^variant=.*/variant=/'
refuses "an empty value in a list"        "a value is empty" \
    's/^variant=.*/variant=a;;b/'
refuses "a value twice"                   "a is given twice" \
    's/^variant=.*/variant=a;b;a/'
refuses "a range without a step"          "bad.ini:9: \[vary\] n|not a range|FROM..TO"         's/^n=.*/n=1..4/'
refuses "a range of two kinds"            "not a range"                                        's/^n=.*/n=1us..4KiB*2/'
refuses "a range that stands still"       "never reaches its end|FACTOR above 1"                 's/^n=.*/n=1..4*1/'
refuses "a range backwards"               "never reaches its end|FROM at most TO"                's/^n=.*/n=4..1*2/'
refuses "a range without end"             "more than"                                       's/^n=.*/n=0..1e9+1/'
refuses "too many points"                 "combinations|at most" \
    's/^n=.*/n=1..2000+1/; s/^variant=.*/variant=1..2000+1/'
refuses "half a rank"                     "ranks|whole numbers from 1"                      's/^ranks=.*/ranks=2;2.5/'
refuses "an unknown machine"              "t3e|did you mean t3d" \
    's/^machines=.*/machines=t3e/'
refuses "a machine's file that is not there" "mine.xml" \
    's/^machines=.*/machines=mine.xml/'
refuses "two machines of one name"        "called t3d" \
    's/^machines=.*/machines=t3d;other\/t3d.xml/'
refuses "an unknown key of a machine"     "serve.wen|did you mean serve.when"               's/^serve.when/serve.wen/'
refuses "a name that is used nowhere"     "nosuch|\{nosuch\} is not used"                    '/^\[vary\]/a nosuch=1'
refuses "a {NAME} that is not defined"      "bad.ini:3: \[experiment\] arguments: unknown name \{size\}|\{variant\}" \
    's/{n}/{n} {size}/'
refuses "a {seed} without repetitions"    "\{seed\}|repetitions=N"                          's/{n}/{n} {seed}/'
refuses "a value that a machine refuses"  "serve.when|arrival, completion" \
    's/^serve.when=.*/serve.when=later/'
refuses "more ranks than processors"      "ranks=64|processors" \
    's/^ranks=.*/ranks=64/; s/^machines=.*/machines=smp/; /^serve.when/d; s/^n=10/n=10\ncpus=4/'
refuses "repetitions of nothing random"   "repetitions|nothing here is random"              '/^ranks/a repetitions=3'
refuses "repetitions that are no number"  "repetitions|whole numbers"                       '/^ranks/a repetitions=many'
refuses "neither source nor program"      "no source|such as"                               '/^source/d'
refuses "source and program"              "mutually exclusive"                             '/^source/a program=point'
refuses "a source that is not there"      "bad.ini:2|none.c"                                's/point.c/none.c/'
refuses "a program that is not there"     "program|nothing" \
    's/^source.*/program=nothing/'
refuses "a program not built by sidewinder cc" "sidewinder cc" \
    's/^source.*/program=\/bin\/true/'
refuses "an option that is the sweep's"   "run|--json is set by the sweep" \
    '/^ranks/a run=--json x'
refuses "nothing measured"                "nothing is measured"                             '/^time_us/d'
refuses "a measure of no known kind"      "\[measure\] time_us|json:PATH|line:REGEX"        's/json:/jason:/'
refuses "a path that is none"             "time_us|not a path" \
    's/json:time_s/json:rank[/'
refuses "a function there is not"         "median|sum\(PATH\)" \
    's/json:time_s/json:median(rank[*].time_s)/'
refuses "a factor that is none"           "time_us"                                         's/1e6/1e6e6/'
refuses "a regular expression that is none" "\[measure\] t|not a regular expression"           '$a t=line:took ([0-9'
refuses "a regular expression without a group" "no group"                                   '$a t=line:took'
refuses "two columns of one name"         "two columns|would be called n|\[vary\]"          '$a n=json:ranks'
refuses "a column that is there anyway"   "two columns|ranks"                               '$a ranks=json:ranks'
refuses "[points] of what does not vary"  "\[points\] colour"                               '$a [points]\ncolour=red'
refuses "[points] of a value there is not" "n never has the value 11; accepted are 10" \
    '$a [points]\nn=11'
good | sed 's/^variant=a/variant=a;b/; $a [points]\nvariant=a\n[points 2]\nvariant=b' >bad.ini
options=(--only 'variant=a' --only 'variant=b')
refuses "--only of points that do not meet" "--only leaves no point"                        's/^variant=a/variant=a;b/'
options=(--only colour=red)
refuses "--only of what does not vary"    "--only colour=red"                               ''
options=(--launcher slum)
refuses "an unknown launcher"             "slum|did you mean slurm|local, parallel, slurm"  ''
options=(--jobs 0x)
refuses "jobs that are no number"         "jobs|0x"                                         ''
options=(--jobs -2)
refuses "less than one job"               "--jobs -2|from 1"                                ''
options=(-j0)
refuses "a short option has its value in the same word" "--jobs 0|from 1"                   ''
options=(more.ini)
refuses "two experiments"                 "only one experiment"                       ''
options=(--output "$work/none/data.csv")
refuses "a table into a folder that is not there" "$work/none|cannot write"                 ''
options=()
printf '#error no\n' >broken.h
refuses "a source that does not compile, with the compiler's words" \
    "bad.ini:2: \[experiment\] source: does not compile|#error no|cd .* && sidewinder cc" \
    's/^source.*/&\ncflags=-include broken.h/'
says "a file that is not there" eval '! "$sidewinder" sweep none.ini 2>err && grep -q none.ini err'

# ---- points that fail
# -------------------------------------------------------------------------------------------------
good | sed 's/{n}/{n} {how}/; s/^variant=.*/how=good;exit;mute;crash/; s/{variant}/x/; $a took=line:took ([0-9.]+) us' \
    >some.ini
status=0
"$sidewinder" sweep some.ini >out 2>err || status=$?
says "points that fail: exit code 1, the others are in the table" eval '[ $status = 1 ] &&
    grep -Eq "^t3d,2,good,10,arrival,[0-9.]+,[0-9.]+,$" data.csv'
cat data.csv | sed 's/^/    /'
says "... those without measures, and a column says why" eval \
    'grep -q "^t3d,2,exit,10,arrival,,,exit code 3$" data.csv && grep -q "^t3d,2,crash,10,arrival,,,signal 6" data.csv'
says "... a line that fits nothing names the column, the point and what was printed" \
    eval 'grep -q "^t3d,2,mute,10,arrival,,,took: no line matches" data.csv && grep -A 2 "how=mute" err |
    grep -q "nothing to say"'
says "... each is reported with its command" eval '[ "$(grep -c "cd .* && sidewinder run" err)" = 3 ] &&
    grep -q "3 of 4 points failed" err'
grep -A 1 'how=exit' err | tail -n 1 | sed "s|&& sidewinder|\&\& '$sidewinder'|" >by_hand
status=0
TMPDIR=$work bash by_hand >out 2>&1 || status=$?
says "... which fails by hand as it did in the sweep" [ $status = 3 ]
sed -i 's/how=.*/how=good;exit/; s/^took=.*/gone=json:rank[7].time_s/' some.ini
"$sidewinder" sweep some.ini >out 2>err
says "a path that is not in the run's JSON names the column and the point" grep -q \
    "(machine=t3d.*how=good.*): gone: rank\[7\].time_s is not in the run's JSON" err
sed -i 's/^gone=.*/all=json:rank[*].time_s/' some.ini
"$sidewinder" sweep some.ini >out 2>err
says "several values where one is measured: say sum() or another" grep -q \
    'all: rank\[\*\].time_s names 2 values; put sum()' err
sed -i 's/how=.*/how=good;mute/; s/^all=.*/ranks_there=json:ranks/' some.ini
says "when the reason is gone the same sweep ends well" eval '"$sidewinder" sweep some.ini &&
    ! grep -q failed data.csv && [ ! -e .sweep ]'

# ---- places
# ------------------------------------------------------------------------------------------------------------
mkdir busy
good | sed "s|point.c|../&|; s|=- |=$work/busy/log |" >busy/experiment.ini
mkfifo busy/log      # its point does not end before somebody reads there what it ran
"$sidewinder" sweep busy/experiment.ini 2>/dev/null &
first=$!
until_true pgrep -f "$work/busy/log" >out
status=0
"$sidewinder" sweep busy/experiment.ini 2>err || status=$?
says "a sweep where another is at work says so" eval '[ $status = 1 ] && grep -q "another sweep is running" err'
cat busy/log >out
wait $first
rm busy/log
status=0
"$sidewinder" sweep --output /proc/data.csv busy/experiment.ini 2>err || status=$?      # root cannot write there either
says "a folder that cannot be written" eval '[ $status = 1 ] &&
    grep -Eq "cannot write /proc/data.csv|/proc: cannot write" err'
rm busy/data.csv
mkfifo busy/pipe
mkdir busy/folder
good | sed "s|point.c|../&|; s|=- |=$work/busy/ran |" >busy/experiment.ini
for refused in "pipe: a table is written to a regular file only" "cannot write busy/folder: Is a directory" \
    "cannot write busy/none/data.csv: No such file" "cannot write : No such file"; do
    output=$(sed 's/.*cannot write //; s/: .*//' <<<"$refused")
    [ "$output" = pipe ] && output=busy/pipe
    status=0
    "$sidewinder" sweep -o "$output" busy/experiment.ini 2>err || status=$?
    says "before anything runs: $refused" eval '[ $status != 0 ] && grep -q "$refused" err && [ ! -e busy/ran ]'
done
says "the pipe is still one" [ -p busy/pipe ]
says "-o - is standard output" eval '"$sidewinder" sweep -o - busy/experiment.ini >out &&
    grep -q "^t3d,2,a,10," out && [ ! -e busy/data.csv ] && [ ! -e - ] && [ ! -e busy/.sweep ]'
says "--help explains the file, with examples" eval '"$sidewinder" sweep --help >out &&
    grep -q "^\s*\[measure\]" out && grep -q "^Examples" out'
finish

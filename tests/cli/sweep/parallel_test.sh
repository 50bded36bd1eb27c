#!/bin/bash
# sidewinder sweep --launcher parallel: the real GNU parallel runs the points, here and through a remote shell.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
if ! command -v parallel >/dev/null; then
    echo "SKIP: GNU parallel is not installed (apt install parallel): nothing of --launcher parallel was tested"
    exit 77
fi
same "GNU parallel: the same table, each point once" plain --launcher parallel
same "two jobs at a time, and an option of its own" "a folder" --jobs 2 --launcher "parallel:--joblog '$work/log'"
says "... which it obeyed: its log has a line a point" [ "$(tail -n +2 "$work/log" | wc -l)" = 8 ]

# Many hosts over ssh. What parallel hands to ssh goes through a shell there; this one stands in for sshd: of the
# environment here nothing reaches the other side, whose own SHELL parallel needs. It says who was asked.
cat >"$work/ssh" <<'END'
#!/bin/bash
while [ "${1#-}" != "$1" ]; do [ "$1" = -l ] && shift; shift; done
echo "$1" >>"$(dirname "$0")/hosts"
shift
[ "$1" = -- ] && shift
cd / && exec env -i PATH=/usr/bin:/bin HOME=/ SHELL=/bin/bash bash -c "$*"
END
chmod +x "$work/ssh"
same "two hosts over a remote shell" remote --launcher "parallel:--ssh '$work/ssh' --sshlogin 1/alpha,1/beta"
says "... both did their part" [ "$(sort -u "$work/hosts" | tr '\n' ' ')" = "alpha beta " ]

experiment failing
sed -i 's/^n=.*/n=10;0x/; s/{n}$/10 {how}/; s/^n=.*/how=good;exit/' "$work/failing/experiment.ini"
status=0
"$sidewinder" sweep --launcher parallel "$work/failing/experiment.ini" 2>"$work/err" || status=$?
says "points that fail there are reported here" eval '[ $status = 1 ] && grep -q "4 of 8 points failed" "$work/err" &&
    [ "$(grep -c ",exit code 3$" "$work/failing/data.csv")" = 4 ]'
status=0
"$sidewinder" sweep --launcher "parallel:--no-such-option" "$work/here/experiment.ini" 2>"$work/err" || status=$?
says "an option that parallel refuses" eval '[ $status = 1 ] &&
    grep -q "no-such-option\|GNU parallel failed" "$work/err" && [ "$(ran here)" = 8 ]'

# Stopped and started again.
experiment stopped 300000
"$sidewinder" sweep --jobs 1 --launcher parallel "$work/stopped/experiment.ini" 2>"$work/err" &
sweep=$!
two_ran() { [ -e "$work/stopped/ran" ] && [ "$(ran stopped)" -ge 2 ]; }
until_true two_ran
kill -TERM $sweep
status=0
wait $sweep || status=$?
says "stopped by a signal: exit code 128 and its number, and what is kept" eval '[ $status = 143 ] &&
    grep -q "of 8 points are kept" "$work/err"'
nothing_runs() { ! pgrep -r R,S,D -f "$work/stopped" >"$work/running"; }
until_true nothing_runs
says "... no point runs on" [ "$(ran stopped)" -le 4 ]
says "... and the same sweep again goes on from there" eval \
    '"$sidewinder" sweep --launcher parallel "$work/stopped/experiment.ini" &&
        [ "$(sort -u "$work/stopped/ran" | wc -l)" = 8 ] && [ "$(ran stopped)" -le 9 ]'
finish

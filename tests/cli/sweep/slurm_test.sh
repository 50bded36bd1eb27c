#!/bin/bash
# sidewinder sweep --launcher slurm: a real Slurm (slurmctld, slurmd, munged), started here in a folder of its own, on
# the loopback only.
here=$(cd "$(dirname "$0")" && pwd)
skip() {
    echo "SKIP: $*: nothing of --launcher slurm was tested"
    exit 77
}
[ "${POINTS:-}" ] || skip "./bootstrap test --all starts a Slurm; this is the short run"
PATH=$PATH:/usr/sbin
for tool in munged slurmctld slurmd sbatch scancel squeue; do
    command -v $tool >/dev/null || skip "$tool is not installed (apt install slurmctld slurmd slurm-client munge)"
done
[ "$(id -u)" = 0 ] || skip "slurmd must be started by root, and this is $(id -un)"
. "$here/lib.sh"

# ---- a cluster of this one machine
# ---------------------------------------------------------------------------------------
etc=$work/slurm
daemons=()
stop() {
    for pid in ${daemons[@]+"${daemons[@]}"}; do kill "$pid" 2>/dev/null; done
    for pid in ${daemons[@]+"${daemons[@]}"}; do
        for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
        kill -KILL "$pid" 2>/dev/null
    done
    wait 2>/dev/null
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM HUP
free_port() { perl -MIO::Socket::INET -e \
    'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport'; }
mkdir -p "$etc/state" "$etc/spool"
chmod 755 "$work" "$etc"
(umask 077 && head -c 1024 /dev/urandom >"$etc/key")
name=$(hostname -s)
cat >"$etc/slurm.conf" <<END
ClusterName=scratch
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$etc/munge.socket
CredType=cred/munge
StateSaveLocation=$etc/state
SlurmdSpoolDir=$etc/spool
SlurmctldPidFile=$etc/slurmctld.pid
SlurmdPidFile=$etc/slurmd.pid
SlurmctldLogFile=$etc/slurmctld.log
SlurmdLogFile=$etc/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=2
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SlurmdParameters=config_overrides
NodeName=$name NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$name Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$etc/slurm.conf
munged --foreground --force --socket="$etc/munge.socket" --key-file="$etc/key" --pid-file="$etc/munged.pid" \
    --log-file="$etc/munged.log" \
    --seed-file="$etc/seed" >"$etc/munged.out" 2>&1 &
daemons+=($!)
until_true test -S "$etc/munge.socket"
slurmctld -D -c >"$etc/slurmctld.out" 2>&1 &
daemons+=($!)
slurmd -D -N "$name" >"$etc/slurmd.out" 2>&1 &
daemons+=($!)
alive() { for pid in "${daemons[@]}"; do kill -0 "$pid" 2>/dev/null || return 1; done; }
idle() { [ "$(timeout 5 sinfo -h -o %T 2>/dev/null)" = idle ]; }
until_true eval 'idle || ! alive'
if ! idle; then
    tail -n 15 "$etc"/*.log "$etc"/*.out
    skip "Slurm did not start here (its last words are above)"
fi

# ---- sweeps
# -----------------------------------------------------------------------------------------------------------------
same "a Slurm job array: the same table, each point once" plain --launcher slurm
same "one task at a time, and an option of sbatch" "a folder" --jobs 1 --launcher \
    'slurm:--comment "a sweep" --partition all'

experiment failing
sed -i 's/{n}$/10 {how}/; s/^n=.*/how=good;exit/' "$work/failing/experiment.ini"
status=0
"$sidewinder" sweep --launcher slurm "$work/failing/experiment.ini" 2>"$work/err" || status=$?
says "points that fail there are reported here" eval '[ $status = 1 ] && grep -q "4 of 8 points failed" "$work/err" &&
    [ "$(grep -c ",exit code 3$" "$work/failing/data.csv")" = 4 ]'
status=0
"$sidewinder" sweep --launcher "slurm:--partition none" --output "$work/refused.csv" "$work/here/experiment.ini" \
    2>"$work/err" || status=$?
says "a job that Slurm refuses" eval '[ $status = 1 ] && grep -q "sbatch refused" "$work/err" &&
    [ ! -e "$work/refused.csv" ]'

jobs() { squeue -h -n sweep 2>/dev/null | wc -l; }
none_left() { [ "$(jobs)" = 0 ]; }
two_kept() {
    [ "$(find "$work/$folder/.sweep" -regextype egrep -regex '.*/[0-9a-f]{64}' 2>/dev/null | wc -l)" -ge 2 ]
}
interrupt() {      # SENTENCE FOLDER KILL-ARGUMENT...: while two points are through and others run
    local sentence=$1 folder=$2
    shift 2
    experiment "$folder" 2000000
    perl -e 'setpgrp; exec @ARGV' "$sidewinder" sweep --jobs 1 --launcher slurm "$work/$folder/experiment.ini" \
        2>"$work/err" &
    sweep=$!
    until_true two_kept
    kill "$@" -- -$sweep
    wait $sweep 2>/dev/null
    [ "$1" = -KILL ] || says "$sentence: its array is cancelled" until_true none_left
    ran_before=$(ran "$folder")
    status=0
    timeout 300 "$sidewinder" sweep --launcher slurm "$work/$folder/experiment.ini" 2>"$work/err" || { status=$?;
        cat "$work/err"; }
    says "$sentence: the same sweep again goes on from there" \
        eval '[ $status = 0 ] && [ "$(sort -u "$work/$folder/ran" | wc -l)" = 8 ] && [ "$(ran "$folder")" -le 9 ] &&
        [ "$ran_before" -ge 2 ]'
}
interrupt "stopped by a signal" stopped -TERM
interrupt "killed" killed -KILL
finish

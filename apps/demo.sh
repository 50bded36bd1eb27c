#!/bin/bash
# The main job, shown: one MPI program on three machines, and a load that returned a stale value.
# Called by ./bootstrap demo; SIDEWINDER names the command.
set -eu
sidewinder=$(realpath "${SIDEWINDER:-build/bin/sidewinder}")
apps=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/sidewinder-demo-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

heading() { printf '\n\033[1m%s\033[0m\n\n' "$1"; }
[ -t 1 ] || heading() { printf '\n%s\n%s\n\n' "$1" "$(printf '%s' "$1" | sed 's/./=/g')"; }
# Shows a command as one could type it, then runs it.
try() {
    printf '$ sidewinder %s\n' "$*"
    "$sidewinder" "$@" 2>&1 | sed 's/^/  /'
    [ "${PIPESTATUS[0]}" -eq 0 ]
}

heading "1. Two ordinary MPI programs, compiled"
for program in halo stale; do
    cp "$apps/$program".[ch] .
    try cc -O2 -g -o $program $program.c
done

heading "2. A halo exchange on 16 ranks of three machines"
cat <<'E2'
halo.c solves a heat equation with MPI_Put between fences, and checks its own answer. The same file runs on a
Cray T3D, on a bus-based multiprocessor and on a network of workstations; only the time differs.

E2
for machine in t3d smp now; do try run -m $machine -n 16 -q --json $machine.json ./halo fence 64 10; done

heading "3. Side by side"
try compare t3d.json smp.json now.json

heading "4. One of these runs in full"
try run -m t3d -n 4 ./halo fence 64 10

heading "5. A load that returned a stale value"
cat <<'E2'
stale.c puts 1 into rank 1's variable and loads it there after a barrier. The T3D's network interface writes memory and
does not inform the cache, so rank 1 still loads 0 until it synchronises the window. MPI-2 allows this (example 11.12).

E2
try run -m t3d -n 2 --json stale_t3d.json ./stale

heading "6. The same program where caches are coherent"
try run -m smp -n 2 -q --json stale_smp.json ./stale
stale() { "$sidewinder" compare --key 'rank[*].stale_loads' "$1" | awk '{ n += $1 } END { print n + 0 }'; }
printf '\nStale loads: %s on t3d, %s on smp.\n' "$(stale stale_t3d.json)" "$(stale stale_smp.json)"

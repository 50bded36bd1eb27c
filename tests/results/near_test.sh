#!/bin/bash
# tests/near: which differences another compiler than that of the pages may make.
. "$(dirname "$0")/../lib.sh"
for version in 12 14; do
    mkdir "$work/$version"
    printf '#!/bin/sh\necho %s\n' $version >"$work/$version/gcc"
    chmod +x "$work/$version/gcc"
done
# near VERSION OPTION... OLD NEW, the last two as text
near() {
    local version=$1
    shift
    printf '%s\n' "${@: -2:1}" >"$work/old"
    printf '%s\n' "${@: -1}" >"$work/new"
    PATH=$work/$version:$PATH "$tests/near" "${@:1:$#-2}" "$work/old" "$work/new" >"$work/out"
}
different() { ! near "$@"; }
says "with the compiler of the pages a time is the same to its last digit" different 12 csv now,64,16.270 now,64,16.271
says "with another a time may be 5 % longer" near 14 csv now,64,16.270 now,64,17.05
says "but not 6 %" different 14 csv now,64,16.270 now,64,17.35
says "unless the page says so" near 14 csv within=0.2 now,64,16.270 now,64,17.35
says "but not 21 %" different 14 csv within=0.2 now,64,16.270 now,64,20.65
says "a count is the same" different 14 csv within=0.2 now,64,16.270 now,65,16.270
says "so is a count beside a time in a table" different 14 csv 1000,64,16.270 1000,65,16.270
says "unless the page says so" near 14 csv counts=0.01 now,1000,16.270 now,1005,16.270
says "but not 2 %" different 14 csv counts=0.01 now,1000,16.270 now,1021,16.270
says "so is a word" different 14 csv now,64,16.270 smp,64,16.270
says "on a page a comma is part of a number" near 14 "took 12,000 us" "took 12,400 us"
says "a drawing is the same with the compiler of the pages" different 12 drawing '<a x="10"/>' '<a x="20"/>'
says "with another it is not compared" near 14 drawing '<a x="10"/>' '<a x="20"/>'
finish

#!/bin/bash
# What a byte of a transfer costs the host does not depend on how long that is: what the bus has booked ahead is not
# moved for every booking.
. "$(dirname "$0")/../../lib.sh"
build large
sampled "smp, 16 million bytes; with --all clump too, and 32"
most=$(thorough && echo 32 || echo 16)
TIMEFORMAT=%U
for machine in smp $(thorough && echo clump); do
    { time passes "$machine" 2 large $((most / 8)); } 2>"$work/time"
    short=$(tail -n 1 "$work/time")
    { time passes "$machine" 2 large "$most"; } 2>"$work/time"
    long=$(tail -n 1 "$work/time")
    says "$machine: eight times the bytes take the host less than 16 times as long ($short s, $long s)" \
        holds "$long < 16 * $short"
done
finish

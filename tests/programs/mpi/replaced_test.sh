#!/bin/bash
# "A C++ program may replace operator new and delete, and catches bad_alloc, as it does natively."
. "$(dirname "$0")/../../lib.sh"
for replaced in 0 1 2; do
    "$sidewinder" c++ -std=c++17 -O2 -DREPLACED=$replaced -o "$work/replaced" "$here/replaced.cc" || exit 1
    passes t3d 2 replaced
done
finish

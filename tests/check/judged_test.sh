#!/bin/bash
# "All racy ones with exactly their lines, no correct one flagged", as somebody else would write them: Fortran of both
# kinds, C++ with its library, the proposals. A file has several programs: its first argument is race or fix, its second
# which. "N:1" and "N:2" end the lines that the N-th is to be blamed for; "*:1" the first of all that have none.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
sampled "every third program"

# marked FILE N SIDE: the line
marked() {
    local line
    line=$(grep -nE "[^0-9]$2:$3\b" "$1" | cut -d: -f1)
    echo "${line:-$(grep -nF "*:$3" "$1" | cut -d: -f1)}"
}
# blamed FILE VARIANT N: class and lines
blamed() {
    rm -f json
    "$sidewinder" run -m rdma -n 3 -q --check --json json "./${1%.*}" "$2" "$3" >out || echo "the run ends with $?"
    awk -f "$here/pairs.awk" json | grep -v separate | sort -u
}
# judged FILE COUNT COMPILER...
judged() {
    local file=$1 count=$2 i lines
    shift 2
    "$sidewinder" "$@" -g -o "${file%.*}" "$here/judged/$file" || wrong "$file is compiled"
    for ((i = 1; i <= count; i += $(thorough && echo 1 || echo 3))); do
        lines=$(for side in 1 2; do marked "$here/judged/$file" $i $side; done | sort -n | xargs)
        says "$file $i: it is blamed for its lines" [ "$(blamed "$file" race $i)" = "error $lines" ]
        says "$file $i: its sibling is not blamed" [ -z "$(blamed "$file" fix $i)" ]
    done
}
judged modern.f90 12 f90 -O1
judged fixed.f 6 f77 -O1
judged library.cpp 12 c++ -std=c++20 -O2
judged proposals.c 8 cc -O1
judged fields.f90 12 f90 -O1
judged old.f 8 f77 -O1 -w
judged tools.cpp 12 c++ -std=c++20 -O2
judged given.f90 10 f90 -O1
judged objects.cpp 12 c++ -std=c++20 -O2
finish

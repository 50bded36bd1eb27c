#!/usr/bin/env bash
# The inspector: does the house keep its own law? One function a rule; each prints what breaks it, a line an offence.
# house_test.sh [ROOT] inspects the tree at ROOT (default: this project) and the objects of BUILD (default ROOT/build).
# Afterwards it inspects made-up houses, each with one offence, and fails unless the offence is found.
set -euo pipefail
LC_ALL=C
root=${1:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${BUILD:-$root/build}

sources() { find "$1/sim" -name '*.c' -o -name '*.h' -o -name '*.def' | sort; }
room_of() { local p=${1#*/sim/}; echo "${p%%/*}"; }

# Includes go from a room to those its line in floors.txt names, and only to their doors.
includes_point_down_and_through_doors() {
    sources "$1" | while read -r file; do
        room=$(room_of "$file")
        sed -n 's/^ *# *include "\([^"]*\)".*/\1/p' "$file" | while read -r inc; do
            to=${inc%%/*}
            [ "$to" = "$inc" ] && continue                       # beside the file itself
            [ "$to" = "$room" ] && continue
            [ -d "$1/sim/$to" ] || continue                      # a library's
            if [ "$room" = kern_fake ] && [ "$to" = kern ]; then continue; fi   # kern's double
            law=$(awk -v r="$room" '$2 == r {$1 = $2 = ""; print}' "$1/sim/floors.txt")
            case " $law " in *" $to "*) ;; *) echo "$file: $room may not include $inc" ;; esac
            [ "$inc" = "$to/$to.h" ] || echo "$file: $inc is not the door of $to"
        done
    done
}

# A room's line names only rooms on lower floors.
floors_point_down() {
    awk '!/^#/ && NF {floor[$2] = $1; line[$2] = $0}
        END {for (r in line) {n = split(line[r], w, " "); for (i = 3; i <= n; i++) if (w[i] != "-" && floor[w[i]] >= floor[r])
            print "floors.txt: " r " on floor " floor[r] " names " w[i] " on floor " floor[w[i]]}}' "$1/sim/floors.txt"
}

# Every folder of sim/ is a room of the law.
every_room_has_a_line() {
    for dir in "$1"/sim/*/; do
        room=$(basename "$dir")
        [ "$room" = kern_fake ] && continue   # kern's double
        awk -v r="$room" '$2 == r {found = 1} END {exit !found}' "$1/sim/floors.txt" || echo "sim/$room has no line in floors.txt"
    done
}

only_kern_includes_simgrid() {
    sources "$1" | while read -r file; do
        case $(room_of "$file") in kern) continue ;; esac
        grep -Hn '# *include <\(simgrid\|xbt\|smpi\)/' "$file" || true
    done
    sources "$1" | while read -r file; do
        case $(room_of "$file") in kern | dialect) continue ;; esac
        grep -Hn '# *include <\(mpi\|smpi\)\.h>' "$file" || true
    done
}

no_file_is_longer_than_400_lines() {
    find "$1/sim" "$1/apps" "$1/tests" -name '*.[ch]' -o -name '*.sh' | sort | while read -r file; do
        n=$(wc -l <"$file")
        [ "$n" -le 400 ] || echo "$file: $n lines"
    done
}

# A line of models.def has a file of that name, and a file with a member's table has a line.
families_and_files_agree() {
    find "$1/sim" -name models.def | sort | while read -r list; do
        folder=$(dirname "$list")
        sed -n 's/^[A-Z_]*(\([a-z_0-9]*\).*/\1/p' "$list" | while read -r member; do
            [ -f "$folder/$member.c" ] || echo "$list: $member has no file $member.c"
        done
        family=$(sed -n 's/^\([A-Z_]*\)(.*/\1/p' "$list" | head -n 1)
        table=$(find "$folder" -maxdepth 1 -name '*.[ch]' | sort | xargs sed -n "s/.*$family(name) *extern const struct \([a-z_]*\) .*/\1/p" | head -n 1)
        [ -n "$table" ] || continue
        grep -l "^const struct $table [a-z_0-9]* = {" "$folder"/*.c | while read -r file; do
            member=$(basename "$file" .c)
            grep -q "($member)" "$list" || echo "$file: not in $list"
        done
    done
}

# What a room's objects export begins with the room's name. dialect speaks MPI's names, probe the compiler's and the user's.
symbols_begin_with_the_room() {
    for dir in "$2"/CMakeFiles/room_*.dir; do
        [ -d "$dir" ] || continue
        room=$(basename "$dir" .dir)
        room=${room#room_}
        case $room in
        dialect) allowed='^(dialect_|MPI_|mpi_|PA_|SHM_)' ;;
        probe) allowed='^(probe_|__tsan_|sw_)' ;;
        kern_fake) allowed='^(kern_)' ;;
        cli) allowed='^(cli_|main$)' ;;
        *) allowed="^${room}_" ;;
        esac
        find "$dir" -name '*.o' | sort | while read -r object; do
            nm --defined-only --extern-only "$object" | awk 'NF == 3 {print $3}' | grep -Ev "$allowed|^_ZW|^\.|^DW\.ref" |
                sed "s|^|$room exports |" || true
        done
    done
}

inspect() {
    floors_point_down "$1"
    every_room_has_a_line "$1"
    includes_point_down_and_through_doors "$1"
    only_kern_includes_simgrid "$1"
    no_file_is_longer_than_400_lines "$1"
    families_and_files_agree "$1"
    symbols_begin_with_the_room "$1" "$2"
}

# ---- made-up houses: a rule that finds nothing in its own offence is broken -----------------------------------
made_up() {
    local name=$1 want=$2 house
    house=$(mktemp -d)
    mkdir -p "$house"/sim/{low,high,kern} "$house"/{apps,tests} "$house"/build/CMakeFiles/room_low.dir
    printf '1 low -\n2 kern low\n3 high low kern\n' >"$house/sim/floors.txt"
    printf '#include "low/low.h"\n' >"$house/sim/high/high.c"
    (cd "$house" && eval "$3")
    found=$(inspect "$house" "$house/build")
    rm -rf "$house"
    case $found in *"$want"*) echo "  found: $name" ;; *) echo "NOT FOUND: $name (obtained: ${found:-nothing})"; return 1 ;; esac
}

offences=$(inspect "$root" "$build")
if [ -n "$offences" ]; then
    echo "$offences"
    echo "the house breaks its own law: $(echo "$offences" | wc -l) offences"
    exit 1
fi
echo "the house keeps its law; now the made-up houses:"
made_up "an arrow that points up" "low may not include" 'echo "#include \"high/high.h\"" >sim/low/low.c'
made_up "an entry past the door" "is not the door" 'echo "#include \"low/inner.h\"" >sim/high/high.c'
made_up "a law that points up" "floors.txt: low" 'printf "1 low high\n2 kern low\n3 high low\n" >sim/floors.txt'
made_up "a room without a line" "has no line" 'mkdir sim/attic'
made_up "SimGrid outside kern" "simgrid/actor.h" 'echo "#include <simgrid/actor.h>" >sim/high/x.c'
made_up "mpi.h outside dialect" "mpi.h" 'echo "#include <mpi.h>" >sim/high/x.c'
made_up "a long file" "401 lines" 'yes "int;" | head -n 401 >sim/low/low.c || true'
made_up "a member without a file" "has no file" 'echo "LOW_THING(ghost)" >sim/low/models.def'
made_up "a file without a line" "not in" 'printf "#define LOW_THING(name) extern const struct low_thing low_##name;\n" >sim/low/low.h
    echo "LOW_THING(a)" >sim/low/models.def; echo "const struct low_thing low_a = {0};" >sim/low/a.c; echo "const struct low_thing low_b = {" >sim/low/b.c'
made_up "a symbol of another name" "low exports stray" 'echo "int stray;" >s.c; gcc -c s.c -o build/CMakeFiles/room_low.dir/s.c.o'

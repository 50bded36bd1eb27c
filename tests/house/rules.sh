# The house rules, one function each. A rule prints one line an offender, "place: what is wrong", and nothing when all is well.
# $root is the source tree; $objects a file of lines "room object-file". Needs only sh, awk, find and nm.

rules='law_is_sound rooms_are_known includes_point_down only_doors_from_outside libraries_have_their_room
names_begin_with_the_room no_file_is_too_long lists_and_files_agree members_end_in_their_table members_are_alone
headers_are_guarded structs_have_no_typedef suites_are_listed'

. "$here/exceptions.sh"

law="$root/sim/floors.txt"

# Lines "room floor may-include..." of the law.
law_lines() { awk '!/^#/ && NF {f = $1; r = $2; $1 = $2 = ""; gsub(/-/, ""); print r, f, $0}' "$law"; }

sources() { find "$root/sim" -name '*.[ch]' -o -name '*.def' | sort; }

# Lines "room place kind path" for every #include of sim/: kind < or ", path as written.
includes() {
    sources | while read -r file; do
        awk -v file="${file#"$root"/}" '/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
            split(file, part, "/")
            kind = index($0, "<") ? "<" : "\""
            match($0, /[<"][^>"]*/)
            print part[2], file ":" FNR, kind, substr($0, RSTART + 1, RLENGTH - 1)
        }' "$file"
    done
}

# Lines "room place path" for every include of another room's file. Next to the including file means one's own.
outward_includes() {
    includes | while read -r room place kind path; do
        [ "$kind" = '"' ] || continue
        file=${place%:*}
        case $path in
        ../* | */../*) echo "$room $place $path" ;;
        "$room"/*) ;;
        */*) [ -e "$root/${file%/*}/$path" ] || echo "$room $place $path" ;;
        *) ;;
        esac
    done
}

stands_for() { echo "$stand_ins" | awk -F: -v room="$1" '$1 == room {print $2}'; }

# ---- the law -------------------------------------------------------------------------------------------------------

law_is_sound() {
    law_lines | awk '
        $1 in floor {print "sim/floors.txt: " $1 " has two lines"}
        {floor[$1] = $2; may[$1] = $0}
        END {
            for (room in may) {
                n = split(may[room], word, " ")
                for (i = 3; i <= n; i++)
                    if (!(word[i] in floor)) print "sim/floors.txt: " room " may include " word[i] ", which is no room"
                    else if (floor[word[i]] >= floor[room]) print "sim/floors.txt: " room " may include " word[i] ", which is not below it"
            }
        }'
}

rooms_are_known() {
    for folder in "$root"/sim/*/; do
        room=$(basename "$folder")
        [ -n "$(stands_for "$room")" ] && continue
        law_lines | awk -v room="$room" '$1 == room {found = 1} END {exit !found}' || echo "sim/$room: has no line in sim/floors.txt"
    done
}

# ---- arrows and doors ------------------------------------------------------------------------------------------------

includes_point_down() {
    outward_includes | while read -r room place path; do
        to=${path%%/*}
        stand=$(stands_for "$room")
        [ "$to" = "$stand" ] && continue
        law_lines | awk -v room="${stand:-$room}" -v to="$to" '
            $1 == to {known = 1}
            $1 == room {for (i = 3; i <= NF; i++) if ($i == to) allowed = 1}
            END {exit !(allowed || !known)}' || echo "$place: $room may not look into $to"
    done
}

only_doors_from_outside() {
    outward_includes | while read -r room place path; do
        to=${path%%/*}
        [ "$to" = "$(stands_for "$room")" ] && continue
        [ "$path" = "$to/$to.h" ] || echo "$place: \"$path\" is not a door"
    done
}

libraries_have_their_room() {
    includes | awk -v list="$only_here" '
        BEGIN {n = split(list, entry, "\n"); for (i = 1; i <= n; i++) {at = index(entry[i], ":"); owner[i] = substr(entry[i], 1, at - 1)
               pattern[i] = substr(entry[i], at + 1)}}
        $1 == "program" {next}
        $3 == "<" {
            decided = 0; fine = 0; who = ""
            for (i = 1; i <= n; i++) if ($4 ~ pattern[i]) {decided = 1; who = who " " owner[i]; if (owner[i] == $1) fine = 1}
            if (decided && !fine) print $2 ": <" $4 "> belongs to" who
        }'
}

# ---- names -----------------------------------------------------------------------------------------------------------

names_begin_with_the_room() {
    [ -n "$objects" ] || return 0
    while read -r room object; do
        case " $no_names " in *" $room "*) continue ;; esac
        nm -g --defined-only "$object" | awk -v room="$room" -v stand="$(stands_for "$room")" -v object="$(basename "$object")" \
            -v list="$foreign_names" '
            BEGIN {n = split(list, entry, "\n")}
            NF == 3 {
                name = $3
                if (index(name, room "_") == 1 || (stand && index(name, stand "_") == 1)) next
                for (i = 1; i <= n; i++) {at = index(entry[i], ":")
                    if (substr(entry[i], 1, at - 1) == room && name ~ substr(entry[i], at + 1)) next}
                print object ": " name " does not begin with " room "_"
            }'
    done <"$objects"
}

# ---- files -----------------------------------------------------------------------------------------------------------

no_file_is_too_long() {
    for folder in sim include apps tests bootstrap CMakeLists.txt; do
        [ -e "$root/$folder" ] && find "$root/$folder" -type f \
            \( -name '*.[ch]' -o -name '*.def' -o -name '*.sh' -o -name '*.awk' -o -name '*.txt' -o -perm -u+x \)
    done | sort | while read -r file; do
        lines=$(awk 'END {print NR}' "$file")
        [ "$lines" -le $lines_max ] || echo "${file#"$root"/}: $lines lines, more than $lines_max"
    done
}

# Members named by a models.def. A line is MACRO(name): NAME.c beside it, or NAME/NAME.c of a folder.
listed() { awk -F'[(),]' '/^[A-Z_]+\(/ {gsub(/[ \t]/, "", $2); print $2}' "$1"; }
member_file() { [ -e "$1/$2.c" ] && echo "$1/$2.c" || echo "$1/$2/$2.c"; }

# Does the file define a constant table that carries its own name?
is_member() { grep -Eq "^const struct [a-z0-9_]+ [a-z0-9_]+_$(basename "$1" .c) = \{" "$1"; }

lists_and_files_agree() {
    find "$root/sim" -name models.def | sort | while read -r list; do
        folder=$(dirname "$list")
        for name in $(listed "$list"); do
            [ -e "$(member_file "$folder" "$name")" ] || echo "${list#"$root"/}: $name has no file $name.c"
        done
        for file in "$folder"/*.c "$folder"/*/*.c; do
            [ -e "$file" ] && [ ! -e "$(dirname "$file")/models.def" -o "$(dirname "$file")" = "$folder" ] || continue
            if is_member "$file" && ! listed "$list" | grep -qx "$(basename "$file" .c)"; then
                echo "${file#"$root"/}: is a member without a line in models.def"
            fi
        done
    done
}

members_end_in_their_table() {
    find "$root/sim" -name models.def | sort | while read -r list; do
        for name in $(listed "$list"); do
            file=$(member_file "$(dirname "$list")" "$name")
            [ -e "$file" ] || continue
            if ! is_member "$file"; then
                echo "${file#"$root"/}: has no constant table called ..._$name"
            elif ! awk '/^\/\// || !NF {next} {last = $0; if (/^const struct /) open = 1; else if (/^}/) {closed = open; open = 0} else if (/^[^ \t}]/) closed = 0}
                        END {exit !(closed && last == "};")}' "$file"; then
                echo "${file#"$root"/}: the table is not its last paragraph"
            fi
        done
    done
}

# A member with a folder of its own is known by its table only.
members_are_alone() {
    find "$root/sim" -name models.def | sort | while read -r list; do
        for name in $(listed "$list"); do
            own=$(dirname "$list")/$name
            [ -d "$own" ] || continue
            includes | awk -v own="${own#"$root"/}/" -v name="$name" \
                'index("sim/" $4, own) == 1 && index($2, own) != 1 {print $2 ": looks into the member " name}'
        done
    done
}

headers_are_guarded() {
    find "$root/sim" "$root/include" -name '*.h' ! -name "$not_c" 2>&1 | grep '\.h$' | sort | while read -r file; do
        awk 'NR == 1 && !/^\/\*/ {bad = 1} /^#ifndef [A-Z0-9_]+_H$/ {guard = $2} guard && $1 == "#define" && $2 == guard {ok = 1}
             END {exit !(ok && !bad)}' "$file" || echo "${file#"$root"/}: does not begin with what it is, or has no guard"
    done
}

structs_have_no_typedef() {
    sources | while read -r file; do
        awk -v file="${file#"$root"/}" '/^[ \t]*typedef[ \t]+(struct|union)/ {print file ":" FNR ": a typedef of a struct"}' "$file"
    done
}

suites_are_listed() {
    for file in "$root"/tests/unit/*_test.c; do
        [ -e "$file" ] || continue
        name=$(basename "$file" _test.c)
        grep -qx "UNIT($name)" "$root/tests/unit/suites.def" || echo "tests/unit/${name}_test.c: has no line in suites.def"
    done
}

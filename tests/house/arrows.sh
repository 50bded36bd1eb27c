# The rules about arrows: who may include, call and point to whom. Sourced by rules.sh; see there for $root and
# $objects.
#
# sim/floors.txt has a line a room: floor, name, rooms it may look into. A sub-room is a folder of a room with a line of
# its own, "4.2 mem/cache base": the number orders the sub-rooms of a room, and each may also look into those with a
# lower number. Files that lie in no sub-room stand above all sub-rooms of their room. From outside a room only doors
# are included: room/room.h, and the door room/sub/sub.h of a sub-room that stands in the line of the law.
# A line that begins with a blank goes on with the one above.

law="$root/sim/floors.txt"

# Lines "room floor may-include..." of the law.
law_lines() {
    awk '/^#/ || !NF {next}
         /^[ \t]/ {line = line " " $0; next}
         {if (line) print line; line = $0}
         END {if (line) print line}' "$law" | awk '{f = $1; r = $2; $1 = $2 = ""; gsub(/-/, ""); print r, f, $0}'
}

sources() { find "$root/sim" -name '*.[ch]' -o -name '*.cc' -o -name '*.def' | sort; }

stands_for() { echo "$stand_ins" | awk -F: -v room="$1" '$1 == room {print $2}'; }

# What the arrows' programs share: the law, the room of a file (the longest folder that has a line), the file an include
# means.
awk_law='
function read_law(file,   line, n, word, i, room) {
    while ((getline line < file) > 0) {
        if (line ~ /^#/ || (n = split(line, word, " ")) < 1) continue
        i = line ~ /^[ \t]/ ? 1 : 3
        if (i == 3) {room = word[2]; floor[room] = word[1]}
        for (; i <= n; i++) may[room, word[i]] = 1
    }
    n = split(stand, word, "\n")
    for (i = 1; i <= n; i++) {split(word[i], pair, ":"); stands[pair[1]] = pair[2]}
}
function top_of(path) {sub(/\/.*$/, "", path); return path}
function room_of(path) {
    while (sub(/\/[^\/]*$/, "", path)) if (path in floor || path in stands) return path
    return path
}
function allowed(from, to,   top) {
    if (from == to) return 1
    top = top_of(from)
    if (top in stands) {if (to == stands[top]) return 1; from = top = stands[top]}
    if (top == top_of(to)) return from == top || (to != top && floor[to] + 0 < floor[from] + 0)
    return (from, to) in may
}
'

# Lines "file:line kind path" for every #include of sim/: kind < or ", path as written, file below sim/.
includes() {
    sources | tr '\n' '\0' | xargs -0 awk -v root="$root/sim/" '/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
        kind = index($0, "<") ? "<" : "\""
        match($0, /[<"][^>"]*/)
        print substr(FILENAME, length(root) + 1) ":" FNR, kind, substr($0, RSTART + 1, RLENGTH - 1)
    }' /dev/null
}

# Lines "file:line path written" for every include of a file of sim/ that lies below sim/: path is where it lies.
inward() {
    { sources | sed "s|^$root/sim/||"; echo; includes; } | awk '
        !listed {if (NF) there[$1] = 1; else listed = 1; next}
        $2 != "\"" {next}
        {
            folder = $1
            sub(/\/[^\/]*$/, "", folder)
            path = folder "/" $3
            while (sub(/[^\/]+\/\.\.\//, "", path)) continue
            if ($3 in there || (!(path in there) && $3 ~ /\// && $3 !~ /\.\.\//)) path = $3
            print $1, path, $3
        }'
}

# ---- the law -------------------------------------------------------------------------------------------------------

law_is_sound() {
    law_lines | awk '
        $1 in floor {print "sim/floors.txt: " $1 " has two lines"}
        {floor[$1] = $2; may[$1] = $0}
        END {
            for (room in may) {
                parent = room
                if (sub(/\/.*$/, "", parent)) {
                    if (!(parent in floor))
                        print "sim/floors.txt: " room " is a sub-room of " parent ", which is no room"
                    else if (int(floor[room]) != int(floor[parent]))
                        print "sim/floors.txt: " room " is not on the floor of " parent
                }
                n = split(may[room], word, " ")
                for (i = 3; i <= n; i++)
                    if (!(word[i] in floor)) print "sim/floors.txt: " room " may include " word[i] ", which is no room"
                    else if (floor[word[i]] + 0 >= floor[room] + 0)
                        print "sim/floors.txt: " room " may include " word[i] ", which is not below it"
            }
        }'
}

rooms_are_known() {
    for folder in "$root"/sim/*/; do
        room=$(basename "$folder")
        [ -n "$(stands_for "$room")" ] && continue
        law_lines | awk -v room="$room" '$1 == room {found = 1} END {exit !found}' ||
            echo "sim/$room: has no line in sim/floors.txt"
    done
}

rooms_have_their_folder() {
    law_lines | while read -r room floor rest; do
        [ -d "$root/sim/$room" ] || echo "sim/floors.txt: $room is no folder of sim"
    done
}

# ---- includes ------------------------------------------------------------------------------------------------------

includes_point_down() {
    inward | awk -v stand="$stand_ins" -v law="$law" "$awk_law"'
        BEGIN {read_law(law)}
        {
            file = $1
            sub(/:[0-9]+$/, "", file)
            from = room_of(file); to = room_of($2)
            if (to in floor && !allowed(from, to)) print "sim/" $1 ": " from " may not look into " to
        }'
}

only_doors_from_outside() {
    inward | awk -v stand="$stand_ins" -v law="$law" "$awk_law"'
        BEGIN {read_law(law)}
        {
            file = $1
            sub(/:[0-9]+$/, "", file)
            from = top_of(file); to = top_of($2)
            if (from == to) next
            if (stands[from] == to || !(to in floor)) next
            room = room_of($2)
            door = room
            sub(/^.*\//, "", door)
            if ($3 != room "/" door ".h") print "sim/" $1 ": \"" $3 "\" is not a door"
        }'
}

libraries_have_their_room() {
    includes | awk -v list="$only_here" '
        BEGIN {n = split(list, entry, "\n")
               for (i = 1; i <= n; i++) {at = index(entry[i], ":"); owner[i] = substr(entry[i], 1, at - 1)
               pattern[i] = substr(entry[i], at + 1)}}
        {room = $1; sub(/\/.*$/, "", room)}
        room == "program" {next}
        $2 == "<" {
            decided = 0; fine = 0; who = ""
            for (i = 1; i <= n; i++) if ($3 ~ pattern[i]) {
                decided = 1
                who = who " " owner[i]
                if (owner[i] == room) fine = 1
            }
            if (decided && !fine) print "sim/" $1 ": <" $3 "> belongs to" who
        }'
}

# ---- symbols -------------------------------------------------------------------------------------------------------

# Lines "room object-file: [value] kind symbol" for the external symbols of all objects, as nm has them.
symbols() {
    [ -n "$objects" ] || return 0
    sort -u "$objects" | while read -r room object; do [ -e "$object" ] && echo "$object"; done | tr '\n' '\0' |
        xargs -0r nm -gA | awk -v objects="$objects" '
            BEGIN {while ((getline line < objects) > 0) {split(line, word, " "); room[word[2]] = word[1]}}
            {print room[substr($0, 1, index($0, ":") - 1)], $0}'
}

# Lines "from-file to-file symbol" for every external symbol that one object uses and another defines; files below sim/.
uses() {
    symbols | awk -v stand="$stand_ins" -v law="$law" "$awk_law"'
        BEGIN {read_law(law)}
        $1 in stands {next}
        {
            where = substr($2, 1, index($2, ":") - 1)
            if (!sub(/^.*\/sim\//, "", where)) {sub(/^.*\//, "", where); where = $1 "/" where}
            sub(/\.o$/, "", where)
            symbol = $NF
            if ($(NF - 1) == "U") {n++; user[n] = where; used[n] = symbol}
            else definer[symbol] = where
        }
        END {
            for (i = 1; i <= n; i++)
                if (used[i] in definer && definer[used[i]] != user[i]) print user[i], definer[used[i]], used[i]
        }' | sort -u
}

calls_point_down() {
    uses | awk -v stand="$stand_ins" -v law="$law" "$awk_law"'
        BEGIN {read_law(law)}
        {
            from = room_of($1); to = room_of($2)
            if (top_of(to) in stands || top_of(from) in stands || top_of(from) != top_of(to)) next
            if (!allowed(from, to)) print "sim/" $1 ": uses " $3 " of " $2 ", which is not below it"
        }'
}

# Files of one room that use each other, directly or by way of others. A table of functions is used by whoever names it,
# so calls through a family count as well.
no_circles() {
    uses | awk '
        function top_of(path) {sub(/\/.*$/, "", path); return path}
        top_of($1) == top_of($2) && !(($1, $2) in edge) {
            edge[$1, $2] = $3; from[++n] = $1; to[n] = $2
            alive[$1] = alive[$2] = 1
        }
        # A file that uses no other, or is used by none, is in no circle; what remains without those is.
        END {
            do {
                gone = 0
                for (f in alive) {out[f] = 0; into[f] = 0}
                for (i = 1; i <= n; i++) if (from[i] in alive && to[i] in alive) {out[from[i]]++; into[to[i]]++}
                for (f in alive) if (!out[f] || !into[f]) {delete alive[f]; gone = 1}
            } while (gone)
            for (i = 1; i <= n; i++)
                if (from[i] in alive && to[i] in alive)
                    print "sim/" from[i] ": in a circle: uses " edge[from[i], to[i]] " of " to[i]
        }' | sort
}

# What calls through a pointer goes where nm does not see: sim/pointers.txt says where, and why.
pointers_are_explained() {
    sources | grep -v '\.def$' | tr '\n' '\0' | xargs -0 awk -v root="$root/sim/" '
        /^[ \t]*(\/\*|\*|\/\/)/ {next}
        {
            line = $0
            while (match(line, /\(\*(const )?[a-z_]+\)\(/)) {
                name = substr(line, RSTART + 2, RLENGTH - 4)
                sub(/^const /, "", name)
                print substr(FILENAME, length(root) + 1), FNR, name
                line = substr(line, RSTART + RLENGTH)
            }
        }' | awk -v list="$root/sim/pointers.txt" '
        BEGIN {
            while ((getline line < list) > 0) {
                if (line ~ /^#/ || split(line, word, " ") < 4) continue
                n++; room[n] = word[1]; pattern[n] = "^(" word[2] ")$"
            }
        }
        {
            fine = 0
            for (i = 1; i <= n && !fine; i++) fine = index($1, room[i] "/") == 1 && $3 ~ pattern[i]
            if (!fine) print "sim/" $1 ":" $2 ": the pointer to a function " $3 " has no line in sim/pointers.txt"
        }'
}

names_begin_with_the_room() {
    symbols | awk -v stand="$stand_ins" -v law="$law" -v no_names=" $no_names " -v list="$foreign_names" "$awk_law"'
        BEGIN {read_law(law); n = split(list, entry, "\n")}
        $2 ~ /:$/ || index(no_names, " " $1 " ") {next}   # used, not defined here; free names
        $4 ~ /[.]/ {next}                                 # no identifier: the compiler made it (DW.ref.*)
        {
            room = $1; name = $4; object = $2
            sub(/:[^:]*$/, "", object)
            sub(/^.*\//, "", object)
            if (index(name, room "_") == 1 || (room in stands && index(name, stands[room] "_") == 1)) next
            for (i = 1; i <= n; i++) {
                at = index(entry[i], ":")
                if (substr(entry[i], 1, at - 1) == room && name ~ substr(entry[i], at + 1)) next
            }
            print object ": " name " does not begin with " room "_"
        }'
}

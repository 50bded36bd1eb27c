# The house rules, one function each. A rule prints one line an offender, "place: what is wrong", and nothing when all
# is well. $root is the source tree; $objects a file of lines "room object-file". Needs only sh, awk, find and nm.

rules='law_is_sound rooms_are_known rooms_have_their_folder includes_point_down only_doors_from_outside
libraries_have_their_room calls_point_down no_circles pointers_are_explained names_begin_with_the_room
no_file_is_too_long lines_are_short sentences_are_short code_is_formatted documents_exist lists_and_files_agree
members_end_in_their_table members_are_alone headers_are_guarded structs_have_no_typedef suites_are_listed
pages_list_what_is_there one_word_for_one_thing'

. "$here/exceptions.sh"
. "$here/arrows.sh"
. "$here/words.sh"

# ---- files -----------------------------------------------------------------------------------------------------------

no_file_is_too_long() {
    for folder in sim include apps tests bootstrap CMakeLists.txt; do
        [ -e "$root/$folder" ] && find "$root/$folder" -type f \
            \( -name '*.[ch]' -o -name '*.def' -o -name '*.sh' -o -name '*.awk' -o -name '*.txt' -o -perm -u+x \)
    done | sort | tr '\n' '\0' | xargs -0 awk -v root="$root/" -v most=$lines_max '
        FNR > most {lines[FILENAME] = FNR}
        END {
            for (file in lines)
                print substr(file, length(root) + 1) ": " lines[file] " lines, more than " most
        }'
}

# C: the columns of .clang-format; what a shell, awk or CMake reads, lists, and text: 120. Tables of a page and what it
# quotes (lines that begin with | or four blanks), what programs print (golden files) and the values of key files, which
# cannot go on in the next line, are as wide as they are.
lines_are_short() {
    for folder in sim include apps platforms tests results .github bootstrap CMakeLists.txt README.md CHANGELOG.md; do
        [ -e "$root/$folder" ] && find "$root/$folder" -type f ! -path '*/out/*' \( -name '*.[ch]' -o -name '*.cc' -o \
            -name '*.def' \
            -o -name '*.sh' -o -name '*.awk' -o -name '*.txt' -o -name '*.md' -o -name '*.ini' -o -name 'Makefile' -o \
            -perm -u+x \)
    done | sort | tr '\n' '\0' | LC_ALL=C.UTF-8 xargs -0 grep -HnE '^.{101,}' | LC_ALL=C.UTF-8 awk -v root="$root/" '
        {
            at = index($0, ":"); file = substr($0, 1, at - 1); rest = substr($0, at + 1)
            at = index(rest, ":"); line = substr(rest, 1, at - 1); text = substr(rest, at + 1)
            if (file ~ /mpif?\.h$/) next
            if (file ~ /\.(c|h|cc)$/) {print substr(file, length(root) + 1) ":" line ": over 100 columns"; next}
            if (file ~ /\.md$/ && text ~ /^(\||    )/) next
            if (file ~ /tests\/golden\// || (file ~ /\.ini$/ && text ~ /^[a-z_.]+=/)) next
            print substr(file, length(root) + 1) ":" line ":" text
        }' | LC_ALL=C.UTF-8 grep -E ': over 100 columns$|^[^:]*:[0-9]+:.{121,}' |
            LC_ALL=C.UTF-8 sed -E 's/^([^:]*:[0-9]+):.{121,}/\1: over 120 columns/'
}

sentences_are_short() {
    find "$root"/*.md "$root/apps" "$root/platforms" "$root/results" "$root/sim" "$root/tests" \
        -name '*.md' 2>/dev/null |
        grep -vE "$long_sentences" | sort | tr '\n' '\0' |
        xargs -0 -r awk -v root="$root/" -v most=$words_max -f "$here/sentences.awk"
}

formatter=clang-format-19
c_files() {
    for folder in sim include apps tests; do
        [ -e "$root/$folder" ] && find "$root/$folder" -type f \( -name '*.[ch]' -o -name '*.cc' \) ! -name "$not_c" ! \
            -name mpi.h
    done | sort
}
code_is_formatted() {
    command -v $formatter >/dev/null && [ -e "$root/.clang-format" ] || return 0
    c_files | tr '\n' '\0' | xargs -0 $formatter --style="file:$root/.clang-format" --dry-run 2>&1 |
        awk -v root="$root/" '
        /warning: code should be clang-formatted/ {
            split($1, part, ":")
            file = substr(part[1], length(root) + 1)
            if (!seen[file]++) print file ":" part[2] ": is not laid out as " "'$formatter'" " does it"
        }'
}
# Rules that looked at nothing here, and why: house.sh prints it.
not_checked() {
    command -v $formatter >/dev/null || echo "code_is_formatted: not checked: $formatter is not installed"
    [ -n "$objects" ] || echo "calls_point_down no_circles names_begin_with_the_room: not checked: no objects given"
}

# A file that a comment of sim/ cites, by name or by path, is in the repository.
documents_exist() {
    find "$root" -name .git -prune -o -name 'build*' -prune -o -type f -print | sed 's|^.*/||' |
        sort -u >"${TMPDIR:-/tmp}/house.$$"
    sources | tr '\n' '\0' | xargs -0 awk -v root="$root/" -v list="${TMPDIR:-/tmp}/house.$$" -v \
        made_up="$made_up_files" \
        -v system_headers="$system_headers" '
        BEGIN {
            while ((getline name < list) > 0) there[name] = 1
            n = split(made_up, word, "\n")
            for (i = 1; i <= n; i++) there[word[i]] = 1
        }
        FNR == 1 {open = 0}
        {
            text = $0; comment = ""
            while (text != "") {
                if (open) {
                    if (at = index(text, "*/")) {
                        comment = comment " " substr(text, 1, at - 1)
                        text = substr(text, at + 2)
                        open = 0
                    }
                    else {comment = comment " " text; text = ""}
                } else if (at = index(text, "/*")) {open = 1; text = substr(text, at + 2)}
                else text = ""
            }
            place = substr(FILENAME, length(root) + 1) ":" FNR
            if (match(comment, /(^|[^A-Za-z_])(DESIGN|HARDWARE|HOUSE|PROCESSOR|STYLE)([^A-Za-z_]|$)/))
                print place ": cites a document that is not here: " substr(comment, RSTART, RLENGTH)
            while (match(comment, /[A-Za-z_0-9][A-Za-z_0-9.\/-]*\.(c|h|md|def|txt|awk|sh)([^A-Za-z0-9_(]|$)/)) {
                name = substr(comment, RSTART, RLENGTH)
                comment = substr(comment, RSTART + RLENGTH)
                sub(/[^A-Za-z]$/, "", name)
                system_header = name ~ /^(sys|smpi|simgrid|xbt)\//
                sub(/^.*\//, "", name)
                if (!(name in there) && !system_header && name !~ system_headers)
                    print place ": cites " name ", which is not here"
            }
        }'
    rm -f "${TMPDIR:-/tmp}/house.$$"
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
            elif ! awk '/^\/\// || !NF {next}
                        {
                            last = $0
                            if (/^const struct .*[}];$/) closed = 1
                            else if (/^const struct /) open = 1
                            else if (/^}/) {closed = open; open = 0}
                            else if (/^[^ \t}]/) closed = 0
                        }
                        END {exit !(closed && last ~ /[}];$/)}' "$file"; then
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
            includes | awk -v own="${own#"$root"/sim/}/" -v name="$name" \
                'index($3, own) == 1 && index($1, own) != 1 {print "sim/" $1 ": looks into the member " name}'
        done
    done
}

headers_are_guarded() {
    find "$root/sim" "$root/include" -name '*.h' ! -name "$not_c" 2>&1 | grep '\.h$' | sort | while read -r file; do
        awk 'NR == 1 && !/^\/\*/ {bad = 1}
             /^#ifndef [A-Z0-9_]+_H$/ {guard = $2}
             guard && $1 == "#define" && $2 == guard {ok = 1}
             END {exit !(ok && !bad)}' "$file" || echo \
                 "${file#"$root"/}: does not begin with what it is, or has no guard"
    done
}

structs_have_no_typedef() {
    sources | tr '\n' '\0' | xargs -0 awk -v root="$root/" '
        /^[ \t]*typedef[ \t]+(struct|union)/ {
            print substr(FILENAME, length(root) + 1) ":" FNR ": a typedef of a struct"
        }'
}

suites_are_listed() {
    find "$root/tests/unit" -name "*_test.c" | sort | while read -r file; do
        grep -qx "UNIT($(basename "$file" _test.c))" "$root/tests/unit/suites.def" ||
            echo "${file#"$root"/}: has no line in suites.def"
    done
}

# A machine, an experiment and a lab have a row in the table of their folder's page.
pages_list_what_is_there() {
    for file in "$root"/platforms/*.xml "$root"/results/*/question.md "$root"/apps/classroom/lab*.md; do
        [ -e "$file" ] || continue
        case $file in
        *.xml) page=platforms/README.md row="| \`$(basename "$file" .xml)\` |" ;;
        */question.md) page=results/README.md row="| \`$(basename "$(dirname "$file")")\` |" ;;
        *) page=apps/classroom/README.md row="]($(basename "$file")) |" ;;
        esac
        grep -qF "$row" "$root/$page" || echo "${file#"$root"/}: has no row in $page"
    done
}

#!/bin/sh
# Is every rule of the house caught breaking? Builds a made-up house that is clean, then plants one offender at a time.
set -u
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
root=$work/house
objects=$work/objects
. "$here/rules.sh"
failures=0
tried=''

clean_house() {
    rm -rf "$root"
    mkdir -p "$root/sim/low" "$root/sim/high" "$root/sim/kern" "$root/sim/kern_fake" "$root/include" \
        "$root/tests/unit/low"
    printf '# the law\n1 low -\n2 kern low\n3 high low\n' >"$root/sim/floors.txt"
    printf '/* low: below. */\n#ifndef LOW_LOW_H\n#define LOW_LOW_H\nint low_one(void);\n#endif\n' \
        >"$root/sim/low/low.h"
    printf '/* inside low. */\n#ifndef LOW_INSIDE_H\n#define LOW_INSIDE_H\n#endif\n' >"$root/sim/low/inside.h"
    printf '#include "low/low.h"\n#include "inside.h"\nint low_one(void) { return 1; }\n' >"$root/sim/low/low.c"
    printf '#include "low/low.h"\n#include <stdio.h>\n' >"$root/sim/high/high.c"
    printf '#include <simgrid/actor.h>\n' >"$root/sim/kern/kern.c"
    printf '#include "kern/event.h"\n' >"$root/sim/kern_fake/kern_fake.c"
    printf '/* A list. */\nFAMILY(one)\nFAMILY(plain)\n' >"$root/sim/low/models.def"
    printf 'const struct low_model low_plain = {.step = 0};\n' >"$root/sim/low/plain.c" # a table of one line
    printf 'static int step;\n\nconst struct low_model low_one = {\n    .step = &step,\n};\n// clang-format on\n' \
        >"$root/sim/low/one.c"
    printf 'UNIT(low)\n' >"$root/tests/unit/suites.def"
    printf '\n' >"$root/tests/unit/low/low_test.c"
    : >"$objects"
}

object() {   # object ROOM C-TEXT [FILE]: an object file of that room, made from sim/FILE
    where=$work/objects.dir/sim/${3:-$1/$1.c}.o
    mkdir -p "$(dirname "$where")"
    echo "$2" | cc -x c -c -o "$where" - || exit 2
    echo "$1 $where" >>"$objects"
}

# catches RULE TEXT SENTENCE: the rule, and no other, must name an offender, in a line that holds the text. In the short
# run (./bootstrap test --all sets POINTS) the others are asked at every eighth offender.
cases=0
catches() {
    tried="$tried $1"
    cases=$((cases + 1))
    asked=$1
    [ -z "${POINTS:-}" ] && [ $((cases % 8)) -ne 0 ] || asked=$rules
    for rule in $asked; do
        found=$($rule 2>&1)
        if [ "$rule" = "$1" ] && ! echo "$found" | grep -qF -- "$2"; then
            echo "FAILED: $3: expected \"$2\" from $rule, obtained \"$found\""
            failures=$((failures + 1))
        elif [ "$rule" != "$1" ] && [ -n "$found" ]; then
            echo "FAILED: $3: nothing expected from $rule, obtained \"$found\""
            failures=$((failures + 1))
        fi
    done
    echo "tried: $3"
    clean_house
}

clean_house
object low 'int low_one(void) { return 1; } static int hidden; int *low_two(void) { return &hidden; }'
object kern_fake 'int kern_now(void) { return 1; }'
object kern '__asm__(".weak DW.ref.personality; .data; DW.ref.personality: .quad 0");'
object dialect 'int MPI_Put(void) { return 1; } int PMPI_Put(void) { return 1; } int dialect_put(void) { return 1; }'
for rule in $rules; do
    found=$($rule 2>&1)
    [ -z "$found" ] && continue
    echo "FAILED: a clean house has no offender: $rule: $found"
    failures=$((failures + 1))
done
clean_house

mkdir "$root/sim/lower"
printf '1 lower high\n' >>"$root/sim/floors.txt"
catches law_is_sound 'lower may include high, which is not below it' 'the law may not point up'
mkdir "$root/sim/loft"
printf '4 loft attic\n' >>"$root/sim/floors.txt"
catches law_is_sound 'loft may include attic, which is no room' 'the law speaks of rooms that exist'
mkdir "$root/sim/loft"
printf '4 loft low\n       attic\n' >>"$root/sim/floors.txt"
catches law_is_sound 'loft may include attic, which is no room' 'a line of the law may go on in the next'
sed -i 's/^3 high low/3 high kern\n       low/' "$root/sim/floors.txt"
printf '#include "trace/trace.h"\n#include "low/low.h"\n' >>"$root/sim/high/high.c"
mkdir "$root/sim/trace"
printf '2 trace -\n' >>"$root/sim/floors.txt"
catches includes_point_down 'sim/high/high.c:3: high may not look into trace' 'a line that goes on allows what it names'
printf '4 low -\n' >>"$root/sim/floors.txt"
sed -i 's/^3 high low/3 high -/; s/^2 kern low/2 kern -/' "$root/sim/floors.txt"
: >"$root/sim/high/high.c"
catches law_is_sound 'low has two lines' 'a room has one line'
mkdir "$root/sim/low/box"
printf '2.1 low/box -\n' >>"$root/sim/floors.txt"
catches law_is_sound 'low/box is not on the floor of low' 'a sub-room lies on the floor of its room'
printf '4 loft low\n' >>"$root/sim/floors.txt"
catches rooms_have_their_folder 'loft is no folder of sim' 'a line of the law has its folder'
mkdir "$root/sim/cellar"
catches rooms_are_known 'sim/cellar: has no line' 'a folder is a room of the law'

printf '#include "high/high.h"\n' >>"$root/sim/low/low.c"
catches includes_point_down 'sim/low/low.c:4: low may not look into high' 'an include points down'
printf '#include "kern/kern.h"\n' >>"$root/sim/high/high.c"
catches includes_point_down 'high may not look into kern' 'a lower room must stand in the line of the law'
sub_rooms() {   # low/shelf stands on low/base; both have a door
    mkdir -p "$root/sim/low/base" "$root/sim/low/shelf"
    printf '1.1 low/base -\n1.2 low/shelf -\n' >>"$root/sim/floors.txt"
    for sub in base shelf; do
        printf '/* %s. */\n#ifndef LOW_%s_H\n#define LOW_%s_H\n#endif\n' $sub $sub $sub | tr a-z A-Z |
            sed 's/#IFNDEF/#ifndef/; s/#DEFINE/#define/; s/#ENDIF/#endif/' >"$root/sim/low/$sub/$sub.h"
    done
}
sub_rooms
printf '#include "low/shelf/shelf.h"\n' >"$root/sim/low/base/base.c"
catches includes_point_down 'sim/low/base/base.c:1: low/base may not look into low/shelf' \
    'an include points down between sub-rooms'
sub_rooms
printf '#include "../low.h"\n' >"$root/sim/low/shelf/shelf.c"
catches includes_point_down 'sim/low/shelf/shelf.c:1: low/shelf may not look into low' \
    'a sub-room does not look into what stands above it'
sub_rooms
printf '#include "low/shelf/shelf.h"\n' >>"$root/sim/high/high.c"
catches includes_point_down 'sim/high/high.c:3: high may not look into low/shelf' \
    'a door of a sub-room is open to those in whose line it stands'
printf '#include "low/inside.h"\n' >>"$root/sim/high/high.c"
catches only_doors_from_outside '"low/inside.h" is not a door' 'from outside only the door is included'
printf '#include "../low/low.h"\n' >>"$root/sim/high/high.c"
catches only_doors_from_outside '"../low/low.h" is not a door' 'nobody climbs in through the window'

printf '#  include <simgrid/engine.h>\n' >>"$root/sim/high/high.c"
catches libraries_have_their_room 'sim/high/high.c:3: <simgrid/engine.h> belongs to kern' 'only kern includes SimGrid'
printf '#include <mpi.h>\n' >>"$root/sim/kern/kern.c"
catches libraries_have_their_room '<mpi.h> belongs to dialect' 'only dialect includes mpi.h'

sub_rooms
object low 'int low_shelf(void) { return 1; }' low/shelf/shelf.c
object low 'int low_shelf(void); int low_base(void) { return low_shelf(); }' low/base/base.c
catches calls_point_down 'sim/low/base/base.c: uses low_shelf of low/shelf/shelf.c, which is not below it' \
    'a call points down between sub-rooms'
object low 'int low_b(void); int low_a(void) { return low_b(); }' low/a.c
object low 'int low_c(void); int low_b(void) { return low_c(); }' low/b.c
object low 'int low_a(void); int low_c(void) { return low_a(); }' low/c.c
catches no_circles 'sim/low/b.c: in a circle: uses low_c of low/c.c' 'files of a room do not call in a circle'
object low 'int low_rank(void); int (*const low_table[])(void) = {low_rank};' low/table.c
object low 'extern int (*const low_table[])(void); int low_rank(void) { return low_table[0](); }' low/rank.c
catches no_circles 'sim/low/rank.c: in a circle: uses low_table of low/table.c' \
    'a call through a table counts in a circle'
printf 'static void each(int (*visit)(int rank));\n' >>"$root/sim/low/low.c"
catches pointers_are_explained 'sim/low/low.c:4: the pointer to a function visit has no line' \
    'a pointer to a function is explained'

object low 'int lowly(void) { return 1; }'
catches names_begin_with_the_room 'lowly does not begin with low_' 'a function begins with its room'
object low 'int table[4] = {1}; int empty;'
catches names_begin_with_the_room 'table does not begin with low_' 'a variable begins with its room'
object low 'int MPI_Put(void) { return 1; }'
catches names_begin_with_the_room 'MPI_Put does not begin with low_' 'only dialect defines MPI calls'
object kern_fake 'int low_now(void) { return 1; }'
catches names_begin_with_the_room 'low_now does not begin with kern_fake_' 'a stand-in has the names of one room only'

awk 'BEGIN {for (i = 0; i < 401; i++) print "/* */"}' >"$root/sim/low/long.c"
catches no_file_is_too_long 'sim/low/long.c: 401 lines' 'no file is over 400 lines'
printf '/* %0100d */\n' 0 >"$root/sim/low/wide.c"
catches lines_are_short 'sim/low/wide.c:1: over 100 columns' 'a line of C has at most 100 columns'
printf '# %0120d\n| %0120d\n' 0 0 >"$root/README.md"
catches lines_are_short 'README.md:1: over 120 columns' 'a line of text has at most 120 columns'
mkdir "$root/apps"
{
    printf '# A page\n\nShort. `%s`\n\n    %s\n\n| %s |\n\n' "$(seq -s ' ' 30)" "$(seq -s ' ' 30)" "$(seq -s ' ' 30)"
    printf 'One. %s\n%s end.\n' "$(seq -s ' ' 13)" "$(seq -s ' ' 12)"
} >"$root/apps/README.md"
catches sentences_are_short 'apps/README.md:9: a sentence of 26 words' 'a sentence has at most 25 words'
if command -v $formatter >/dev/null; then
    printf 'BasedOnStyle: LLVM\n' >"$root/.clang-format"
    printf 'int   low_spread;\n' >"$root/sim/low/spread.c"
    for file in "$root"/sim/*/*.[ch] "$root"/tests/unit/*.c; do
        case $file in */spread.c) ;; *) $formatter --style="file:$root/.clang-format" -i "$file" ;; esac
    done
    catches code_is_formatted "sim/low/spread.c:1: is not laid out as $formatter does it" 'C is laid out by one tool'
else
    tried="$tried code_is_formatted"
    echo "not tried: C is laid out by one tool: $formatter is not installed"
fi
printf '/* As DESIGN says. */\n' >"$root/sim/low/cites.c"
catches documents_exist 'sim/low/cites.c:1: cites a document that is not here' 'a document that is cited exists'
printf '/* See attic.c. */\n' >"$root/sim/low/cites.c"
catches documents_exist 'sim/low/cites.c:1: cites attic.c, which is not here' 'a file that is cited exists'
printf 'FAMILY(two)\n' >>"$root/sim/low/models.def"
catches lists_and_files_agree 'two has no file two.c' 'every line of a list has a file'
printf 'const struct low_model low_three = {\n    .step = 0,\n};\n' >"$root/sim/low/three.c"
catches lists_and_files_agree 'sim/low/three.c: is a member without a line' 'every member has a line in the list'
printf 'FAMILY(two)\n' >>"$root/sim/low/models.def"
printf 'int low_two;\n' >"$root/sim/low/two.c"
catches members_end_in_their_table 'sim/low/two.c: has no constant table' 'a member is a constant table'
printf '\nint low_more(void)\n{\n    return 1;\n}\n' >>"$root/sim/low/one.c"
catches members_end_in_their_table 'sim/low/one.c: the table is not its last paragraph' 'the table comes last'

mkdir "$root/sim/low/two"
printf 'FAMILY(two)\n' >>"$root/sim/low/models.def"
printf 'const struct low_model low_two = {\n    .step = 0,\n};\n' >"$root/sim/low/two/two.c"
printf '/* inside two. */\n#ifndef TWO_H\n#define TWO_H\n#endif\n' >"$root/sim/low/two/inside.h"
printf '#include "low/two/inside.h"\n' >>"$root/sim/low/low.c"
catches members_are_alone 'sim/low/low.c:4: looks into the member two' \
    'a member with a folder is known by its table only'
mkdir "$root/sim/low/four"
printf 'const struct low_model low_four = {\n    .step = 0,\n};\n' >"$root/sim/low/four/four.c"
catches lists_and_files_agree 'sim/low/four/four.c: is a member without a line' \
    'a member with a folder has a line in the list, too'

printf '/* a header. */\nint low_bare(void);\n' >"$root/sim/low/bare.h"
catches headers_are_guarded 'sim/low/bare.h: ' 'a header is guarded'
printf '#ifndef SW_H\n#define SW_H\n#endif\n' >"$root/include/sw.h"
catches headers_are_guarded 'include/sw.h: ' 'a header begins with what it is'
printf 'typedef struct low_thing { int a; } low_thing;\n' >>"$root/sim/low/low.c"
catches structs_have_no_typedef 'sim/low/low.c:4: a typedef' 'a struct has no typedef'
printf '\n' >"$root/tests/unit/high_test.c"
catches suites_are_listed 'tests/unit/high_test.c: has no line' 'every suite is listed'
mkdir "$root/platforms"
printf '| `one` | a machine |\n' >"$root/platforms/README.md"
printf '<platform/>\n' | tee "$root/platforms/one.xml" >"$root/platforms/two.xml"
catches pages_list_what_is_there 'platforms/two.xml: has no row in' 'a machine is in the page of all'
printf 'A page with a Timeline of it.\n' >"$root/page.md"
catches one_word_for_one_thing 'page.md:1: says "timeline"; the word is: time line' 'a page has one word for one thing'
printf 'The key `host`, "a timeline of\nhosts", apps/host.c and serve.policy.\n\n    a timeline\n\nA CPU.\n' \
    >"$root/page.md"
catches one_word_for_one_thing 'page.md:6: says "cpu"' 'what a page quotes is not asked'
printf 'static const char says[] = "host";\n/* a "host of them" */\nstatic const char text[] = "the host\\n";\n' \
    >"$root/sim/low/low.c"
catches one_word_for_one_thing 'sim/low/low.c:3: says "host"' 'a message has one word for one thing'

for rule in $rules; do
    case " $tried " in
    *" $rule "*) ;;
    *) echo "FAILED: no offender was planted for $rule"; failures=$((failures + 1)) ;;
    esac
done
echo "$failures failed"
[ $failures -eq 0 ]

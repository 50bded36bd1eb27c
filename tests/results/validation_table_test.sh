#!/bin/bash
# "Every row measured by a real program, published beside predicted": the programs, run again, give the table that is
# shipped, byte for byte, and the table shipped has every row. A change of the model shows here, whatever it does to a
# ratio.
. "$(dirname "$0")/../lib.sh"
results=$(realpath "$here/../../results")
export SIDEWINDER=$sidewinder
says "validation: its programs, run again, give the table and figure that are there" "$results/regenerate" --check \
    validation
for row in "T1 off" "T1 on" T2 T3 "T1 off rows" "T1 on rows" "T2 rows" "T3 rows" T7 T8 T13 T18 "T21 off" "T21 on" \
    S3 S4 "S3 rows" "S4 rows" N1 E1 "N5 o" "N5 g" "N5 L" "N5 1/G"; do
    says "validation: row $row has a prediction" \
        eval 'awk -F, -v id="$row" "\$1 == id && \$5 != \"\" &&
            \$7 != \"\" { n++ } END { exit n != 1 }" "$results/validation/table.csv"'
done
while IFS=, read -r id _ _ published predicted _ ratio _; do
    case $id in id | N5*) continue ;; esac
    says "validation: the page's row $id is the table's: published $published, predicted $predicted, ratio $ratio" \
        grep -qE "^\\| $id \\|.*\\| $published[^|]*\\| $predicted(\\.0| KiB)? \\| $ratio \\|" \
        "$results/validation/question.md"
done <"$results/validation/table.csv"
finish

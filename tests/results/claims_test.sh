#!/bin/bash
# What the pages of results/, and README.md, say is what their tables say: behind a number stands <!-- NUMBER = COMMAND
# -->; the command, run in the page's folder, prints the number, and the text before it in the same paragraph, list item
# or row of a table says it.
. "$(dirname "$0")/../lib.sh"
results=$(realpath "$here/../../results")
PATH=$results:$PATH

# Each paragraph, list item, row or other line of a page as one line.
items() {
    awk '
        function flush() {if (item != "") print item; item = ""}
        /^$/ || /^(\||    |#|!)/ {flush()}
        /^[*-] / || /^[0-9]+\. / {flush()}
        {sub(/^ +/, ""); item = item == "" ? $0 : item " " $0}
        END {flush()}' "$1"
}

for page in "$results"/*/question.md "$results"/../README.md; do
    folder=$(basename "$(realpath "$(dirname "$page")")")
    claims=0 false=0
    while IFS= read -r line; do
        while IFS= read -r comment; do
            said=$(sed 's/<!--[^>]*-->//g' <<<"${line%%"<!-- $comment"*}")
            number=${comment%% = *} command=${comment#* = }
            decimals=${number#*.}
            [ "$decimals" = "$number" ] && decimals=''
            got=$(cd "$(dirname "$page")" && eval "$command" 2>&1 | tail -1)
            claims=$((claims + 1))
            if [ "$(printf "%.${#decimals}f" "$got" 2>&1)" != "$number" ]; then
                wrong "$folder: $number: '$command' prints $got"
                false=1
            fi
            grep -qF -- "$number" <<<"${said//,/}" || {
                wrong "$folder: $number stands behind text that does not say it: $said"
                false=1
            }
        done < <(grep -o '<!-- [-0-9.]* = [^>]*-->' <<<"$line" | sed 's/^<!-- //; s/ *-->$//')
    done < <(items "$page")
    [ "$false" = 1 ] || [ "$claims" = 0 ] ||
        ok "$folder: what $(basename "$page") says is what its tables say: $claims numbers"
done
finish

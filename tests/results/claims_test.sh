#!/bin/bash
# The numbers that pages quote are those of the tables: results/quoted holds each page against the PAGE.checks beside
# it.
. "$(dirname "$0")/../lib.sh"
top=$(realpath "$here/../..")
quoted=$top/results/quoted

# holds_true PAGE: its numbers are the tables'.
holds_true() {
    local page=$1
    if "$quoted" check "$page" >"$work/said" 2>&1; then
        ok "${page#"$top"/} quotes its tables: $(tail -1 "$work/said" | sed 's/.*: //')"
    else
        wrong "${page#"$top"/} quotes its tables"
        sed 's/^/    /' "$work/said"
    fi
}
shopt -s nullglob
for checks in "$top"/*.checks "$top"/{apps,results,platforms}/{,*/}*.checks; do holds_true "${checks%.checks}.md"; done
for page in "$top"/results/*/question.md; do
    says "${page#"$top"/} has a file of checks, and none between its lines" \
        eval '[ -s "${page%.md}.checks" ] && ! grep -q "<!--" "$page"'
done

# The tool itself, on a page of three numbers and a word.
cat >"$work/page.md" <<'END'
It takes 12.5 us, of
which 1,234 ns are lost.

| row | 0.90 | inside |
END
cat >"$work/page.checks" <<'END'
takes {} us, of which {} ns are
    echo 12.54
    echo 1234
| row | {} | {} |
    echo 0.8951
    echo inside
END
says "a page that quotes what its commands print is accepted" eval '"$quoted" check "$work/page.md" >"$work/said"'
says "its four places are counted" grep -qx 'page.md: 4 numbers' "$work/said"
cp "$work/page.md" "$work/right.md"
sed -i 's/12\.5/12.4/; s/1,234/1,235/; s/0\.90/0.91/; s/inside/outside/' "$work/page.md"
says "a page that quotes another number is refused" eval '! "$quoted" check "$work/page.md" >"$work/said"'
says "all four are named" eval '[ "$(grep -c " not " "$work/said")" = 4 ]'
says "filling it makes it right again, with the same decimals and commas" \
    eval '"$quoted" fill "$work/page.md" >"$work/said" && cmp "$work/page.md" "$work/right.md"'
sed -i 's/us, of/us/' "$work/page.md"
says "words that the page does not say are an error" eval '! "$quoted" check "$work/page.md" >"$work/said"'
printf 'takes {} us\n' >"$work/page.checks"
says "a number without a command is an error" eval '! "$quoted" check "$work/page.md" >"$work/said"'
printf '{} us\n    echo 12.5\n' >"$work/page.checks"
says "words that begin with a number are an error" eval '! "$quoted" check "$work/page.md" >"$work/said"'
finish

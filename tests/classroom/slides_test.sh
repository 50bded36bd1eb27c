#!/bin/bash
# Every deck becomes one HTML file that fetches nothing, with a slide for each of its headings; what it quotes of a lab
# stands in the lab's page. Printed, a slide is a page (where there is a browser).
. "$(dirname "$0")/../lib.sh"
cp -r "$apps/classroom" "$work/room"
cd "$work/room" || exit 2
for deck in slides/*.md; do
    says "$deck quotes commands that its labs have" eval 'awk -f slides/quote.awk "$deck" >"$work/deck"'
    says "$deck quotes what is printed" eval '! grep -q "^    quote " "$work/deck"'
done
if ! command -v pandoc >"$work/none"; then
    says "there is pandoc to make slides" false
    finish
fi
says "the slides are made" make -s slides
for deck in slides/*.md; do
    page=${deck%.md}.html
    says "$page has a slide for each heading, and a first one" \
        [ "$(grep -c '^<section' "$page")" = $(($(grep -c '^## ' "$deck") + 1)) ]
    says "$page fetches nothing" eval '! grep -qE "https?:|src=|<link" "$page"'
done
# One deck, the one with the tallest slide: a browser takes a second.
if browser=$(command -v chromium || command -v chromium-browser); then
    HOME=$work "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
        --print-to-pdf="$work/deck.pdf" "file://$PWD/slides/labs1-2.html" 2>"$work/none"
    grep -ao '/MediaBox \[[^]]*' "$work/deck.pdf" >"$work/boxes"
    says "it prints wide pages" awk '$4 <= 1.5 * $5 { tall = 1 } END { exit tall || NR == 0 }' "$work/boxes"
    says "it prints a slide on each page" \
        [ "$(grep -ac '/Type /Page$' "$work/deck.pdf")" = "$(grep -c '^<section' slides/labs1-2.html)" ]
fi
finish

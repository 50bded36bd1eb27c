#!/bin/bash
# The page in a browser: its scripts run, and show what the trace has.
. "$(dirname "$0")/../../lib.sh"
if ! browser=$(command -v chromium || command -v chromium-browser); then
    echo "SKIP: chromium is not installed (apt install chromium): no page was opened in a browser"
    exit 77
fi
for app in halo stale; do "$sidewinder" cc -O2 -g -o "$work/$app" "$apps/$app.c" -lm || exit 1; done
cd "$work" || exit 1
"$sidewinder" run -q -m t3d -n 2 --set ni.invalidate=none --trace stale.trace ./stale >out
"$sidewinder" run -q -m t3d -n 8 --trace halo.trace ./halo >out
for name in halo stale; do "$sidewinder" view $name.trace --source "$apps"; done

flags=() # of the browser, besides
# shown PAGE SCRIPT [AT_ONCE]: the document after that script has run in it, as text; AT_ONCE runs before, while the
# page's clock is the host's
shown() {
    script=$2 at_once=${3:-} awk '/<\/body>/ {
            print "<script>window.onerror = m => {document.body.dataset.error = m}"
            print ENVIRON["at_once"]
            print "setTimeout(() => {" ENVIRON["script"] "}, 200)"
            print "</script>"
        }
        {print}' "$1" >page.html
    HOME=$work "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" "${flags[@]}" \
        --virtual-time-budget=2000 --dump-dom "file://$work/page.html" 2>err
}
sed 's/@media print/@media all/' stale.html >print.html
shown print.html 'document.querySelector("tr.pick").click()
    const visible = e => e && e.getClientRects().length > 0, all = s => [...document.querySelectorAll(s)]
    const shown = [all("button.place"), all("button:not(.place)")].map(some => some.some(visible))
    document.body.dataset.print = shown.join(" ")' >dom
says "in print the lines of the source stay, and what can be clicked goes" grep -q 'data-print="true false"' dom
shown stale.html 'document.querySelector("tr.pick").click()' >dom
says "no script fails" eval 'grep -q "data-ready=" dom && ! grep -q "data-error=" dom'
says "the finding is in the table" eval 'grep -q "<td><button class=\"place\">Stale load</button></td>" dom'
says "choosing it shows both sides" eval 'grep -q "Stale load" dom && grep -q "The other side: rank 0, MPI_Put at" dom'
flags=(--blink-settings=preferredColorScheme=0)
shown stale.html 'const colour = () => getComputedStyle(document.documentElement).getPropertyValue("--ink").trim()
    const seen = [colour()]
    for (const event of ["beforeprint", "afterprint"]) {
        window.dispatchEvent(new Event(event))
        seen.push(colour())
    }
    document.body.dataset.inks = seen.join()' >dom
flags=()
says "on a dark screen it is drawn in light ink, on paper in dark" \
    grep -q 'data-inks="#ececec,#1b1b1b,#ececec"' dom
shown stale.html 'document.querySelector("#tab-ranks").click()
    const run = readRun(document.getElementById("trace").textContent)
    const sum = (track, kind) => track.sum[kind] ? track.sum[kind][track.count] : 0
    const waits = track => time(track.begin[track.count] - sum(track, 0) - sum(track, 1) - sum(track, 2))
    const shown = [...document.querySelectorAll("#panel-ranks tbody tr")].map(row => row.lastChild.textContent)
    const known = run.tracks.filter(t => t.rank >= 0).map(waits)
    document.body.dataset.waits = shown.length > 1 && shown.join() === known.join()' >dom
says "the table of ranks counts every kind of wait" grep -q 'data-waits="true"' dom
shown halo.html 'document.querySelector("#tab-variables").click()
    const rows = [...document.querySelectorAll("#panel-variables tbody tr")].map(row => row.children[1].textContent)
    document.body.dataset.variables = rows.join()' >dom
variables=$(awk -F, '$1 == "variable" {print $3}' halo.trace | paste -sd,)
says "its variables are those of the trace" eval \
    '[[ $variables = "window 0"*,mine,* ]] && grep -qF "data-variables=\"$variables\"" dom'
stalled='$1 == "memory" {n += $4 - $3} $1 == "variable" {n -= $4 + $5} END {exit !(n < 1e-9 && n > -1e-9)}'
says "what was waited for them is what ranks stalled" awk -F, "$stalled" halo.trace
"$sidewinder" run -q -m t3d -n 2 --set ni.invalidate=none --view film.html ./stale >out
sed 's/@media print/@media all/' film.html >paper.html
shown paper.html 'window.dispatchEvent(new Event("beforeprint"))
    const run = readRun(document.getElementById("trace").textContent), visible = e => e.getClientRects().length > 0
    const rows = [...document.querySelectorAll(".show .paper tbody tr")].filter(visible).map(row => row.innerText)
    const steps = run.films.flatMap(film => film.steps)
    document.body.dataset.paper = steps.length > 3 && steps.length === rows.length &&
        steps.every((step, i) => rows[i].includes(step.text)) && rows.some(row => row.includes("▼")) &&
        ![...document.querySelectorAll(".film")].some(visible)' >dom
says "on paper a film is a table of all its steps" grep -q 'data-paper="true"' dom
shown film.html 'const run = readRun(document.getElementById("trace").textContent)
    const old = run.films[0].steps.findIndex(step => step.text.includes("older than what memory has")) + 1
    const box = document.querySelector(".show"), opened = box.innerText
    box.dispatchEvent(new KeyboardEvent("keydown", {key: "Home"}))
    const moved = box.innerText.includes("step 1 of ")
    box.querySelector("button").click()
    document.body.dataset.opened = [old > 1, opened.includes(`step ${old} of ${run.films[0].steps.length}`),
        opened.includes(`Stale load on rank 1, at step ${old}: saw 00000000`), moved,
        box.innerText === opened].join()' >dom
says "a film opens at the step of its finding, and goes back to it" \
    grep -q 'data-opened="true,true,true,true,true"' dom
shown film.html 'document.querySelector("#tab-findings").click(); document.querySelector("tr.pick").click()
    document.querySelector("#detail button:not(.place)").click()
    document.body.dataset.film = document.activeElement.getAttribute("aria-label")' >dom
says "of one place that never has a copy the film writes no plural" grep -q "1 more place never has a copy\." dom
says "a finding leads to its film" grep -q 'data-film="4 bytes at offset 0 of window 0 of rank 1"' dom
shown halo.html 'const run = readRun(document.getElementById("trace").textContent);
    const track = run.tracks[0], i = [...track.kind].indexOf(Activity.indexOf("late"));
    App.show({track, interval: i})' >blamed
shown halo.html 'for (const t of document.querySelectorAll("[role=tab]")) t.click();
    const line = document.getElementById("line"); line.focus();
    for (const key of ["+", "ArrowRight", "ArrowDown", "Enter"])
        line.dispatchEvent(new KeyboardEvent("keydown", {key}))' >dom
says "what the keys show is said, too, for who does not see it" \
    grep -q 'role="status">rank 1, [0-9.]* [nµm]*s to [0-9.]* [nµm]*s, in the middle: [a-z]' dom
says "a wait names the rank that came late" eval 'grep -q "It waited for rank [0-9]* (<button" blamed'
says "every view of halo opens" eval '! grep -q "data-error=" dom && grep -q "200 operations: half took at most" dom'
says "the keyboard moves the time line and shows an interval" eval 'grep -q "<strong>rank 1: " dom'
awk -F, '/^put,/ {s[$2 " to " $3] += $4; n[$2 " to " $3]++}
    END {for (k in s) printf "%s: %d operations, %d bytes\n", k, n[k], s[k]}' halo.trace | sort >traced
grep -o 'title="[0-9]* to [0-9]*: [^"]*' dom | sed 's/title="//; s/,\([0-9]\)/\1/g' | sort >cells
says "the communication matrix has the operations and bytes of every pair of ranks" cmp cells traced
"$sidewinder" view halo.trace --source "$apps" --ranks 2-4 --kinds put,compute -o chosen.html
cat >each.js <<'END'
for (const t of document.querySelectorAll("[role=tab]")) t.click()
const line = document.getElementById("line")
for (const key of ["+", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "Enter"])
    line.dispatchEvent(new KeyboardEvent("keydown", {key}))
document.querySelector("#panel-latency button").click() // its row may be that of the other ranks
document.body.dataset.columns = [...document.querySelectorAll("#panel-ranks th")].map(th => th.textContent).join()
const tracks = readRun(document.getElementById("trace").textContent).tracks.filter(t => t.rank >= 2 && t.rank <= 4)
document.body.dataset.computed = tracks.map(t => t.rank + " " + t.begin[t.count] + " " + t.sum[0][t.count]).join()
END
shown halo.html "$(<each.js)" >whole
shown chosen.html "$(<each.js)" >dom
says "a page of some ranks and kinds says at its top what it leaves out" grep -q "<p id=\"part\">This page shows a \
part of the run: 3 ranks of 8 (2 to 4), with what others exchange with them; without memory, service, wait, send, \
receive, get, accumulate, get_accumulate, control\. Its numbers are of what is shown" dom
chosen=$(awk -F, '$1 == "put" && ($2 >= 2 && $2 <= 4 || $3 >= 2 && $3 <= 4)' halo.trace | wc -l)
says "its counts are of what is shown" grep -q "$chosen of 200 one-sided operations" dom
says "there is a row of the other ranks, to which operations lead" eval \
    'grep -q "role=\"status\">other ranks, " dom && ! grep -q "data-error=" dom'
says "it has no column for what it leaves out" grep -q 'data-columns="rank,node,time,compute"' dom
"$sidewinder" view halo.trace --from 200us --to 300us -o part.html
shown part.html 'document.querySelector("#tab-ranks").click()
    document.body.dataset.times = [...document.querySelectorAll("#panel-ranks td:nth-child(3)")].map(
        td => td.textContent).join()' >part
says "ranks of a window of time last as long as it" grep -qE 'data-times="100 µs(,100 µs)*"' part
computed=$(grep -o 'data-computed="[^"]*"' dom)
says "its ranks end and compute as in the whole page: $computed" grep -qF "${computed:-none}" whole

# Sixteen ranks, more operations than the rows can be seen through, a film of a line that all of them have.
"$sidewinder" cc -O2 -g -o false_sharing "$apps/false_sharing.c" || exit 1
"$sidewinder" run -q -m smp -n 16 --view sixteen.html ./false_sharing >out
shown sixteen.html 'document.querySelector("#tab-ranks").click(); document.querySelector("#tab-films").click()
    const captions = [...document.querySelector(".film").querySelectorAll("figcaption")].map(c => c.textContent)
    document.body.dataset.captions = captions.join()
    const line = document.getElementById("line"), down = new KeyboardEvent("keydown", {key: "ArrowDown"})
    for (let row = 0; row < 9; row++) line.dispatchEvent(down)
    window.dispatchEvent(new Event("beforeprint")) // draws at once
    document.body.dataset.note = document.getElementById("note").textContent' >dom
says "ranks that did nearly the same share a row" grep -q "<td[^>]*>ranks 1 to 15<" dom
says "of too many arrows one rank's are drawn" \
    grep -q 'data-note="6,416 operations are in view: the arrows are those of rank 9' dom
says "a film shows the caches of ranks beyond the eighth" \
    grep -q 'data-captions="[^"]*cache of rank 8,.*cache of rank 15' dom
says "and no place that never has a copy" eval '! grep -q "data-captions=\"[^\"]*cache of rank 1," dom'

# A trace of some 10 MB opens in three seconds of a quiet host. Hosts differ: what it takes is held against steps of a
# generator in the same page, one after the other.
for i in $(seq 12); do grep -E '^(compute|memory|wait|put|send|receive),' halo.trace; done |
    awk -F, -v OFS=, -v CONVFMT=%.17g -v OFMT=%.17g \
        -v head="$(grep -vE '^(compute|memory|wait|put|send|receive|end),' halo.trace)" '
        BEGIN {print head}
        $1 == "compute" && $3 == 0 && ++n % 8 == 1 {shift = (n - 1) / 8 * 0.0025}
        /^(compute|memory|wait),/ {$3 += shift; $4 += shift}
        /^(send|receive),/ {$3 += shift; $4 += shift}
        /^put,/ {for (i = 8; i <= 13; i++) if ($i != "") $i += shift}
        {print}
        END {print "end,ended,0.03"}' >big.trace
"$sidewinder" view big.trace || wrong "the page of a large trace is made"
shown big.html "" 'function stepped() {
        let x = 1
        for (let i = 0; i < 3e8; i++) x = Math.imul(x, 1664525) + 1013904223 | 0
        return x
    }
    const from = performance.now(), last = stepped()
    document.body.dataset.steps = [Math.round(performance.now() - from), last]' >dom
ready=$(sed -n 's/.*data-ready="\([0-9]*\)".*/\1/p' dom)
steps=$(sed -n 's/.*data-steps="\([0-9]*\),.*/\1/p' dom)
megabytes=$(($(stat -c %s big.trace) / 1000000))
says "a trace of $megabytes MB is drawn ${ready:-never} ms after its page opened (300 million steps take ${steps:-0})" \
    [ "${ready:-9999999}" -le $((8 * ${steps:-0})) ]
finish

/* Tables, matrix, distributions and source, below the time line. */

function findings(run, line) {
    if (!run.events.length)
        return run.allEvents ? [none(run.allEvents, "findings")] : [
            p(
                "The trace has no stale load, violation, lost update or contended cache line. Races are judged by " +
                    "sidewinder check.",
            ),
        ];
    return [
        table(
            "Findings by date. Choose one to see it in the time line." + ofShown(run),
            [["what"], ["rank", "number"], ["date", "number"], ["at"], ["the other side"], ["in words"]],
            run.events.map(event =>
                Object.assign(
                    [
                        FindingSays[event.kind],
                        event.rank,
                        time(event.time),
                        event.at || nothing,
                        event.other >= 0 ? `rank ${event.other}, ${event.otherCall || ""} ${event.there || ""}` : "",
                        event.text,
                    ],
                    {act: () => line.reveal(event)},
                ),
            ),
        ),
    ];
}

/* What tables say of a part of the run. */
const ofShown = run => (run.partial ? " Of what is shown." : "");
const none = (all, what) => p(`None of the run's ${count(all)} ${what} is among what is shown.`);
const noOperation = run =>
    run.allOperations ? none(run.allOperations, "operations") : p("The run had no one-sided operation.");

/* By (call, place): how long ranks were inside, and how much of that was what. */
function byLine(run) {
    const sums = new Map();
    let whole = 0;
    for (const track of run.tracks) {
        if (track.rank < 0) continue;
        whole += lasted(run, track);
        for (let i = 0; i < track.count; i++) {
            const pair = run.pairs[track.pair[i]],
                length = track.begin[i + 1] - track.begin[i];
            if (track.kind[i] === 255) continue;
            const key = pair.call ? `${pair.call} ${pair.place}` : "";
            if (!sums.has(key)) sums.set(key, {pair, total: 0, wait: 0, longest: 0, rank: 0, at: null});
            const sum = sums.get(key),
                waits = track.kind[i] >= FirstWait && track.kind[i] <= LastWait;
            sum.total += length;
            if (waits) {
                sum.wait += length;
                if (length > sum.longest)
                    ((sum.longest = length), (sum.rank = track.rank), (sum.at = {track, interval: i}));
            }
        }
    }
    const rows = [...sums.values()]
        .sort((a, b) => b.total - a.total)
        .map(sum => {
            const row = [
                sum.pair.call || "the program itself",
                sum.pair.place || "",
                time(sum.total),
                percent(sum.total, whole),
                ...(run.shows("wait")
                    ? [time(sum.wait), sum.longest ? `${time(sum.longest)}, rank ${sum.rank}` : ""]
                    : []),
            ];
            return sum.at ? Object.assign(row, {act: () => App.show(sum.at)}) : row;
        });
    return [
        table(
            `Time inside each call, over all ranks${run.others ? " shown" : ""}. ` +
                `Choose one to see its longest wait.${ofShown(run)}`,
            [
                ["call"],
                ["at"],
                ["time", "number"],
                ["of all", "number"],
                ...(run.shows("wait") ? [["waited", "number"], ["longest wait"]] : []),
            ],
            rows,
        ),
    ];
}

/* How long a rank's time line is. */
function lasted(run, track) {
    return Math.max(track.begin[track.count] - run.from, 0);
}

/* What loads and stores waited for, by whose bytes they were: the whole run, whatever is in view. */
function byVariable(run) {
    const levels = [0, 1, 2, 3].filter(level => run.variables.some(v => v.missed[level]));
    const operations = run.variables.some(v => v.operations);
    const whole = run.whole * run.ranks;
    const some = n => (n ? count(n) : "");
    const rows = run.variables.map(v => [
        v.memory === "(elsewhere)" ? "in calls, libraries" : v.memory,
        v.name,
        time(v.load),
        time(v.store),
        percent(v.load + v.store, whole),
        ...levels.map(level => some(v.missed[level])),
        some(v.stale),
        some(v.moves),
        ...(operations ? [some(v.operations)] : []),
    ]);
    return [
        table(
            "What loads and stores waited for, over all ranks and the whole run, by the data that they were for.",
            [
                ["memory"],
                ["variable"],
                ["loads waited", "number"],
                ["stores waited", "number"],
                ["of all", "number"],
                ...levels.map(level => [`missed level ${level + 1}`, "number"]),
                ["stale loads", "number"],
                ["moved between caches", "number"],
                ...(operations ? [["operations", "number"]] : []),
            ],
            rows,
        ),
    ];
}

/* Ranks whose times differ by at most a hundredth of the time shown: {ranks, least, most}, in order of the first. */
function alike(run, ranks) {
    const groups = [];
    for (const {rank, times} of ranks) {
        const group = groups.find(g => times.every((t, k) => Math.abs(t - g.times[k]) <= run.span / 100));
        if (!group) {
            groups.push({ranks: [rank], times, least: [...times], most: [...times]});
            continue;
        }
        group.ranks.push(rank);
        times.forEach((t, k) => {
            group.least[k] = Math.min(group.least[k], t);
            group.most[k] = Math.max(group.most[k], t);
        });
    }
    return groups;
}
/* "1 to 7, 9" */
function ranges(numbers) {
    const parts = [];
    for (const n of numbers) {
        const last = parts.at(-1);
        if (last && last[1] === n - 1) last[1] = n;
        else parts.push([n, n]);
    }
    return parts.map(([a, b]) => (a === b ? `${a}` : `${a} to ${b}`)).join(", ");
}
function byRank(run) {
    const kinds = [
        ["compute", "compute"],
        ["memory", "memory stalls"],
        ["service", "serviced others"],
        ["wait", "waited"],
    ].filter(([kind]) => run.shows(kind));
    const ranks = run.tracks
        .filter(track => track.rank >= 0)
        .map(track => {
            const sum = kind => (track.sum[kind] ? track.sum[kind][track.count] : 0);
            let wait = 0;
            for (let kind = FirstWait; kind <= LastWait; kind++) wait += sum(kind);
            const times = {compute: sum(0), memory: sum(1), service: sum(2), wait};
            return {rank: track.rank, times: [lasted(run, track), ...kinds.map(([kind]) => times[kind])]};
        });
    const rows = alike(run, ranks).map(({ranks, least, most}) => [
        `rank${ranks.length === 1 ? "" : "s"} ${ranges(ranks)}`,
        ranges([...new Set(ranks.map(rank => run.node[rank]))]),
        ...least.map((t, k) => (time(t) === time(most[k]) ? time(t) : `${time(t)} to ${time(most[k])}`)),
    ]);
    return [
        table(
            `What each rank did. Ranks whose times differ by at most 1 % of the ${run.partial ? "time shown" : "run"} ` +
                `share a row.${ofShown(run)}`,
            [
                ["rank"],
                ["node", "number"],
                ["time", "number"],
                ...kinds.map(([, title]) => [title, "number"]),
            ],
            rows,
            2000,
        ),
    ];
}

function communication(run) {
    if (!run.operations.length) return [noOperation(run)];
    const size = Math.min(run.ranks, 64),
        bin = Math.ceil(run.ranks / size),
        cells = Math.ceil(run.ranks / bin);
    const sum = Array.from({length: cells}, () => new Float64Array(cells)),
        n = sum.map(row => row.slice());
    let most = 0;
    for (const op of run.operations) {
        const i = Math.floor(op.origin / bin),
            j = Math.floor(op.target / bin);
        ((sum[i][j] += op.bytes), n[i][j]++, (most = Math.max(most, sum[i][j])));
    }
    const name = i => (bin === 1 ? String(i) : `${i * bin}–${Math.min((i + 1) * bin, run.ranks) - 1}`);
    const head = element(
        "tr",
        {},
        element("th", {scope: "col"}, "origin \\ target"),
        ...sum.map((_, j) => element("th", {scope: "col", class: "number"}, name(j))),
    );
    const rows = sum.map((row, i) =>
        element(
            "tr",
            {},
            element("th", {scope: "row", class: "number"}, name(i)),
            ...[...row].map((value, j) =>
                element(
                    "td",
                    {
                        class: "cell",
                        style: n[i][j]
                            ? shade(value / Math.max(most, 1))
                            : "",
                        title: n[i][j]
                            ? `${name(i)} to ${name(j)}: ${count(n[i][j])} operations, ${count(value)} bytes`
                            : "",
                    },
                    n[i][j] ? short(value) : "·",
                ),
            ),
        ),
    );
    return [
        element(
            "table",
            {class: "matrix"},
            element(
                "caption",
                {},
                "Bytes of one-sided operations from each origin to each target" +
                    (bin > 1 ? `, ${bin} ranks a cell` : "") +
                    "." +
                    (run.others ? " What other ranks exchange with each other is left out." : "") +
                    ofShown(run),
            ),
            element("thead", {}, head),
            element("tbody", {}, ...rows),
        ),
    ];
}
function shade(share) {
  return `background: color-mix(in srgb, var(--compute) ${Math.round(12 + 60 * share)}%, transparent)`;
}
function short(n) {
    for (const [unit, size] of [
        ["G", 2 ** 30],
        ["M", 2 ** 20],
        ["K", 1024],
    ])
        if (n >= size) return +(n / size).toPrecision(3) + unit;
    return String(n);
}

function latencies(run, line) {
    const kinds = new Map();
    for (const op of run.operations) {
        if (!kinds.has(op.kind)) kinds.set(op.kind, []);
        kinds.get(op.kind).push(op);
    }
    if (!kinds.size) return [noOperation(run)];
    const parts = [];
    for (const [kind, ops] of kinds) {
        const sorted = ops.map(op => op.last - op.at[0]).sort((a, b) => a - b);
        const at = share => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
        const slowest = ops.reduce((a, b) => (b.last - b.at[0] > a.last - a.at[0] ? b : a));
        parts.push(
            element("h3", {}, kind),
            p(
                `${count(ops.length)} operations: half took at most ${time(at(0.5))}, 95 % ` +
                    `${time(at(0.95))}, 99 % ${time(at(0.99))}; the longest ${time(sorted[sorted.length - 1])} `,
                element("button", {onclick: () => line.reveal(slowest)}, "show it"),
            ),
        );
        const bins = new Map();
        for (const value of sorted) {
            const bin = value > 0 ? Math.floor(Math.log2(value / 1000) * 2) : -99;
            bins.set(bin, (bins.get(bin) || 0) + 1);
        }
        const most = Math.max(...bins.values()),
            rows = element("div", {
                class: "bars",
                role: "img",
                "aria-label": `Distribution of latencies of ${kind}; the numbers are in the sentence above.`,
            });
        for (const bin of [...bins.keys()].sort((a, b) => a - b))
            rows.append(
                element("span", {}, bin === -99 ? "0 s" : `from ${time(1000 * 2 ** (bin / 2))}`),
                element("span", {class: "fill", style: `width: ${(100 * bins.get(bin)) / most}%`}),
                element("span", {}, count(bins.get(bin))),
            );
        parts.push(rows);
    }
    return parts;
}

/* Source with what the trace knows of a line: time inside its calls, operations it called, findings. */
function sources(run) {
    const names = Object.keys(run.source).sort();
    if (!names.length)
        return [
            p(
                "No source text: its files were not found. sidewinder view --source FOLDER says where they are.",
            ),
        ];
    const spentAt = new Map(),
        made = new Map(),
        marked = new Map();
    for (const track of run.tracks)
        if (track.rank >= 0)
            for (let i = 0; i < track.count; i++) {
                const place = run.pairs[track.pair[i]].place;
                if (place) spentAt.set(place, (spentAt.get(place) || 0) + track.begin[i + 1] - track.begin[i]);
            }
    for (const op of run.operations) made.set(op.pair.place, (made.get(op.pair.place) || 0) + 1);
    for (const event of run.events)
        for (const place of [event.at, event.there]) if (place) marked.set(place, (marked.get(place) || 0) + 1);
    return names.map(name => {
        const grid = element("div", {class: "source", tabindex: 0, "aria-label": `Source of ${name}`});
        grid.append(
            ...["in calls", "operations", "line", name].map(title => element("span", {class: "faint"}, title)),
        );
        run.source[name].split("\n").forEach((text, i) => {
            const place = `${name}:${i + 1}`,
                hot = spentAt.get(place) || made.get(place) || marked.get(place);
            grid.append(
                element("span", {class: "n"}, spentAt.has(place) ? time(spentAt.get(place)) : ""),
                element(
                    "span",
                    {class: "n"},
                    (made.has(place) ? count(made.get(place)) : "") + (marked.has(place) ? " ▼" : ""),
                ),
                element("span", {class: "n"}, String(i + 1)),
                element("span", {id: `at-${place}`, class: hot ? "hot" : null}, text || " "),
            );
        });
        return grid;
    });
}

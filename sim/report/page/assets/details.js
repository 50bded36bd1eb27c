/* What stands beside the time line: details in words. */

function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
        else if (value !== null && value !== undefined) made.setAttribute(key, value);
    }
    made.append(...children.filter(child => child !== null && child !== undefined));
    return made;
}
const p = (...children) => element("p", {}, ...children);

/* Columns: [title, "number" or ""]; rows: arrays of cells, with a function `act` if they can be chosen. */
function table(caption, columns, rows, most = 200) {
    const body = element("tbody");
    for (const row of rows.slice(0, most)) {
        const line = element(
            "tr",
            row.act
                ? {
                      class: "pick",
                      onclick: row.act,
                  }
                : {},
        );
        /* the first cell is what the keyboard and a screen reader find */
        row.forEach((cell, i) =>
            line.append(
                element(
                    "td",
                    {class: columns[i][1] || null},
                    i === 0 && row.act ? element("button", {class: "place"}, cell) : cell,
                ),
            ),
        );
        body.append(line);
    }
    const head = element(
        "tr",
        {},
        ...columns.map(([title, kind]) => element("th", {scope: "col", class: kind || null}, title)),
    );
    const parts = [element("table", {}, element("caption", {}, caption), element("thead", {}, head), body)];
    if (rows.length > most) parts.push(p(`... and ${count(rows.length - most)} more.`));
    return element("div", {}, ...parts);
}

/* ---- details -------------------------------------------------------------------------------------- */

function activityBetween(run, rank, from, to) {
    const track = run.row(rank),
        parts = [];
    for (const kind of track.used) {
        const i = intervalAt(track, from),
            j = intervalAt(track, to);
        const part = spent(track, kind, to, j) - spent(track, kind, from, i);
        if (part >= 1) parts.push(`${Says[Activity[kind]]} ${time(part)}`);
    }
    return parts.join(", ");
}

const Does = {
    put: rank => `The bytes are written into memory of rank ${rank}.`,
    get: rank => `The bytes are read from memory of rank ${rank}.`,
    accumulate: rank => `The bytes are combined with those in memory of rank ${rank}.`,
    get_accumulate: rank => `The old bytes are read from memory of rank ${rank}, and combined there with those sent.`,
    control: rank => `Rank ${rank} receives it.`,
};

function stepWords(run, op, step, before) {
    const nodes = [run.node[op.origin], run.node[op.target]];
    switch (step) {
        case 0:
            return `Rank ${op.origin}, on node ${nodes[0]}, calls ${op.pair.call}.`;
        case 1:
            return op.kind === "get"
                ? `The request leaves node ${nodes[0]}.`
                : `The last byte leaves node ${nodes[0]}.`;
        case 2:
            return `It arrives at node ${nodes[1]}.`;
        case 3: {
            const waited = op.origin !== op.target && before >= 0 ? op.at[3] - before : 0;
            const did = waited >= 1 ? activityBetween(run, op.target, before, op.at[3]) : "";
            return `The target's part begins.${did ? ` Since the arrival rank ${op.target} spent${run.without.length ? ", of the kinds shown" : ""}: ${did}.` : ""}`;
        }
        case 4:
            return Does[op.kind](op.target);
        default:
            return `Complete at rank ${op.origin}.`;
    }
}

const FindingSays = {
    stale: "Stale load",
    violation: "Violation",
    lost: "Lost update",
    sharing: "Contended cache line",
};

/* Whom a wait was for, before the rank. */
const Blames = {
    late: "It waited for",
    lock: "The lock was held by",
    delayed: "Its request had arrived and was not yet serviced by",
    interface: "An interface or a link had bytes before its own, of",
    target: "It was serviced, and others before it, by",
    atomic: "It waited for the atomic unit, or the lock of accumulates, of",
    accumulates: "The lock of accumulates was held by",
    other: "It waited for",
};

function Details(run, goTo) {
    const box = document.getElementById("detail");
    function operation(op) {
        const rows = [];
        let last = op.at[0];
        for (let step = 0; step < Steps.length; step++) {
            if (op.at[step] < 0) continue;
            rows.push([
                Steps[step],
                time(op.at[step]),
                step ? `+${time(op.at[step] - last)}` : "",
                stepWords(run, op, step, op.at[2]),
            ]);
            last = op.at[step];
        }
        return [
            p(
                element("strong", {}, `Operation ${op.number}: ${op.pair.call}`),
                `, ${bytes(op.bytes)} from rank ${op.origin} `,
                `to rank ${op.target}, called at `,
                goTo(op.pair.place),
                `, carried by ${op.carrier}. It took ${time(op.last - op.at[0])}.`,
            ),
            table("Its steps", [["step"], ["date", "number"], ["after", "number"], ["what happens"]], rows),
        ];
    }
    function interval({track, interval: i}) {
        const kind = Activity[track.kind[i]],
            from = track.begin[i],
            to = track.begin[i + 1],
            pair = run.pairs[track.pair[i]];
        const inside =
            pair.call && track.rank >= 0
                ? [" In ", element("strong", {}, pair.call), " at ", goTo(pair.place), "."]
                : ["."];
        const blamed =
            pair.other === undefined || !Blames[kind]
                ? []
                : [
                      p(
                          `${Blames[kind === "atomic" && pair.there ? "accumulates" : kind]} rank ${pair.other}`,
                          ...(pair.there ? [" (", goTo(pair.there), ")"] : []),
                          ".",
                      ),
                  ];
        const stretch =
            kind === "compute" || kind === "memory"
                ? [
                      p(
                          element(
                              "span",
                              {class: "faint"},
                              "Time is charged in bulk: between two calls, waits or servicings, all " +
                                  "computing is drawn first, then all stalls. The order inside is not known.",
                          ),
                      ),
                  ]
                : [];
        return [
            p(element("strong", {}, `${track.name}: ${Says[kind]}`), ` for ${time(to - from)}`, ...inside),
            p(`From ${time(from)} to ${time(to)}.`),
            ...blamed,
            ...stretch,
        ];
    }
    function event(event) {
        const other =
            event.other >= 0
                ? [
                      p(
                          `The other side: rank ${event.other}, ${event.otherCall || "a store"} at `,
                          goTo(event.there),
                          ".",
                      ),
                  ]
                : [];
        return [
            p(
                element(
                    "span",
                    {class: "alarm"},
                    FindingSays[event.kind],
                ),
                ` on rank ${event.rank} at ${time(event.time)}, `,
                goTo(event.at),
                ".",
            ),
            p(event.text),
            ...other,
            ...(filmOf(run, event) < 0
                ? []
                : [element("button", {onclick: () => App.showFilm(filmOf(run, event))}, "Its film")]),
        ];
    }
    return thing => {
        box.replaceChildren(
            ...(!thing
                ? [p(element("span", {class: "faint hint"}, "Click an interval, an arrow or a finding."))]
                : thing.number
                  ? operation(thing)
                  : thing.track
                    ? interval(thing)
                    : event(thing)),
        );
    };
}


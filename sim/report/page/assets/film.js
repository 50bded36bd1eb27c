/* A film: where the copies of a few bytes are, step by step. Of run.films each has a title, the places of copies, and
 * steps: {rank, time, place, text, old: bits of the places whose copy is old, values: one a place, "" where there is no
 * copy}. */

/* "0100000000000000 = 1 (M)": what it is as a number first, and small the bytes. */
function copy(value) {
    const [, bytes, number, state] = /^(.*?)(?: = (.*?))?(?: \((\w)\))?$/.exec(value);
    return [
        element("div", {class: "value"}, number || bytes || "no copy", state ? ` (${state})` : ""),
        number ? element("div", {class: "bytes"}, bytes) : "",
    ];
}

/* On paper nobody steps: all steps, a row each. What is old has a mark, for a printer without colours. */
function onPaper(film, there) {
    const isOld = (step, i) => Math.floor(step.old / 2 ** i) % 2 === 1;
    return table(
        "Step by step. A copy marked ▼ is older than memory's.",
        [
            ["step", "number"],
            ["date", "number"],
            ["rank", "number"],
            ["at"],
            ...there.map(i => [film.places[i]]),
            ["what happens"],
        ],
        film.steps.map((step, n) => [
            String(n + 1),
            time(step.time),
            step.rank >= 0 ? String(step.rank) : "",
            step.place || "",
            ...there.map(i => (step.values[i] ? step.values[i] + (isOld(step, i) ? " ▼" : "") : "")),
            step.text,
        ]),
    );
}

/* Of that rank the step there that is nearest to the date; none is there: nearest to it of all. */
function stepOf(film, event) {
    const far = step =>
        Math.abs(step.time - event.time) + (step.rank === event.rank && step.place === event.at ? 0 : event.time + 1);
    return film.steps.reduce((best, step, i) => (far(step) < far(film.steps[best]) ? i : best), 0);
}

/* about: the first finding of its bytes; undefined: there is none. */
function Film(film, about, goTo) {
    const there = film.places.map((_, i) => i).filter(i => film.steps.some(step => step.values[i]));
    const without = film.places.filter((_, i) => !there.includes(i)).length;
    const words = element("p", {"aria-live": "polite", class: "words"});
    const stage = element("div", {class: "film"});
    const where = element("span", {class: "faint"});
    const bar = element("input", {
        type: "range",
        min: 1,
        max: film.steps.length,
        value: 1,
        "aria-label": "step of the film",
        oninput: () => show(bar.value - 1),
    });
    const finding = element("p"),
        found = about ? stepOf(film, about) : -1;
    let at = 0;
    function show(step) {
        at = Math.max(0, Math.min(step, film.steps.length - 1));
        const now = film.steps[at],
            before = at > 0 ? film.steps[at - 1].values : now.values.map(() => "");
        bar.value = at + 1;
        where.textContent = ` step ${at + 1} of ${film.steps.length}, at ${time(now.time)}`;
        if (found >= 0)
            finding.replaceChildren(
                element("button", {onclick: () => show(found), disabled: at === found ? "" : null}, "To the finding"),
                ` ${FindingSays[about.kind]} on rank ${about.rank}, at step ${found + 1}: `,
                about.text.replace(`${film.title}: `, ""),
                ".",
            );
        words.replaceChildren(
            element("strong", {}, now.rank >= 0 ? `Rank ${now.rank}` : "", now.place ? " at " : ""),
            now.place ? goTo(now.place) : "",
            element("strong", {}, ": "),
            now.text,
        );
        stage.replaceChildren(
            ...there.map(i => {
                const name = film.places[i],
                    value = now.values[i],
                    old = Math.floor(now.old / 2 ** i) % 2 === 1,
                    changed = value !== before[i];
                return element(
                    "figure",
                    {class: `${changed ? "now" : ""} ${old ? "old" : ""}`},
                    element("figcaption", {}, name),
                    ...copy(value),
                    element("div", {class: old ? "alarm" : "faint"}, old ? "old" : changed ? "changed" : " "),
                );
            }),
        );
    }
    const box = element("div", {
        tabindex: 0,
        role: "group",
        "aria-label": film.title,
        class: "show",
        onkeydown: event => {
            const to = {ArrowRight: at + 1, ArrowLeft: at - 1, " ": at + 1, Home: 0, End: 1e9}[event.key];
            if (to === undefined || event.target === bar) return;
            event.preventDefault();
            show(to);
        },
    });
    box.append(
        element("h3", {}, film.title),
        finding,
        element("button", {onclick: () => show(at - 1)}, "Back"),
        " ",
        element("button", {onclick: () => show(at + 1)}, "Next"),
        " ",
        bar,
        where,
        words,
        stage,
        without
            ? p(element("span", {class: "faint"},
                `${count(without)} more ${without === 1 ? "place never has" : "places never have"} a copy.`))
            : "",
    );
    const paper = element("div", {class: "paper"});
    box.append(paper);
    window.addEventListener("beforeprint", () => paper.replaceChildren(onPaper(film, there)));
    show(Math.max(0, found));
    return box;
}

/* The number of the film of an event's bytes ("window 0:1:8:4": segment, rank, offset, bytes); -1: there is none. */
function filmOf(run, event) {
    const [, name, rank, offset, bytes] = /^(.*):(\d+):(\d+):(\d+)$/.exec(event.memory) || [];
    const title = `${bytes} byte${bytes === "1" ? "" : "s"} at offset ${offset} of ${name} of rank ${rank}`;
    return run.films.filter(film => film.steps.length).findIndex(film => film.title === title);
}

function films(run, goTo) {
    const shown = run.films.filter(film => film.steps.length);
    if (!shown.length) return [p("None of the watched bytes came into being.")];
    const about = [];
    for (const event of run.events) about[filmOf(run, event)] ??= event;
    return [
        ...shown.map((film, i) => Film(film, about[i], goTo)),
        p(
            element(
                "span",
                {class: "faint"},
                "Arrow keys step through a film. Ranks run ahead of each other by up to the quantum: steps of two " +
                    "ranks stand in the order in which the run played them, and what changed between two accesses is " +
                    "seen at the next. Bytes on their way to memory are in no place. Private memory has no film: nobody " +
                    "else has a copy of it, so no finding is about one.",
            ),
        ),
    ];
}

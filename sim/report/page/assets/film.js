/* A film: where the copies of a few bytes are, step by step. */

function films(run, goTo) {
    return run.films.map((film, number) => Film(film, number, goTo));
}

/* film: {title, places: [names], steps: [{time, rank, place, text, values: [by place], now, old: [places]}]};
 * a value of null: no copy there. */
function Film(film, number, goTo) {
    let at = 0;
    const words = element("p", {"aria-live": "polite"}),
        stage = element("div", {class: "film"});
    const box = element("div", {tabindex: 0, role: "group", "aria-label": film.title}),
        where = element("span", {class: "faint"});
    function show() {
        const step = film.steps[at];
        where.textContent = ` step ${at + 1} of ${film.steps.length}, at ${time(step.time)} `;
        words.replaceChildren(
            element("strong", {}, `Rank ${step.rank}: `),
            step.text,
            step.place ? " At " : "",
            step.place ? goTo(step.place) : "",
            step.place ? "." : "",
        );
        stage.replaceChildren(
            ...film.places.map((name, i) => {
                const value = step.values[i],
                    old = step.old.includes(i);
                return element(
                    "figure",
                    {class: `${step.now === i ? "now" : ""} ${old ? "old" : ""}`},
                    element("figcaption", {}, name),
                    element("div", {class: "value"}, value === null ? "—" : value),
                    old ? element("span", {class: "alarm"}, "old") : null,
                );
            }),
        );
    }
    const move = by => {
        at = Math.max(0, Math.min(at + by, film.steps.length - 1));
        show();
    };
    box.addEventListener("keydown", e => {
        const by = {ArrowRight: 1, ArrowLeft: -1, " ": 1, Home: -1e9, End: 1e9}[e.key];
        if (by === undefined || e.target !== box) return;
        e.preventDefault();
        move(by);
    });
    box.append(
        element("h3", {}, film.title),
        element(
            "div",
            {},
            element("button", {onclick: () => move(-1)}, "Back"),
            " ",
            element("button", {onclick: () => move(1)}, "Next"),
            where,
        ),
        words,
        stage,
    );
    if (film.note) box.append(p(element("span", {class: "faint"}, film.note)));
    show();
    return box;
}

/* Puts the page together. */

const App = {};
(function () {
    const run = readRun(document.getElementById("trace").textContent);
    const noun = (n, one, many) => `${count(n)} ${n === 1 ? one : many}`,
        some = (n, all, one, many) => (n < all ? `${count(n)} of ${noun(all, one, many)}` : noun(n, one, many));
    /* the first thing to know of a page that leaves something out */
    if (run.partial) {
        const parts = [
            ...(run.span < run.whole ? [`${time(run.from)} to ${time(run.end)} of ${time(run.whole)}`] : []),
            ...(run.others
                ? [
                      `${noun(run.shownRanks.length, "rank", "ranks")} of ${count(run.ranks)} ` +
                          `(${ranges(run.shownRanks)}), with what others exchange with them`,
                  ]
                : []),
            ...(run.without.length ? [`without ${run.without.join(", ")}`] : []),
        ];
        const box = document.getElementById("part");
        box.textContent =
            `This page shows a part of the run: ${parts.join("; ")}. ` +
            "Its numbers are of what is shown, but for variables and films.";
        box.hidden = false;
    }
  document.getElementById("summary").textContent =
    `Predicted time ${time(run.whole)}${run.how === "ended" ? "" : `, ${run.how}`}, on ` +
    `${noun(run.nodes, "node", "nodes")}. ` +
    `${some(run.operations.length, run.allOperations, "one-sided operation", "one-sided operations")}, ` +
    `${some(run.events.length, run.allEvents, "finding", "findings")}. sidewinder ${run.sidewinder}.`;

  const legend = document.getElementById("legend"),
        used = new Set(run.tracks.flatMap(track => track.used));
    Activity.forEach((name, kind) => {
        if (used.has(kind))
            legend.append(
                element(
                    "span",
                    {},
                    element("span", {class: "swatch", style: `background: var(--${name})`}),
                    Says[name],
                ),
            );
    });
    if (run.path.length)
        legend.append(
            element(
                "span",
                {},
                element("span", {class: "swatch line", style: "background: var(--critical)"}),
                "critical path",
            ),
        );
    else document.getElementById("path-label").hidden = true;
    if (run.events.length) legend.append(element("span", {}, element("span", {class: "alarm"}, "▼ "), "finding"));

    const list = document.querySelector("[role=tablist]"),
        tabs = document.getElementById("tabs");
    const views = [];
    function open(view) {
        for (const other of views) {
            const on = other === view;
            other.tab.setAttribute("aria-selected", on);
            other.tab.tabIndex = on ? 0 : -1;
            other.panel.hidden = !on;
        }
        if (!view.made) (view.panel.append(...view.make()), (view.made = true));
    }
    function goTo(place) {
        if (!place) return nothing;
        const file = place.replace(/:\d+$/, "");
        if (!run.source[file]) return place;
        return element(
            "button",
            {
                class: "place",
                onclick: () => {
                    open(App.sourceView);
                    const line = document.getElementById(`at-${place}`);
                    if (line) line.scrollIntoView({block: "center"});
                },
            },
            place,
        );
    }
    const detail = Details(run, goTo);
    const line = TimeLine(run, document.getElementById("line"), document.getElementById("overview"), detail, text => {
        document.getElementById("note").textContent = text;
    });
    App.show = ({track, interval}) =>
        line.reveal({track, interval, at: [track.begin[interval]], last: track.begin[interval + 1]});

    App.showFilm = number => {
        const view = views.find(view => view.tab.id === "tab-films");
        open(view);
        const film = view.panel.querySelectorAll(".show")[number];
        film.scrollIntoView({block: "center"});
        film.focus();
    };

    for (const [title, make] of [
        ...(run.films.length ? [["Films", () => films(run, goTo)]] : []),
        ["Findings", () => findings(run, line)],
        ["Calls", () => byLine(run)],
        ["Variables", () => byVariable(run)],
        ["Ranks", () => byRank(run)],
        ["Communication", () => communication(run)],
        ["Latency", () => latencies(run, line)],
        ["Source", () => sources(run)],
    ]) {
        const id = title.toLowerCase();
        const tab = element("button", {role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`}, title);
        const panel = element("div", {
            role: "tabpanel",
            id: `panel-${id}`,
            "aria-labelledby": `tab-${id}`,
            tabindex: 0,
        });
        const view = {tab, panel, make, made: false};
        if (title === "Source") App.sourceView = view;
        tab.onclick = () => open(view);
        views.push(view);
        list.append(tab);
        tabs.append(panel);
    }
    list.addEventListener("keydown", e => {
        const by = {ArrowLeft: -1, ArrowRight: 1}[e.key];
        if (!by) return;
        const here = views.findIndex(view => view.tab === document.activeElement);
        const next = views[(here + by + views.length) % views.length];
        open(next);
        next.tab.focus();
    });
    open(views.find(view => run.films.length || run.events.length || view.tab.id !== "tab-findings"));
    document.body.dataset.ready = String(Math.round(performance.now()));
})();

/* The time line: a canvas, drawn anew at each change. A column of pixels that holds more than one interval shows the
 * share of each, from the bottom up. */

const Font = "system-ui, DejaVu Sans, sans-serif";
const Left = 96,
    Axis = 24,
    RankHeight = 22,
    InterfaceHeight = 9,
    Gap = 3,
    ArrowsAtMost = 4000,
    ArrowRoom = 3 /* pixels of the width for an arrow */,
    PaperHeight = 800; /* of the rows on a sheet */

function TimeLine(run, canvas, overview, onPick, onNote) {
    const whole = Math.max(run.span, 1);
    const view = {from: run.from, to: run.from + whole, top: 0, row: 0, picked: null};
    const drawTracks = Tracks();
    let rows = [],
        height = 0,
        frame = 0,
        onPaper = false,
        picture = null,
        paint = [], /* by activity: its colour as a pixel */
        colours = {};
    const pathEnds = Float64Array.from(run.path, piece => piece.end);
    const byDate = Operations(run.operations),
        ofRank = new Map(); /* a rank's own, once they are asked for */

    function layout() {
        const shows = document.getElementById("interfaces").checked;
        rows = [];
        let y = Axis;
        const add = (track, size) => {
            track.y = y + size / 2;
            rows.push({track, y, size});
            y += size + Gap;
        };
        for (const track of run.tracks) if (track.rank >= 0) add(track, RankHeight);
        if (run.others) add(run.others, RankHeight);
        for (const track of run.tracks) if (track.rank < 0 && shows && track.count > 0) add(track, InterfaceHeight);
        height = y;
        const room = Math.max(220, window.innerHeight * 0.62),
            cut = rows.find(row => row.y + row.size > (onPaper ? PaperHeight : room)); /* whole rows only */
        canvas.style.height = `${cut ? cut.y - Gap : height + 4}px`;
    }
    const width = () => canvas.clientWidth - Left;
    const x = date => Left + ((date - view.from) / (view.to - view.from)) * width();
    const dateAt = px => view.from + ((px - Left) / width()) * (view.to - view.from);

    function prepare(target) {
        const ratio = window.devicePixelRatio || 1,
            w = target.clientWidth,
            h = target.clientHeight;
        if (target.width !== Math.round(w * ratio)) target.width = Math.round(w * ratio);
        if (target.height !== Math.round(h * ratio)) target.height = Math.round(h * ratio);
        const pen = target.getContext("2d");
        pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        pen.clearRect(0, 0, w, h);
        pen.font = `12px ${Font}`;
        return pen;
    }

    function drawAxis(pen) {
        const rough = (view.to - view.from) / Math.max(2, width() / 110);
        const power = 10 ** Math.floor(Math.log10(rough));
        const step = [1, 2, 5, 10].map(k => k * power).find(k => k >= rough);
        pen.fillStyle = colours.faint;
        pen.strokeStyle = colours.rule;
        pen.textBaseline = "top";
        pen.textAlign = "center";
        pen.lineWidth = 1;
        for (let date = Math.ceil(view.from / step) * step; date <= view.to; date += step) {
            const px = Math.round(x(date)) + 0.5;
            pen.beginPath();
            pen.moveTo(px, Axis - 6);
            pen.lineTo(px, canvas.clientHeight);
            pen.stroke();
            pen.fillText(label(date, step), Math.min(px, canvas.clientWidth - 30), 3);
        }
    }
    /* as many digits as the steps between two labels need */
    function label(date, step) {
        const [unit, scale] = Units.find(([, size]) => Math.max(Math.abs(date), step) >= size) || Units[4];
        const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(step / scale) + 1e-9)));
        return `${(date / scale).toFixed(digits)} ${unit}`;
    }

    function operationsOf(rank) {
        if (!ofRank.has(rank))
            ofRank.set(rank, Operations(run.operations.filter(op => op.origin === rank || op.target === rank)));
        return ofRank.get(rank);
    }
    const seen = () =>
        rows.filter(row => row.y - view.top + row.size >= Axis && row.y - view.top <= canvas.clientHeight);
    /* The operations whose arrows are drawn: all in view while the rows can still be seen behind them, else those of
     * the rank whose row is chosen; and what is to be said of that. */
    function arrows() {
        if (!document.getElementById("arrows").checked) return {drawn: [], text: ""};
        const all = byDate.count(view.from, view.to),
            room = Math.floor(width() / ArrowRoom);
        if (all <= room) return {drawn: byDate.within(view.from, view.to), text: ""};
        const {rank, name} = rows[view.row].track,
            own = rank < 0 ? null : operationsOf(rank),
            many = `${count(all)} operations are in view: `;
        if (own && own.count(view.from, view.to) > ArrowsAtMost)
            return {drawn: [], text: `${many}zoom in until at most ${count(room)} are, to see their arrows.`};
        return {
            drawn: own ? own.within(view.from, view.to) : [],
            text: `${many}the arrows are those of ${rank < 0 ? "no row but a rank's" : name}. Choose another row, or zoom in.`,
        };
    }
    function drawArrows(pen) {
        const {drawn, text} = arrows();
        const below = rows.filter(row => row.y + row.size - view.top > canvas.clientHeight + 1).length;
        onNote(below ? `${text} ${count(below)} more rows below: the wheel or the arrow keys show them.` : text);
        const many = drawn.length > 400,
            end = op => [x(op.done), run.row(op.target).y - view.top],
            line = op => {
                pen.moveTo(x(op.at[0]), run.row(op.origin).y - view.top);
                pen.lineTo(...end(op));
            },
            dot = (op, size) => {
                const [px, py] = end(op);
                pen.moveTo(px + size, py);
                pen.arc(px, py, size, 0, 2 * Math.PI);
            };
        pen.save();
        pen.lineWidth = many ? 0.6 : 1.2;
        pen.globalAlpha = Math.max(0.2, Math.min(1, width() / ArrowRoom / Math.max(drawn.length, 1)));
        pen.strokeStyle = pen.fillStyle = colours.arrow;
        pen.beginPath();
        for (const op of distinct(drawn)) line(op);
        pen.stroke();
        if (!many) {
            pen.beginPath();
            for (const op of drawn) dot(op, 2.4);
            pen.fill();
        }
        if (drawn.includes(view.picked)) {
            pen.globalAlpha = 1;
            pen.lineWidth = 3;
            pen.strokeStyle = pen.fillStyle = colours.mark;
            pen.beginPath();
            line(view.picked);
            pen.stroke();
            pen.beginPath();
            dot(view.picked, 4);
            pen.fill();
        }
        pen.restore();
    }
    /* Of those that go from one pixel to one other the first. */
    function* distinct(operations) {
        const drawn = new Set();
        for (const op of operations) {
            const from = Math.round(x(op.at[0])),
                key = ((from * 8192 + Math.round(x(op.done)) - from) * 4096 + op.origin) * 4096 + op.target;
            if (drawn.has(key)) continue;
            drawn.add(key);
            yield op;
        }
    }
    /* Where ranks ran, a band on their row; between two, a line from the one to the other. Of lines
     * that are closer than this, which would cover the rows, one is drawn. */
    const Crossings = 16;
    function drawPath(pen) {
        if (!document.getElementById("path").checked) return;
        pen.strokeStyle = colours.critical;
        pen.lineJoin = "round";
        pen.lineWidth = 3;
        pen.beginPath();
        let px = null,
            py = null,
            crossed = -Infinity;
        /* from the piece before the view on */
        for (let i = Math.max(0, firstAfter(pathEnds, view.from) - 1); i < run.path.length; i++) {
            const piece = run.path[i];
            if (px !== null && piece.begin > view.to && run.path[i - 1].end > view.to) break;
            const y = run.row(piece.rank).y - view.top + RankHeight / 2 - 2,
                from = x(piece.begin),
                to = x(piece.end);
            const visible = to >= Left - 1 && (px === null ? from : px) <= canvas.clientWidth + 1;
            /* what lies within a pixel of the last point is drawn already */
            if (visible && (px === null || to - px >= 1 || Math.abs(y - py) >= 1)) {
                const crosses = px !== null && Math.abs(y - py) >= 1;
                if (px === null || (crosses && from - crossed < Crossings)) pen.moveTo(from, y);
                else {
                    pen.moveTo(px, py);
                    pen.lineTo(from, y);
                    if (crosses) crossed = from;
                }
                pen.lineTo(to, y);
            } else if (visible) continue;
            px = to;
            py = y;
        }
        pen.stroke();
    }
    function drawEvents(pen) {
        for (const event of run.events) {
            if (event.time < view.from || event.time > view.to) continue;
            const px = x(event.time),
                y = run.row(event.rank).y - view.top - RankHeight / 2;
            if (y < Axis - RankHeight) continue;
            pen.fillStyle = colours.mark;
            pen.strokeStyle = colours.back;
            pen.lineWidth = 1.5;
            pen.beginPath();
            pen.moveTo(px, y + 11);
            pen.lineTo(px - 7, y - 2);
            pen.lineTo(px + 7, y - 2);
            pen.closePath();
            pen.fill();
            pen.stroke();
        }
    }

    function draw() {
        frame = 0;
        const style = getComputedStyle(document.documentElement);
        for (const name of [...Activity, "faint", "rule", "ink", "mark", "arrow", "back", "focus", "critical"])
            colours[name] = style.getPropertyValue(`--${name}`).trim();
        paint = Activity.map(name => pixel(colours[name]));
        const pen = prepare(canvas);
        drawAxis(pen);
        pen.save();
        pen.beginPath();
        pen.rect(0, Axis, canvas.clientWidth, canvas.clientHeight - Axis);
        pen.clip();
        pen.textAlign = "right";
        pen.textBaseline = "middle";
        rows.forEach((row, i) => {
            const y = row.y - view.top;
            if (y + row.size < Axis || y > canvas.clientHeight) return;
            pen.fillStyle = i === view.row ? colours.focus : row.track.rank >= 0 ? colours.ink : colours.faint;
            pen.font = `${i === view.row ? "600 " : ""}${row.track.rank >= 0 ? 13 : 10}px ${Font}`;
            pen.fillText(row.track.name, Left - 8, y + row.size / 2);
        });
        pen.beginPath();
        pen.rect(Left, Axis, canvas.clientWidth - Left, canvas.clientHeight);
        pen.clip();
        drawTracks(
            pen,
            seen(),
            view,
            {left: Left, width: width(), height: canvas.clientHeight},
            paint,
        );
        drawArrows(pen);
        drawPath(pen);
        drawEvents(pen);
        drawPicked(pen);
        pen.restore();
        drawOverview();
    }
    function drawPicked(pen) {
        const picked = view.picked;
        if (!picked || picked.interval === undefined) return;
        const row = rows.find(r => r.track === picked.track);
        if (!row) return;
        const from = x(picked.track.begin[picked.interval]),
            to = x(picked.track.begin[picked.interval + 1]);
        pen.strokeStyle = colours.mark;
        pen.lineWidth = 2;
        pen.strokeRect(from, row.y - view.top - 1, Math.max(to - from, 2), row.size + 2);
    }
    /* The shares of all ranks together, drawn once for a width and its colours. */
    function shares(w, h) {
        const key = [w, h, colours.back].join();
        if (picture && picture.key === key) return picture;
        picture = document.createElement("canvas");
        picture.key = key;
        picture.width = w;
        picture.height = h;
        const pen = picture.getContext("2d"),
            ranks = run.tracks.filter(track => track.rank >= 0 && track.count);
        for (let px = Left; px < w; px++) {
            const from = run.from + ((px - Left) / (w - Left)) * whole,
                to = run.from + ((px + 1 - Left) / (w - Left)) * whole,
                sum = new Float64Array(Activity.length);
            for (const track of ranks) {
                const i = intervalAt(track, from),
                    j = intervalAt(track, to);
                for (const kind of track.used) sum[kind] += spent(track, kind, to, j) - spent(track, kind, from, i);
            }
            let bottom = h;
            for (let kind = 0; kind < Activity.length; kind++) {
                const part = (sum[kind] / (to - from) / Math.max(ranks.length, 1)) * h;
                if (part <= 0) continue;
                pen.fillStyle = colours[Activity[kind]];
                pen.fillRect(px, bottom - part, 1, part);
                bottom -= part;
            }
        }
        return picture;
    }
    /* All ranks together, and where the view is. */
    function drawOverview() {
        const pen = prepare(overview),
            h = overview.clientHeight,
            w = overview.clientWidth;
        pen.drawImage(shares(w, h), 0, 0);
        pen.fillStyle = colours.ink;
        pen.textAlign = "right";
        pen.textBaseline = "middle";
        pen.fillText(run.others ? "ranks shown" : "all ranks", Left - 8, h / 2);
        const scale = (w - Left) / whole;
        pen.strokeStyle = colours.focus;
        pen.lineWidth = 2;
        pen.strokeRect(
            Left + (view.from - run.from) * scale + 1,
            1,
            Math.max((view.to - view.from) * scale - 2, 3),
            h - 2,
        );
    }
    function redraw() {
        if (!frame) frame = requestAnimationFrame(draw);
    }

    /* ---- moving ---------------------------------------------------------------------------------- */

    function show(from, to) {
        const size = Math.max(Math.min(1000, whole), Math.min(to - from, whole));
        view.from = Math.max(run.from, Math.min(from, run.from + whole - size));
        view.to = view.from + size;
        redraw();
    }
    function zoom(factor, date = (view.from + view.to) / 2) {
        const size = (view.to - view.from) * factor,
            part = (date - view.from) / (view.to - view.from);
        show(date - size * part, date + size * (1 - part));
    }
    function pan(share) {
        show(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));
    }
    function scroll(by) {
        view.top = Math.max(0, Math.min(view.top + by, height - canvas.clientHeight + 4));
        redraw();
    }
    function chooseRow(by) {
        view.row = Math.max(0, Math.min(view.row + by, rows.length - 1));
        const row = rows[view.row];
        if (row.y - view.top < Axis) view.top = Math.max(0, row.y - Axis);
        if (row.y + row.size - view.top > canvas.clientHeight) view.top = row.y + row.size - canvas.clientHeight;
        redraw();
    }
    function pick(thing) {
        view.picked = thing;
        const row = thing && thing.track ? rows.findIndex(r => r.track === thing.track) : -1;
        if (row >= 0) view.row = row;
        onPick(thing);
        redraw();
    }
    function pickMiddle() {
        const track = rows[view.row].track,
            i = intervalAt(track, (view.from + view.to) / 2);
        if (i >= 0 && track.kind[i] !== 255) pick({track, interval: i});
    }
    /* Brings a finding or an operation into view, so that it takes a third of it or more context. */
    function reveal(thing) {
        const from = thing.time !== undefined ? thing.time : thing.at[0],
            to = thing.time !== undefined ? thing.time : thing.last;
        const size = Math.max((to - from) * 3, Math.min(view.to - view.from, whole / 20), 1000);
        show((from + to) / 2 - size / 2, (from + to) / 2 + size / 2);
        pick(thing);
    }
    function step(by) {
        if (!run.events.length) return;
        const here = run.events.indexOf(view.picked);
        reveal(
            run.events[
                here < 0 ? (by > 0 ? 0 : run.events.length - 1) : (here + by + run.events.length) % run.events.length
            ],
        );
    }

    function near(px, py) {
        const distance = (x0, y0, x1, y1) => {
            const dx = x1 - x0,
                dy = y1 - y0,
                size = dx * dx + dy * dy;
            const t = size ? Math.max(0, Math.min(1, ((px - x0) * dx + (py - y0) * dy) / size)) : 0;
            return Math.hypot(px - x0 - t * dx, py - y0 - t * dy);
        };
        for (const event of run.events)
            if (
                Math.abs(x(event.time) - px) < 8 &&
                Math.abs(run.row(event.rank).y - view.top - RankHeight / 2 + 4 - py) < 9
            )
                return event;
        let best = null,
            least = 5;
        for (const op of arrows().drawn) {
            const d = distance(
                x(op.at[0]),
                run.row(op.origin).y - view.top,
                x(op.done),
                run.row(op.target).y - view.top,
            );
            if (d < least) ((least = d), (best = op));
        }
        if (best) return best;
        const row = rows.find(r => py >= r.y - view.top && py <= r.y - view.top + r.size);
        if (!row) return null;
        const i = intervalAt(row.track, dateAt(px));
        return i >= 0 && row.track.kind[i] !== 255 ? {track: row.track, interval: i} : null;
    }

    let drag = null;
    canvas.addEventListener("pointerdown", e => {
        drag = {x: e.offsetX, y: e.offsetY, from: view.from, to: view.to, top: view.top, moved: false};
        canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener("pointermove", e => {
        if (!drag) return;
        if (Math.abs(e.offsetX - drag.x) + Math.abs(e.offsetY - drag.y) > 4) drag.moved = true;
        if (!drag.moved) return;
        const by = ((drag.x - e.offsetX) / width()) * (drag.to - drag.from);
        show(drag.from + by, drag.to + by);
        view.top = drag.top;
        scroll(drag.y - e.offsetY);
    });
    canvas.addEventListener("pointerup", e => {
        if (drag && !drag.moved) pick(near(e.offsetX, e.offsetY));
        drag = null;
    });
    canvas.addEventListener(
        "wheel",
        e => {
            const sideways = Math.abs(e.deltaX) > Math.abs(e.deltaY);
            const rolls = height > canvas.clientHeight + 4;
            if (!e.ctrlKey && !e.metaKey && !sideways && !rolls) return;
            e.preventDefault();
            if (e.ctrlKey || e.metaKey) zoom(Math.exp(e.deltaY * 0.003), dateAt(e.offsetX));
            else if (sideways) pan(e.deltaX / width());
            else scroll(e.deltaY);
        },
        {passive: false},
    );
    /* What the keys have led to, for those who do not see it. */
    function say() {
        const {track} = rows[view.row],
            i = intervalAt(track, (view.from + view.to) / 2),
            middle = i >= 0 && track.kind[i] !== 255 ? Says[Activity[track.kind[i]]] : "nothing";
        document.getElementById("spoken").textContent =
            `${track.name}, ${time(view.from)} to ${time(view.to)}, in the middle: ${middle}`;
    }
    const keys = {
        ArrowLeft: () => pan(-0.2),
        ArrowRight: () => pan(0.2),
        ArrowUp: () => chooseRow(-1),
        ArrowDown: () => chooseRow(1),
        "+": () => zoom(0.5),
        "=": () => zoom(0.5),
        "-": () => zoom(2),
        0: () => show(run.from, run.from + whole),
        Enter: pickMiddle,
        n: () => step(1),
        p: () => step(-1),
        Escape: () => pick(null),
    };
    canvas.addEventListener("keydown", e => {
        const action = e.ctrlKey || e.metaKey || e.altKey ? null : keys[e.key];
        if (!action) return;
        e.preventDefault();
        action();
        if (!["Enter", "n", "p", "Escape"].includes(e.key)) say(); /* those change the details, which are read */
    });
    let sliding = false;
    const slide = e => {
        const date = ((e.offsetX - Left) / (overview.clientWidth - Left)) * whole + run.from,
            half = (view.to - view.from) / 2;
        show(date - half, date + half);
    };
    overview.addEventListener("pointerdown", e => {
        sliding = true;
        overview.setPointerCapture(e.pointerId);
        slide(e);
    });
    overview.addEventListener("pointermove", e => {
        if (sliding) slide(e);
    });
    overview.addEventListener("pointerup", () => {
        sliding = false;
    });
    document.getElementById("in").onclick = () => zoom(0.5);
    document.getElementById("out").onclick = () => zoom(2);
    document.getElementById("all").onclick = () => show(run.from, run.from + whole);
    document.getElementById("interfaces").onchange = () => {
        layout();
        redraw();
    };
    document.getElementById("arrows").onchange = redraw;
    document.getElementById("path").onchange = redraw;
    window.addEventListener("resize", () => {
        layout();
        redraw();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    /* on white, whatever the screen has, and every row that a sheet has room for */
    const paper = on => {
        onPaper = on;
        document.documentElement.classList.toggle("paper", on);
        view.top = 0;
        layout();
        draw();
    };
    window.addEventListener("beforeprint", () => paper(true));
    window.addEventListener("afterprint", () => paper(false));
    layout();
    draw();
    return {reveal, show, view, redraw};
}

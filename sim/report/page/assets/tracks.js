/* The rows of the time line as one picture of pixels: what is drawn does not hang on how many intervals there are. */

/* One row: each column of pixels has the share of each activity in its time, from the bottom up. `at`: of the pixels
 * the row's first; `wide`: columns. `paint`: colours by activity. */
function paintTrack(pixels, track, view, {at, wide, high}, paint) {
    const {begin, kind, count, used} = track,
        step = (view.to - view.from) / wide,
        sums = used.map(k => track.sum[k]),
        left = new Float64Array(used.length); /* spent up to the column's left edge */
    let i = intervalAt(track, view.from);
    if (i < 0) {
        if (view.from >= begin[count]) return;
        i = 0;
    }
    const upTo = (k, date) => sums[k][i] + (kind[i] === used[k] && date > begin[i] ? date - begin[i] : 0);
    for (let k = 0; k < used.length; k++) left[k] = upTo(k, view.from);
    for (let column = 0; column < wide && i < count; ) {
        /* whole columns inside one interval */
        const whole = Math.min(wide, Math.floor((begin[i + 1] - view.from) / step));
        if (whole > column) {
            if (kind[i] !== 255)
                for (let y = 0, line = at + column; y < high; y++, line += wide)
                    pixels.fill(paint[kind[i]], line, line + whole - column);
            column = whole;
            if (column >= wide) return;
            for (let k = 0; k < used.length; k++) left[k] = upTo(k, view.from + column * step);
        }
        const until = view.from + (column + 1) * step;
        i = intervalFrom(track, i, until);
        let bottom = high;
        for (let k = 0; k < used.length; k++) {
            const here = i < count ? upTo(k, until) : sums[k][count],
                part = ((here - left[k]) / step) * high,
                top = Math.max(0, Math.round(bottom - part));
            left[k] = here;
            for (let y = top; y < Math.round(bottom); y++) pixels[at + y * wide + column] = paint[used[k]];
            bottom -= part;
        }
        column++;
    }
}

/* "#0072b2" as a pixel of an image */
function pixel(colour) {
    const n = parseInt(colour.slice(1), 16);
    return new Uint32Array(Uint8Array.of(n >> 16, n >> 8, n, 255).buffer)[0];
}

/* Draws rows, {track, y, size} in pixels of the page, into a rectangle of the pen's. */
function Tracks() {
    const canvas = document.createElement("canvas");
    let image = null;
    return (pen, rows, view, {left, width, height}, paint) => {
        const ratio = window.devicePixelRatio || 1,
            wide = Math.max(1, Math.round(width * ratio)),
            most = Math.max(1, Math.round(height * ratio));
        if (!image || canvas.width !== wide || canvas.height !== most) {
            canvas.width = wide;
            canvas.height = most;
            image = new ImageData(wide, most);
        }
        const pixels = new Uint32Array(image.data.buffer);
        pixels.fill(0);
        for (const {track, y, size} of rows) {
            const top = Math.round((y - view.top) * ratio),
                high = Math.min(Math.round(size * ratio), most - top);
            if (top >= 0 && high > 0) paintTrack(pixels, track, view, {at: top * wide, wide, high}, paint);
        }
        canvas.getContext("2d").putImageData(image, 0, 0);
        pen.imageSmoothingEnabled = false;
        pen.drawImage(canvas, left, 0, width, height);
    };
}

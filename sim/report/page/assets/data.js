"use strict";
/* The trace, as the page keeps it: arrays of numbers by track. Dates are picoseconds. */

const Activity = [
    "compute",
    "memory",
    "service",
    "late",
    "lock",
    "delayed",
    "network",
    "interface",
    "target",
    "atomic",
    "sleep",
    "other",
    "send",
    "receive",
];
const FirstWait = 3,
    LastWait = 11;
const Says = {
    compute: "compute",
    memory: "memory stall",
    service: "service others",
    late: "wait: a rank came late",
    lock: "wait: lock held",
    delayed: "wait: servicing began late",
    network: "wait: network",
    interface: "wait: interface or link busy",
    target: "wait: target services",
    atomic: "wait: atomic unit or lock taken",
    sleep: "wait: until a date",
    other: "wait: cause not known",
    send: "interface sends",
    receive: "receives",
};
const Steps = ["called", "departed", "arrived", "serviced", "performed", "completed"];

/* "c5k3 m9 w12:4": letter, length in base 36, and where the pair (call, place, whom it waited for) changes, its
 * number. */
function readTrack(from) {
    const tokens = from.intervals ? from.intervals.split(" ") : [];
    const n = tokens.length;
    const track = {
        name: from.name,
        rank: from.rank,
        node: from.node,
        begin: new Float64Array(n + 1),
        count: n,
        kind: new Uint8Array(n),
        pair: new Uint32Array(n),
    };
    const letter = {c: 0, m: 1, s: 2, b: 3, l: 4, d: 5, n: 6, i: 7, t: 8, a: 9, z: 10, w: 11, o: 12, r: 13, "-": 255};
    let at = 0,
        pair = 0;
    for (let i = 0; i < n; i++) {
        const token = tokens[i],
            colon = token.indexOf(":");
        if (colon > 0) pair = parseInt(token.slice(colon + 1), 36);
        track.begin[i] = at;
        at += parseInt(colon > 0 ? token.slice(1, colon) : token.slice(1), 36);
        track.pair[i] = pair;
        track.kind[i] = letter[token[0]];
    }
    track.begin[n] = at;
    return track;
}

/* Sums up to each interval, by activity: the share of each in any stretch is a difference of two. */
function addSums(track) {
    const used = new Set(track.kind);
    used.delete(255);
    track.used = [...used].sort((a, b) => a - b);
    track.sum = {};
    for (const kind of track.used) {
        const sum = (track.sum[kind] = new Float64Array(track.count + 1));
        for (let i = 0; i < track.count; i++)
            sum[i + 1] = sum[i] + (track.kind[i] === kind ? track.begin[i + 1] - track.begin[i] : 0);
    }
}

/* The interval of a track that holds a date; -1: before or behind all. */
function intervalAt(track, date) {
    let low = 0,
        high = track.count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (track.begin[middle + 1] <= date) low = middle + 1;
        else high = middle;
    }
    return low < track.count && track.begin[low] <= date ? low : -1;
}

/* The first of a rising array that is greater than a number, from `low` on. */
function firstAfter(array, number, low = 0) {
    let high = array.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (array[middle] <= number) low = middle + 1;
        else high = middle;
    }
    return low;
}
/* Operations, of which those that last within two dates are found without a look at the others: by the date of their
 * call, in blocks of which each knows when its last one ends. */
function Operations(all) {
    const Block = 64,
        byCall = [...all].sort((a, b) => a.at[0] - b.at[0]),
        called = Float64Array.from(byCall, op => op.at[0]),
        ended = Float64Array.from(byCall, op => op.last).sort(),
        until = new Float64Array(Math.ceil(byCall.length / Block));
    byCall.forEach((op, i) => (until[Math.floor(i / Block)] = Math.max(until[Math.floor(i / Block)], op.last)));
    return {
        count: (from, to) => firstAfter(called, to) - firstAfter(ended, from),
        within(from, to) {
            const end = firstAfter(called, to),
                found = [];
            for (let block = 0; block * Block < end; block++) {
                if (until[block] <= from) continue;
                for (let i = block * Block; i < Math.min(end, (block + 1) * Block); i++)
                    if (byCall[i].last > from) found.push(byCall[i]);
            }
            return found;
        },
    };
}

/* The interval that holds a date which is not before interval i: near it, most often. track.count: behind all. */
function intervalFrom(track, i, date) {
    const {begin, count} = track;
    for (let step = 1; ; step *= 2) {
        if (i + step >= count || begin[i + step] > date) break;
        i += step;
    }
    return i < count && begin[i + 1] > date ? i : Math.min(count, firstAfter(begin, date, i) - 1);
}

/* Time spent in an activity from 0 to a date, `i` being the interval that holds it. */
function spent(track, kind, date, i) {
    if (i < 0) return date <= 0 ? 0 : track.sum[kind][track.count];
    return track.sum[kind][i] + (track.kind[i] === kind ? date - track.begin[i] : 0);
}

function readOperations(text, pairs, carriers) {
    const operations = [];
    const kinds = {p: "put", g: "get", a: "accumulate", u: "get_accumulate", c: "control"};
    let called = 0;
    for (const token of text ? text.split(" ") : []) {
        const field = token.split(",");
        called += parseInt(field[6], 36);
        const at = [called];
        for (let step = 1; step < 6; step++) {
            const delta = field[6 + step];
            at.push(delta === undefined || delta === "" ? -1 : called + parseInt(delta, 36));
        }
        let last = called,
            done = called;
        for (const date of at) if (date > last) last = date;
        for (const step of [4, 3, 2, 5])
            if (at[step] >= 0) {
                done = at[step];
                break;
            }
        operations.push({
            number: parseInt(field[0].slice(1), 36),
            kind: kinds[field[0][0]],
            origin: parseInt(field[1], 36),
            target: parseInt(field[2], 36),
            bytes: parseInt(field[3], 36),
            pair: pairs[parseInt(field[4], 36)],
            carrier: carriers[parseInt(field[5], 36)],
            at,
            last,
            done,
        });
    }
    return operations;
}

/* Where ranks ran on the critical path, in order of time. */
function readPath(from) {
    let at = from.from;
    return (from.path ? from.path.split(" ") : []).map(token => {
        const [rank, gap, length] = token.split(",").map(text => parseInt(text, 36));
        const begin = at + gap;
        at = begin + length;
        return {rank, begin, end: at};
    });
}

function readVariable(line) {
    const [memory, name, ...numbers] = line.split("\t");
    const [load, store, ...n] = numbers.map(Number);
    return {memory, name, load, store, missed: n.slice(0, 4), stale: n[4], moves: n[5], operations: n[6]};
}

/* What is shown of the run, if not all: `partial`; `shows` of a kind; the row of a rank, for those left out that of the
 * others. */
function addPart(run) {
    const rows = new Map(run.tracks.filter(track => track.rank >= 0).map(track => [track.rank, track]));
    run.shownRanks = [...rows.keys()];
    run.others = rows.size < run.ranks ? readTrack({name: "other ranks", rank: -1, node: -1}) : null;
    run.row = rank => rows.get(rank) || run.others;
    run.span = run.end - run.from;
    run.shows = kind => !run.without.includes(kind);
    run.partial = run.span < run.whole || run.others !== null || run.without.length > 0;
}

function readRun(text) {
    const from = JSON.parse(text);
    const pairs = from.pairs.map(([call, place, other, there]) => ({call, place, other, there}));
    const run = Object.assign({}, from, {
        pairs,
        tracks: from.tracks.map(readTrack),
        operations: readOperations(from.operations, pairs, from.carriers),
        path: readPath(from),
    });
    addPart(run);
    run.variables = from.variables ? from.variables.split("\n").map(readVariable) : [];
    for (const track of run.others ? [...run.tracks, run.others] : run.tracks) addSums(track);
    return run;
}

/* ---- numbers for people -------------------------------------------------------------------------- */

const Units = [
    ["s", 1e12],
    ["ms", 1e9],
    ["µs", 1e6],
    ["ns", 1e3],
    ["ps", 1],
];
/* Four significant digits, SI scaled, as the report prints them. */
function time(ps) {
    if (ps === 0) return "0 s";
    const size = Math.abs(ps);
    for (const [unit, scale] of Units)
        if (size >= scale * 0.99995 || scale === 1) return `${+(ps / scale).toPrecision(4)} ${unit}`;
}
const count = n => n.toLocaleString("en");
function bytes(n) {
    if (n < 1024) return `${n} B`;
    for (const [unit, size] of [
        ["GiB", 2 ** 30],
        ["MiB", 2 ** 20],
        ["KiB", 1024],
    ])
        if (n >= size) return `${+(n / size).toPrecision(4)} ${unit}`;
}
function percent(part, whole) {
    if (!part) return "0 %";
    const share = (100 * part) / whole;
    return share < 0.1 ? "<0.1 %" : share > 99.9 && part < whole ? ">99.9 %" : `${share.toFixed(1)} %`;
}
const nothing = "?";

# What the bottleneck of contention.c allows, from what `sidewinder machines NAME` prints and nothing else. Input: that
# text, then rows "KINDS ORIGINS BYTES TIMES [TARGETS]". Output, a line a row: seconds, the share of them that its
# resource is busy, and a pattern of the resource's name. Each resource has its demand, all operations' work on it. The
# largest is the limit, but where work that comes first lets it stand idle.

# "8KiB", "2.5cycles", "38MBps" as a number of bytes, seconds, hertz, bytes a second
function number(text,   n, unit) {
    n = text + 0
    unit = text
    sub(/^[-+0-9.e]*/, "", unit)
    if (unit ~ /^cycle/) return n / value["cpu.clock"]
    if (unit in factor) return n * factor[unit]
    return n
}
function max(a, b) { return a > b ? a : b }
function min(a, b) { return a < b ? a : b }
function demand(seconds, name) { if (seconds > limit) { limit = busy = seconds; bottleneck = name } }
# of an origin, whose calls take time, too
function origin(seconds, name) { demand(seconds + calls, name) }
function v(key) { return value[key] }

# The origin's processor passes over its own buffer of S bytes, a line behind the other.
function local(S) { return S / v("cache.l1.line") * v("cache.l1.hit_cycles") }

# A pool that processors load from and store to; each host has a link of its own.
function pool(kind, N, S, n,   one, line, lines) {
    line = v("cache.l1.line"); lines = int((S + line - 1) / line)   # as many under way as the processor can have
    one = v("pool.latency") + max(S / v("pool.bandwidth"), \
        (lines - 1) * max(line / v("pool.bandwidth"), v("pool.latency") / v("mem.outstanding")))
    if (kind == "acc") {
        origin(n * (2 * v("ni.atomic") + 2 * one), "^processor of rank [1-9]")
        demand(N * n * (v("ni.atomic") + 2 * one), "^lock of accumulates of rank 0$")
    } else origin(n * (one + local(S)), "^processor of rank [1-9]")
}

# Processors that load and store through caches on a bus. What hits in L1 takes a cycle.
function loadstore(kind, N, S, n,   l1, lines, hit, hit2, words, more, block) {
    block = v("mem.block_store") > 0 && S >= v("mem.block_store")   # lines stored whole are not fetched
    hit = 1 / v("cpu.clock"); hit2 = v("cache.l2.hit_cycles")
    l1 = S / v("cache.l1.line"); lines = S / v("cache.l2.line")
    words = v("cache.l1.line") / 8 * hit
    if (kind == "acc" && N > 1) demand(N * n * v("bus.cache_to_cache"), "^line of rank 0.s window 0, byte 0$")
    else if (kind == "acc") origin(n * 3 * hit, "^processor of rank [1-9]")
    else if (S < v("cache.l1.line")) origin(n * 2 * hit, "^processor of rank [1-9]")
    else if (S <= v("cache.l2.size") / 4) {   # word by word; where L1 has not the line, from L2, and into it
        more = S <= v("cache.l1.size") / 2 ? 0 : hit2 - v("cache.l1.hit_cycles")
        origin(n * l1 * (2 * words + (v("cache.l1.write") == "through" ? 1 : 2) * more), "^processor of rank [1-9]")
        if (block) demand(N * n * lines * v("bus.slot"), "^bus of node 0$")   # stored to memory, past the caches
    }
    else if (block) {   # a line in, word by word, and out
        origin(n * (lines * v("dram.same_page_cycles") + (l1 - lines) * hit2 + l1 * (2 * words - hit)),
            "^processor of rank [1-9]")
        demand(N * n * lines * 2 * v("bus.slot"), "^bus of node 0$")
    } else {   # a line in, a line owned, a line back: its own bus slot comes before the next
        origin(n * (2 * lines * v("dram.same_page_cycles") + 2 * (l1 - lines) * hit2 + lines * v("bus.slot")),
            "^processor of rank [1-9]")
        demand(N * n * lines * 3 * v("bus.slot"), "^bus of node 0$")
    }
}

# Links between node 0 and that one, on a torus of three dimensions, the shorter way round.
function hops(node,   d, size, at, sum) {
    for (d = 1; d <= 3; d++) {
        size = side[d]
        at = node % size
        sum += min(at, size - at)
        node = int(node / size)
    }
    return sum
}
function hops_to(N,   i, sum) { for (i = 1; i <= N; i++) sum += hops(i); return sum }
function farthest(N,   i, most) { for (i = 1; i <= N; i++) most = max(most, hops(i)); return most }

# Words and lines through the annex, blocks by an engine.
function annex(kind, N, S, n,   words, lines, group, far, k) {
    words = S / 8; lines = S / v("wb.line"); k = v("ni.get_group")
    far = 2 * (farthest(N) - 1) * v("net.latency")
    group = k * v("ni.get_issue_cycles") + max(0, v("ni.get_round_cycles") - (k - 1) * v("ni.get_issue_cycles")) + \
        k * v("ni.get_pop_cycles")
    if (kind == "acc") {
        origin(n * (2 * v("ni.atomic") + v("ni.read_word_cycles") + v("ni.put_word_cycles")),
            "^processor of rank [1-9]")
        demand(N * n * (v("ni.atomic") + v("ni.read_word_cycles") + v("ni.put_word_cycles") + \
            2 * v("ni.latency") + 2 * (2 * hops_to(N) / N - 1) * v("net.latency")), "^lock of accumulates of rank 0$")
        return
    }
    if (kind == "put") {
        origin(n * (lines < 1 ? words * (v("ni.put_word_cycles") + 1 / v("cpu.clock")) : \
            lines * v("ni.put_line_cycles")),
            "^(processor of rank [1-9]|interface of node .*ing$)")
        demand(N * n * S / v("net.bandwidth"), "^interface of node 0, receiving$")
        return
    }
    if (S >= v("ni.block_bytes")) demand(n * S / v("ni.block_bandwidth"), "^block engine of node [1-9]")
    else if (words == 1) origin(n * (v("ni.read_word_cycles") + far), "^processor of rank [1-9]")
    else origin(n * (words / k * group + lines * v("wb.retire_cycles")), "^processor of rank [1-9]")
    demand(N * n * max(S, 8) / v("net.bandwidth"), "^interface of node 0, (sending|receiving)$")
}

# Interfaces that copy from memory to memory.
function rdma(kind, N, S, n) {
    origin(n * v("ni.overhead"), "^processor of rank [1-9]")
    if (kind == "acc") demand(N * n * v("ni.atomic"), "^atomic unit [0-9]+ of node 0$")
    demand(N * n * max(S / v("net.bandwidth"), v("net.gap")),
        "^interface of node [0-9]+, " (N > 1 ? (kind == "get" ? "(sending|receiving)$" : "receiving$") : ""))
}

# Messages that processors handle: eager up to move.eager_bytes; else a request, a go-ahead and the bytes.
function messages(kind, N, S, n,   both, done, ask, far, rate, send, receive, wire, early, turn) {
    far = max(0, N - (v(v("ranks_per_node") ? "ranks_per_node" : "cpus") - 1))   # the others are on the target's node
    rate = far > 0 ? v("net.bandwidth") : v("net.local_bandwidth")
    send = v("net.overhead_send") + v("net.kernel") + v("net.driver")
    receive = v("net.overhead_receive") + v("net.kernel") + v("net.driver") + v("net.interrupt")
    both = send + receive
    done = kind != "get" && v("net.ack") == "interface" ? receive + v("net.ack_overhead") : both
    ask = kind != "get" && S > v("move.eager_bytes")
    demand(N * n * (ask * both + done), "^processor of rank 0$")
    wire = max(S / v("net.bandwidth"), v("net.gap"))
    demand(far * n * (wire + (ask ? v("net.gap") : 0)), "^(interface of node [0-9]+, .*|processor of rank 0)$")
    demand((N - far) * n * S / v("net.local_bandwidth"), "^messages within node 0$")
    if (kind == "put" && !ask && S >= v("cache.l1.line"))   # the origin reads its bytes, then its interface has them
        origin(n * (send + S / rate + \
            S / v("cache.l1.line") * v("cache.l2.hit_cycles")),
            "^processor of rank [1-9]")
    # Requests are served as they arrive. Those of the target's own node are all there when their origins have made
    # their calls; of the others, one at a gap of the interface. What comes later is served, and sent, behind all these.
    early = min(far * n, (n * send + calls) / max((send + calls / n) / max(far, 1), v("net.gap")))
    turn = ((N - far) * n + early) * both + (far * n - early) * wire
    if (kind == "get" && far > 0 && N > far && turn > limit) {
        limit = turn; busy = far * n * wire; bottleneck = "^interface of node 0, sending$"
    }
}

# From one place of a torus's row to another, the shorter way: one more message on each link of the row, by direction.
function along(from, to, load,   size, d, i) {
    size = side[1]; d = (to - from + size) % size
    if (d <= size / 2) for (i = 0; i < d; i++) load["+", (from + i) % size]++
    else for (i = 0; i < size - d; i++) load["-", (from - i + size) % size]++
}
# The busiest link of the row in which the targets lie: a way follows its row first, so answers leave the row of their
# target where their origin's column is, and puts come along it only from the row itself.
function busiest(N, T, put, get,   load, t, o, l, most) {
    for (o = T; o < T + N; o++) for (t = 0; t < T; t++) {
        if (get) along(t, o % side[1], load)
        if (put && o < side[1]) along(o, t, load)
    }
    for (l in load) most = max(most, load[l])
    return most
}

# Several kinds, each at T targets: both directions of a target's interface are taken at once, a get's request meets
# the puts, and what takes an atomic unit is in no other's way.
function mixed(kinds, N, S, n, T,   put, get, acc, wire, ask, at, send, receive, done) {
    put = kinds ~ /put/; get = kinds ~ /get/; acc = kinds ~ /acc/
    at = "node [0-" (T - 1) "]"
    wire = max(S / v("net.bandwidth"), v("net.gap"))
    ask = max(8 / v("net.bandwidth"), v("net.gap"))
    demand(N * n * (put * wire + (get + acc) * ask), "^interface of " at ", receiving$")
    demand(N * n * (get * wire + (put + acc) * v("net.gap")), "^interface of " at ", sending$")
    if (side[1]) demand(busiest(N, T, put, get) * n * wire, "^link [-+]x of node [0-9]+$")
    if (v("serve.policy") == "ni") {
        if (acc) demand(N * n * v("ni.atomic"), "^atomic unit [0-9]+ of " at "$")
        return
    }
    send = v("net.overhead_send"); receive = v("net.overhead_receive")
    done = receive + (v("net.ack") == "interface" ? v("net.ack_overhead") : send)
    demand(N * n * (put * done + get * (send + receive)), "^processor of rank [0-" (T - 1) "]$")
}

BEGIN {
    factor["ns"] = 1e-9; factor["us"] = 1e-6; factor["ms"] = 1e-3; factor["ps"] = 1e-12
    factor["KiB"] = 1024; factor["MiB"] = 1048576; factor["GiB"] = 1073741824
    factor["kBps"] = 1e3; factor["MBps"] = 1e6; factor["GBps"] = 1e9; factor["MHz"] = 1e6; factor["GHz"] = 1e9
}
$1 == "nodes" && match($0, /[0-9]+ x [0-9]+ x [0-9]+/) { split(substr($0, RSTART, RLENGTH), side, " x ") }
$1 == "cpu.clock" { value[$1] = number($2) }
$1 ~ /^[a-z0-9_]+(\.[a-z0-9_]+)*$/ && $1 !~ /^(put|get|acc)$/ { text[$1] = $2; next }
$1 ~ /^(put|get|acc)($|\+)/ {
    if (!ready++) for (key in text) value[key] = text[key] ~ /^[0-9]/ ? number(text[key]) : text[key]
    limit = 0; calls = $4 * v("mpi.call")
    if ($5 > 1) mixed($1, $2, $3, $4, $5)
    else if (v("pool.latency") > 0) pool($1, $2, $3, $4)
    else if (v("move.put") == "loadstore") loadstore($1, $2, $3, $4)
    else if (v("ni.put_word_cycles") > 0) annex($1, $2, $3, $4)
    else if (v("serve.policy") == "ni") rdma($1, $2, $3, $4)
    else messages($1, $2, $3, $4)
    printf "%.9g %.3f %s\n", limit, busy / limit, bottleneck
}

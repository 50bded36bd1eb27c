# Blocks of a kernel in the dump of gcc's second scheduling pass: see ../schedule. Variables: machine (t3d or smp),
# row, run (the kernel's function), elements (of all its calls).
# A function called that is not in the file, or an operation that gcc has no time of, has a line, its block "library
# NAME", if it is executed once in 100 elements.

# Cycles until the next operation can use what this one makes.
function latency(text, target, source,    fp) {
    fp = target ~ /^[$%]f/ && target !~ /^%fp/
    if (source ~ /\[/) return machine == "t3d" ? 3 : 2
    if (fp && source ~ /sqrt/) return machine == "t3d" ? 0 : 22
    if (fp && source ~ /\//) return machine == "t3d" ? 63 : 22
    if (fp) return machine == "t3d" ? 4 : source ~ /^[$%]f[0-9]*$/ ? 1 : 3
    if (source ~ /\*/) return machine == "t3d" ? 23 : 1
    if (source ~ /<<|>>|\{/) return machine == "t3d" ? 2 : 1
    return 1
}
# Cycles by which one pass through the block delays the next: passes until that is steady.
function chain_of(f, b,    k, i, n, part, at, target, source, there, begun, first, last, left, most) {
    delete there
    for (k = 1; k <= 20; k++) {
        most = 0
        for (i = 1; i <= texts[f, b]; i++) {
            at = index(text[f, b, i], "=")
            if (!at) continue
            target = substr(text[f, b, i], 1, at - 1); source = substr(text[f, b, i], at + 1)
            begun = 0; left = source (target ~ /\[/ ? target : "")
            while (match(left, /[$%][a-z]*[0-9]+/)) {
                n = substr(left, RSTART, RLENGTH); left = substr(left, RSTART + RLENGTH)
                if (there[n] > begun) begun = there[n]
            }
            if (target ~ /^[$%][a-z]*[0-9]+$/) there[target] = begun + latency(text[f, b, i], target, source)
            if (begun > most) most = begun
        }
        if (k == 10) first = most
        last = most
    }
    return int((last - first) / 10 + 0.5)
}
function called(f, b, name) { call[f, ++calls[f]] = name; place[f, calls[f]] = b }
function reach(f,    i) {
    if (f in reached || !(f in is)) return
    reached[f] = 1
    for (i = 1; i <= calls[f]; i++) reach(call[f, i])
}
/^;; Function / {
    f = $3; is[f] = 1; blocks[f] = 0
    next
}
/^;;   -- basic block / { b = $5; texts[f, b] = 0; listing = 1; next }
/Ready list/ { listing = 0 }
listing && /^;;[ \t]*\|[ \t]*[0-9]+ \|/ {
    line = $0; sub(/^[^|]*\|[^|]*\|[^|]*\| */, "", line); gsub(/ /, "", line)
    text[f, b, ++texts[f, b]] = line
    if (line ~ /call/ && match(line, /`[^']*'/)) called(f, b, substr(line, RSTART + 1, RLENGTH - 2))
    if (machine == "smp" && line ~ /=(%[gloi][0-9][*\/]|u?div|[zs]xn\(%[gloi][0-9][*\/])/)
        called(f, b, line ~ /\*/ ? "multiplication" : "division")
    if (machine == "t3d" && line ~ /(mod|div)\(|\$[0-9]+[\/%]\$[0-9]/) called(f, b, "division")
    next
}
/^;;   total time =/ { cycles[f, b] = $NF + 1; next }
/^;; basic block [0-9]+, loop depth/ {
    b = $4 + 0; block[f, ++blocks[f]] = b
    count[f, b] = match($0, /count [0-9]+/) ? substr($0, RSTART + 6, RLENGTH - 6) : 0
    in_succ = 0
    next
}
/^;;  succ:/ { in_succ = 1; if ($3 == b) loop[f, b] = 1; next }
/^;;   +[0-9]+ \[/ { if (in_succ && $2 == b) loop[f, b] = 1; next }
!/^;;/ { in_succ = 0 }
END {
    reach(run)
    for (f in reached) {
        for (i = 1; i <= calls[f]; i++)
            if (!(call[f, i] in is) && count[f, place[f, i]] * 100 >= elements && !said[call[f, i]]++)
                print machine, row, f, "library " call[f, i], count[f, place[f, i]], 0, 0, elements
        for (i = 1; i <= blocks[f]; i++) {
            b = block[f, i]
            if (count[f, b] > 0 && cycles[f, b])
                print machine, row, f, b, count[f, b], cycles[f, b], loop[f, b] ? chain_of(f, b) : 0, elements
        }
    }
}
BEGIN { OFS = "," }

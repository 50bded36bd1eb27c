# What the generators of manual pages share: plain text in, mdoc(7) out.
function mdoc_escape(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    if (s ~ /^[.']/) s = "\\&" s
    return s
}
function mdoc_wrap(s,    at, out) {
    while (length(s) > 78) {
        for (at = 78; at > 40 && substr(s, at, 1) != " "; at--) ;
        if (substr(s, at, 1) != " ") break
        out = out mdoc_escape(substr(s, 1, at - 1)) "\n"
        s = substr(s, at + 1)
    }
    return out mdoc_escape(s) "\n"
}
# A paragraph: each sentence begins a line.
function mdoc_text(s,    at, out) {
    gsub(/[ \t\n]+/, " ", s)
    sub(/^ /, "", s)
    sub(/ $/, "", s)
    while (match(s, /[A-Za-z0-9)'">?][.?] +[-`'"<A-Z(]/)) {
        at = RSTART + 1
        out = out mdoc_wrap(substr(s, 1, at))
        s = substr(s, at + 1)
        sub(/^ +/, "", s)
    }
    return out (s == "" ? "" : mdoc_wrap(s))
}
function mdoc_literal(s) { return ".Bd -literal\n" s ".Ed\n" }
function mdoc_head(name, section, about, date) {
    print ".\\\" Generated when Sidewinder is built: do not edit."
    print ".Dd " date
    print ".Dt " toupper(name) " " section
    print ".Os"
    print ".Sh NAME"
    print ".Nm " name
    print ".Nd " mdoc_escape(about)
}

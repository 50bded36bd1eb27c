# The key list of sidewinder-machine(5), from `sidewinder machines --keys`: after mdoc.awk; the page is the first file.
FNR == NR { page[++lines] = $0; next }
/^[^ ]/ { keys = keys ".It Va " mdoc_escape($0) "\n"; next }
{ sub(/^ +/, ""); keys = keys (/^(a|an|one of|yes,|cycles|time) .*default/ ? ".br\n" : "") mdoc_text($0) }
END {
    for (i = 1; i <= lines; i++) {
        if (page[i] == "@KEYS@") printf "%s", keys
        else { sub(/@DATE@/, date, page[i]); sub(/@PREFIX@/, to, page[i]); print page[i] }
    }
}

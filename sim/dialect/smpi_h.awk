# What the generators share, given to awk behind each: <smpi.h> is read, and declared(type, call, args) called for every
# MPI_CALL(XBT_PUBLIC type, MPI_X, (arguments)); over one or more lines.

function die(what) { print "generate.awk: " what > "/dev/stderr"; failed = 1; exit 1 }
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }

/^MPI_CALL\(/ { statement = ""; open = 1 }
open {
    statement = statement " " $0
    if ($0 ~ /\)\);/) { open = 0; declaration(statement) }
}

function declaration(text,   head, type, call, args) {
    gsub(/[ \t\n]+/, " ", text)
    if (!match(text, /MPI_CALL\(XBT_PUBLIC [^,]*, MPI_[A-Za-z0-9_]+, ?\(/)) die("cannot read: " text)
    head = substr(text, RSTART, RLENGTH)
    args = substr(text, RSTART + RLENGTH)
    sub(/\)\);.*$/, "", args)
    sub(/^MPI_CALL\(XBT_PUBLIC /, "", head)
    type = trim(substr(head, 1, index(head, ",") - 1))
    call = substr(head, index(head, ",") + 1)
    sub(/,.*$/, "", call)
    declared(type, trim(call), args)
}

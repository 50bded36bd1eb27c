# Writes dialect_beside.c: what each call of MPI loads and stores beside its buffers, as beside.def says, by the words
# of its arguments; in C, and in Fortran, where all arguments are addresses and the code comes last.
#
#   awk -f beside.awk -f ../smpi_h.awk beside.def calls.def mpi_large.h mpi_newer.h smpi.h

BEGIN {
    print "/* Written by beside.awk from smpi.h and beside.def: do not edit. */"
    print "#include \"dialect/beside.h\"\n"
}

FILENAME ~ /calls\.def$/ { if ($1 == "local") for (i = 2; i <= NF; i++) pattern[++patterns] = "^" $i "$"; next }

FILENAME ~ /beside\.def$/ {
    if ($0 ~ /^#/ || NF == 0) next
    if ($1 == "local") { for (i = 2; i <= NF; i++) pattern[++patterns] = "^" $i "$"; next }
    from = 1
    if (!/^ /) {
        names = behind = 0
        for (; $from != ":"; from++) {
            if (from > NF) die(FILENAME ":" FNR ": neither local nor a row")
            name[++names] = $from
            known[$from] = 1
        }
        from++
    }
    for (; from <= NF; from++) {
        if ($from == "=>") { behind = 1; continue }
        for (i = 1; i <= names; i++) row[name[i], behind] = row[name[i], behind] " " $from
    }
    next
}

# Our headers: "int MPI_X(arguments);", on as many lines as it takes
FILENAME ~ /mpi_(large|newer)\.h$/ {
    if ($0 !~ /^int MPI_[A-Za-z_]+\(/) next
    text = substr($0, 5)
    while (text !~ /\);/ && (getline more) > 0) text = text more
    gsub(/[ \t]+/, " ", text)
    call = substr(text, 1, index(text, "(") - 1)
    args = substr(text, index(text, "(") + 1)
    sub(/\);.*$/, "", args)
    declared("int", call, args)
    next
}

function is_local(call,   i) {
    sub(/_c$/, "", call)
    for (i = 1; i <= patterns; i++) if (call ~ pattern[i]) return 1
    return 0
}

# The arguments: type[i] of what the i-th is or points to, points[i], word[i], constant[i]
function take(args, part,   n, i, a) {
    n = args ~ /^ *(void)? *$/ ? 0 : split(args, part, ",")
    for (i = 1; i <= n; i++) {
        a = part[i]
        constant[i] = gsub(/const /, "", a)
        triple[i] = sub(/\[\]\[3\]/, "", a)
        points[i] = gsub(/\*/, " ", a) + gsub(/\[\]/, "", a) + triple[i]
        a = trim(a)
        match(a, /[A-Za-z_0-9]+$/)
        word[i] = substr(a, RSTART)
        type[i] = trim(substr(a, 1, RSTART - 1))
    }
    return n
}

# Points to one thing that the call gives
function gives(call, i,   w) {
    w = word[i]
    if (points[i] != 1 || constant[i]) return 0
    if (type[i] == "MPI_Status") return w != "statuses"
    if (type[i] !~ /^(int|MPI_(Aint|Count|Comm|Group|Request|Op|Info|Errhandler|Datatype|Win|Message))$/) return 0
    return w !~ /^(arg[cv]|array_.*|dims|periods|coords|edges|indices|neighbors|requests|sources|destinations)$/ &&
           w !~ /^(.*weights|ranks2|count_send)$/
}

function is_handle(t) { return t ~ /^MPI_(Comm|Group|Request|Op|Info|Errhandler|Datatype|Win|Message)$/ }

# Is the argument one that the row names?
function has(text, w) { return match(" " text " ", "[^A-Za-z_0-9]" w "[^A-Za-z_0-9]") }

function declare(i, fortran, old,   t, at) {
    t = type[i]; at = "word[" i - 1 "]"
    if (fortran && t == "MPI_Aint" && old) t = "int"
    if (triple[i]) return "    int(*" word[i] ")[3] = (int(*)[3])" at ";"
    if (points[i]) {
        if (fortran && is_handle(t)) t = "MPI_Fint"
        if (t == "void") t = "char"
        if (fortran && t == "char") return "    char *" word[i] " = dialect_beside_buffer(" at ");"
        return "    " t " *" word[i] " = (" t " *)" at ";"
    }
    if (!fortran) return "    " t " " word[i] " = (" t ")" at ";"
    if (t == "MPI_Comm") return "    MPI_Comm " word[i] " = dialect_beside_comm(" at ");"
    if (is_handle(t)) return "    MPI_Fint " word[i] " = *(MPI_Fint *)" at ";"
    return "    " t " " word[i] " = *(" t " *)" at ";"
}

# One side of a row: statements
function touch(text, verb, fortran,   n, item, k, star, out, w) {
    if (fortran) gsub(/TEXT\([a-z]*\)/, "1", text)   # no null behind it
    n = split(text, item, " ")
    for (k = 1; k <= n; k++) {
        star = index(item[k], "*")
        w = star ? substr(item[k], 1, star - 1) : item[k]
        out = out "        " verb "(" w ", " (star ? substr(item[k], star + 1) : 1) ");\n"
    }
    return out
}

function one(call, n, fortran,   i, loads, stores, used, old, like) {
    like = call
    if (!(like in known)) sub(/_c$/, "", like)
    loads = row[like, 0]; stores = row[like, 1]; used = loads stores
    for (i = 1; i <= n; i++) {
        if (has(row[like, 0] row[like, 1], word[i]) && (row[like, 0] row[like, 1]) ~ ("(^| )" word[i] "( |\\*|$)"))
            continue
        if (type[i] == "MPI_Status" && constant[i] && points[i] == 1) loads = loads " " word[i]
        else if (gives(like, i)) stores = stores " " word[i]
    }
    used = loads stores
    old = call ~ /^MPI_(Address|Type_(extent|lb|ub|hvector|hindexed|struct))$/
    loads = touch(loads, "LOAD", fortran); stores = touch(stores, "STORE", fortran)
    if (fortran) {
        for (i = 1; i <= n; i++)
            if (!points[i] && type[i] ~ /^(int|MPI_.*)$/ && type[i] !~ /_(function|fn)$/)
                loads = loads "        NUMBER(" i - 1 ");\n"
        stores = stores "        CODE(" n ");\n"
    }
    if (loads stores == "") return ""
    print "static void " (fortran ? "f_" : "c_") call "(const uintptr_t *word, bool over)\n{"
    for (i = 1; i <= n; i++) if (has(used, word[i])) print declare(i, fortran, old)
    if (loads != "") print "    if (!over) {\n" loads "    }"
    if (stores != "") print "    if (over) {\n" stores "    }"
    print "}"
    table = table "    {\"" (fortran ? tolower(call) "_" : call) "\", \"" call "\", " is_local(call) ", " \
            (fortran ? "f_" : "c_") call "},\n"
}

function declared(kind, call, args,   n, part) {
    if (kind != "int" || call ~ /^MPI_(Init|Init_thread|Pcontrol|T_.*|File_.*|Comm_spawn.*|Session_.*)$/) return
    if (call in seen) return   # by our headers first: SimGrid 4 declares some of their calls, too
    sub(/,? *\.\.\.$/, "", args)
    n = take(args, part)
    if (n > 13) die(call " has more arguments than are noted")
    seen[call] = 1
    one(call, n, 0)
    if (call !~ /_c$|_(c2f|f2c)$|keyval|errhandler|_attr|Attr_|Op_create|Grequest|Register/) one(call, n, 1)
}

END {
    if (failed) exit 1
    for (call in known) if (!(call in seen)) die(call " has a row and no header declares it")
    print "\nconst struct world_beside_row dialect_beside[] = {\n" table "    {NULL, NULL, false, NULL}};"
}

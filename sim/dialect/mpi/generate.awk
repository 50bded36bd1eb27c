# Writes dialect_pass.c: MPI_X around PMPI_X, for every call <smpi.h> declares and no file of the dialects defines.
#
#   awk -f generate.awk -f ../smpi_h.awk FILE.c ... calls.def smpi.h > dialect_pass.c
#
# A call is inside MPI from world_enter to world_leave; calls.def says which calls need less, and which load and store
# buffers. PMPI calls no error handler: dialect_refused does.

BEGIN {
    answered = "^MPI_(Finalized|Query_thread|Get_version|Get_library_version|Error_class)$"   # of threads, too
    print "/* Written by generate.awk from smpi.h and calls.def: do not edit. */"
    print "#include \"dialect/mpi/hooks/hooks.h\"\n#include \"dialect/mpi/message/between.h\""
    print "#include \"dialect/mpi/message/message.h\"\n#include \"dialect/mpi/topology/topology.h\"\n"
    print "#define read(...) dialect_read(&call, __VA_ARGS__)"
    print "#define write(...) dialect_write(&call, __VA_ARGS__)"
    print "#define got(...) dialect_got(&call, __VA_ARGS__, status)"
    print "#define readv(...) dialect_readv(&call, __VA_ARGS__)"
    print "#define writev(...) dialect_writev(&call, __VA_ARGS__)"
    print "#define readw(...) dialect_readw(&call, __VA_ARGS__)"
    print "#define writew(...) dialect_writew(&call, __VA_ARGS__)"
    print "#define sends(...) dialect_sent(&call, __VA_ARGS__, false)"
    print "#define ssends(...) dialect_sent(&call, __VA_ARGS__, true)"
    print "#define delivered(...) dialect_delivered(&call, __VA_ARGS__, false)"
    print "#define sdelivered(...) dialect_delivered(&call, __VA_ARGS__, true)"
    print "#define leaves(...) dialect_leaves(&call, __VA_ARGS__)"
    print "#define receives(src, tag) \\"
    print "    (call.any = (src) == MPI_ANY_SOURCE, dialect_receives(call.rank, call.comm, src, tag))"
    print "#define met_by(...) dialect_met_by(call.rank, call.comm, __VA_ARGS__)"
    print "#define starts(...) dialect_starts(&call, __VA_ARGS__)"
    print "#define reduces(op) dialect_reduces(&call, op)"
    print "#define meet(...) dialect_meet(&call, __VA_ARGS__)"
    print "#define takes(counts) dialect_takes(&call, counts)"
    print "#define either(buf, other) ((buf) == MPI_IN_PLACE ? (const void *)(other) : (buf))"
    print "#define between(name, request, root) &(struct dialect_between){r, #name, comm, request, root}"
    print "#define one(b, n, t) &(struct dialect_blocks){.buf = b, .count = n, .type = t}"
    print "#define some(b, n, d, t) &(struct dialect_blocks){.buf = b, .counts = n, .displs = d, .type = t}"
    print "#define any(b, n, d, t) &(struct dialect_blocks){.buf = b, .counts = n, .displs = d, .types = t}"
    print "#define at dialect_at"
    print "#define made(new) \\"
    print "    (dialect_comm_made(call.rank, *(new)), dialect_inherits_handler(call.comm, *(new)))"
    print "#define N dialect_size_of(comm)"
    print "#define ME dialect_rank_in(comm)"
}

# ---- what the dialect defines itself
FILENAME ~ /\.c$/ {
    if ($0 ~ /^[A-Za-z]/ && $0 !~ /^static|^#|^typedef/ &&
        match($0, /MPI_[A-Za-z0-9_]+\(/)) own[substr($0, RSTART, RLENGTH - 1)] = 1
    if (match($0, /^NEIGHBOUR\([a-z]+,/)) {   # topology/neighbour.c: two calls
        call = substr($0, RSTART + 10, RLENGTH - 11)
        own["MPI_Neighbor_" call] = own["MPI_Ineighbor_" call] = 1
    }
    next
}

# ---- calls.def
FILENAME ~ /calls\.def$/ {
    if ($0 ~ /^#/ || NF == 0) next
    if ($1 == "local") { for (i = 2; i <= NF; i++) pattern[++patterns] = "^" $i "$"; next }
    if (!/^ /) goes_on = replaces = ""
    if (replaces != "") { instead[replaces] = instead[replaces] " " trim($0); next }
    if ($1 == "instead") { replaces = $2; sub(/^instead [^ ]+ /, ""); instead[replaces] = $0; next }
    if (goes_on != "") { between[goes_on] = between[goes_on] " " trim($0); next }
    if ($1 == "between") { goes_on = $2; sub(/^between [^ ]+ /, ""); between[goes_on] = $0; next }
    if ($1 == "ordered") { call = $2; sub(/^ordered [^ ]+ /, ""); ordered[call] = $0; next }
    if ($0 ~ /^ /) row = row " " trim($0)   # the row goes on
    else {
        colon = index($0, " : ")
        if (!colon) die(FILENAME ":" FNR ": neither local nor a row")
        row = " " substr($0, colon + 3)
        names = split(substr($0, 1, colon), name, " ")
    }
    arrow = index(row, "=>")
    for (i = 1; i <= names; i++) {
        before[name[i]] = trim(arrow ? substr(row, 1, arrow - 1) : row)
        after[name[i]] = arrow ? trim(substr(row, arrow + 2)) : ""
        rows[name[i]] = 1
    }
    next
}

FILENAME ~ /\.def$/ { next }   # lists of another kind

# ---- smpi.h (smpi_h.awk)
# SMPI stores through some null pointers: flags, numbers and handles that a call gives back.
function no_null(call, args, comm,   n, part, i, word, class) {
    n = split(args, part, ",")
    for (i = 1; i <= n; i++) {
        if (part[i] ~ /const/ || part[i] !~ \
            /^ *(int|MPI_Aint|MPI_Count|MPI_(Comm|Group|Request|Op|Info|Errhandler|Datatype)) ?\* ?[a-z_]+ *$/) continue
        word = given(part[i])
        if (word == "") continue
        class = match(part[i], /MPI_(Comm|Group|Request|Op|Info)/) ? toupper(substr(part[i], RSTART + 4, RLENGTH - 4)) \
                : part[i] ~ /Datatype/ ? "TYPE" : "ARG"
        print "    if (!" word ") return dialect_null(\"" call "\", DIALECT_PC, " comm ", MPI_ERR_" class ","
        print "                                       \"" word "\");"
    }
}
# The argument's name, if it points to one thing that the call gives back; otherwise "".
function given(argument,   word) {
    match(argument, /[a-z_]+ *$/)
    word = trim(substr(argument, RSTART))
    return word ~ /s$|^(arg[cv]|count_send|array_.*|coords|result)$/ && word !~ /^(nkeys|ndims|status)$/ ? "" : word
}

function is_local(call,   i) {
    for (i = 1; i <= patterns; i++) if (call ~ pattern[i]) return 1
    return 0
}

function declared(type, call, args,   n, part, i, names, comm, request, status, list, identifier) {
    seen[call] = 1
    if (call in own) return
    if (args ~ /\.\.\./) die(call " takes a variable number of arguments: define it by hand")
    comm = "MPI_COMM_NULL"; request = "NULL"; status = 0; list = ""
    n = args == "void" ? 0 : split(args, part, ",")
    for (i = 1; i <= n; i++) {
        identifier = part[i]
        gsub(/\[[^\]]*\]/, "", identifier)
        match(identifier, /[A-Za-z_0-9]+ *$/)
        identifier = trim(substr(identifier, RSTART))
        list = list (i > 1 ? ", " : "") identifier
        if (comm == "MPI_COMM_NULL" && part[i] ~ /^ *MPI_Comm [a-z]/) comm = identifier
        if (part[i] ~ /MPI_Request ?\* ?request$/) request = identifier
        if (part[i] ~ /MPI_Status ?\* ?status$/) status = 1
    }
    write(type, call, args, list, comm, request, status)
}

# A rank among the arguments, where it is to be changed.
function peer(list, names) {
    return match(", " list ",", ", (" names "),") ? "&" substr(", " list ",", RSTART + 2, RLENGTH - 3) : "NULL"
}

function write(type, call, args, list, comm, request, status,   pmpi, n, part, i, across) {
    pmpi = "P" call "(" list ")"
    print "\n" type " " call "(" trim(args) ")\n{"
    if (type == "int" && call !~ /^MPI_File_|^MPI_(Init|Query_thread|Finalized)/) no_null(call, args, comm)
    if (type == "int" && call ~ /^MPI_File_/ && !is_local(call)) {   # call/file.c
        n = split(list, part, ", ")
        for (i = 1; i <= n; i++) print "    (void)" part[i] ";"
        print "    return dialect_no_file(\"" call "\", DIALECT_PC);\n}"
        return
    }
    if (is_local(call)) {
        if (call in rows) die(call " is local and has a row")
        if (type == "int") {
            print "    const uintptr_t pc = DIALECT_PC;"
            if (call !~ answered)
                print "    if (dialect_in_thread(\"" call "\", pc)) return MPI_ERR_OTHER;"
            print "    struct mem_cpu *self = world_away();\n    int code = " pmpi ";\n    world_back(self);"
            print "    return code == MPI_SUCCESS ? code"
            print "                               : dialect_refused_outside(pc, " comm ","
            print "                                                         \"" call "\", code);\n}"
        } else {
            print "    struct mem_cpu *self = world_away();\n    " type " code = " pmpi ";\n    world_back(self);"
            print "    return code;\n}"
        }
        return
    }
    print "    struct world_rank *r = world_enter(\"" call "\", DIALECT_PC);"
    print "    DIALECT_NO_THREAD(r);\n    if (!r) return " pmpi ";"
    across = call ~ /^MPI_(I?[SBRbsr]?[Ss]end|Recv|Sendrecv|Sendrecv_replace|[SBR]?[Ss]end_init)$/
    if (across) {
        print "    const MPI_Comm given = " comm ";"
        print "    int refused, shift = dialect_across(r, &" comm ", \"" call "\", " \
              peer(list, "dst|dest") ", " peer(list, "src|source") ", &refused);"
        print "    if (shift < 0) return refused;"
        comm = "given"
    } else if (call in between) {
        print "    if (dialect_inter_of(r, " comm ")) {\n        int code = " between[call] ";"
        print "        world_leave(r);\n        return code;\n    }"
    } else if (comm != "MPI_COMM_NULL" && type == "int")
        print "    int refused;\n    if (dialect_inter_refuses(r, " comm ", \"" call "\", &refused)) return refused;"
    if (call in rows) {
        print "    struct dialect_call call = {.rank = r, .name = \"" call "\", .comm = " (across ? "comm" : comm) ","
        print "                                .request = " request "};"
        if (after[call] ~ /got\(/) {
            if (!status) die(call ": got needs a status")
            print "    MPI_Status ours;\n    if (status == MPI_STATUS_IGNORE) status = &ours;"
        }
        if (before[call] != "") print "    " before[call] "\n    world_settle(r);"
        no_bytes(args)
    }
    if ((call in rows) && request != "NULL") print "    dialect_hold_places(r);"
    if (call in instead) pmpi = instead[call] (instead[call] ~ /\(/ ? "" : "(" list ")")
    if (call in ordered) pmpi = "dialect_in_order(&call, op, datatype) ? " ordered[call] " : " pmpi
    print "    " type " code = " pmpi ";"
    if (type == "int") print "    if (code != MPI_SUCCESS) code = dialect_refused(r, " comm ", \"" call "\", code);"
    if ((call in rows) && after[call] != "") {
        print "    else {"
        if (before[call] ~ /meet\(CHECK_FROM_ROOT/) print "        dialect_root_came(&call);"
        print "        " after[call] "\n    }"
    }
    if (across && status) print "    if (code == MPI_SUCCESS) dialect_came_across(status, shift);"
    if ((call in rows) && before[call] ~ /meet\(/) print "    dialect_met(&call);"
    if ((call in rows) && request != "NULL" && call !~ /_init$/)
        print "    if (code == MPI_SUCCESS) dialect_holds(&call, " \
              (call == "MPI_Issend" ? "dest, tag" : "MPI_PROC_NULL, 0") ");"
    print "    world_leave(r);\n    return code;\n}"
}

# Elements of no bytes: SMPI divides by their size, so it is given none. Reductions are left alone.
function no_bytes(args,   n, part, word, i, k) {
    if (args ~ /MPI_Op|tag|position/) return
    n = split(args, part, ",")
    for (i = 2; i <= n; i++) {
        if (part[i] !~ /^ *MPI_Datatype [a-z_]+$/) continue
        k = part[i - 1] ~ /^ *int [a-z_]+$/ ? i - 1 : i - 2
        if (k < 1 || part[k] !~ /int/) continue
        split(trim(part[i]), word, " ")
        gsub(/\[\]/, "", part[k])
        match(part[k], /[a-z_]+ *$/)
        print "    if (dialect_no_bytes(" word[2] ")) " trim(substr(part[k], RSTART)) " = " \
              (k == i - 1 ? "0" : "dialect_no_counts()") \
              ", " word[2] " = MPI_BYTE;"
    }
}

END {
    if (failed) exit 1
    for (call in rows) if (!(call in seen)) die(call " has a row but smpi.h does not declare it")
    for (call in instead) if (!(call in rows)) die(call " has something instead and has no row")
    for (call in between) if (!(call in seen)) die(call " goes between groups and smpi.h does not declare it")
    for (call in ordered) if (!(call in rows)) die(call " is ordered and has no row")
    for (call in rows) if (call in own) die(call " has a row but is defined by hand")
}

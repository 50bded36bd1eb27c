# Writes dialect_fortran.c: mpi_x_, MPI_X as Fortran calls it (MPI-2 2.6.2), for every call <smpi.h> or a header of
# ours declares and no file here defines.
#
#   nm -D --defined-only libsimgrid.so | awk -v folder=INCLUDE/ -f generate.awk -f ../smpi_h.awk - FILE.c ... \
#       dialects.i smpi.h > dialect_fortran.c
#
# Left out: those of sessions, of tools, and calls with large counts.
#
# Calls on windows are translated: SMPI would take our handles for its own. So are calls that make a communicator, and
# those of the dialects (dialects.i: our headers, preprocessed). The others are SMPI's bindings, which come back to our
# MPI_X; each only notes the program's line first. What SMPI has no binding for is undefined here, too.

BEGIN {
    print "/* Written by generate.awk from smpi.h and the headers of the dialects: do not edit. */"
    print "#include \"dialect/fortran/fortran.h\""
}

FILENAME == "-" || FILENAME == "" { smpi[$NF] = 1; next }

FILENAME ~ /\.c$/ {
    if (/^[A-Z]/ && match($0, /[a-z]+_[a-z0-9_]+_[,(]/)) own[substr($0, RSTART, RLENGTH - 1)] = 1
    next
}

# ---- the dialects' headers: "int X_Call (arguments);", on as many lines as it takes
FILENAME ~ /\.i$/ {
    if ($1 == "#" && $2 ~ /^[0-9]+$/) {
        match($0, /"[^"]*"/)
        header = substr($0, RSTART, RLENGTH)
        ours = index(header, "\"" folder) == 1 && header !~ /\/mpi_(large|tool)\.h"/
        sub(/^.*\//, "\"", header)
    }
    if (!ours || !match($0, /^int [A-Z]+_[A-Za-z_]+ *\(/)) next
    call = substr($0, 5, RLENGTH - 5); gsub(/ /, "", call)
    if ((name = tolower(call) "_") in own || call ~ /_[Ss]ession_|_from_group$/) next
    if (met[name]++) next   # a header that others include
    if (!included[header]++) print "\n#include " header
    args = substr($0, RSTART + RLENGTH)
    while (args !~ /\);/ && (getline more) > 0) args = args more
    sub(/\);.*$/, "", args); gsub(/\* /, "*", args); gsub(/  +/, " ", args)
    translate(call, name, split(args, part, ","), part)
    next
}

function declared(type, call, args,   n, part, name) {
    name = tolower(call) "_"
    if (name in own || call ~ /_(c2f|f2c)$/) return
    n = args == "void" ? 0 : split(args, part, ",")
    if (args ~ /MPI_Win[ *]/ || name in smpi && (makes_comm(call, args) || spells(call)) ||
        !(name in smpi) && lacks(call))
        translate(call, name, n, part)
    else if (name in smpi) pass(type, call, name, n, part)
}

# SMPI's bindings crash where the new communicator is MPI_COMM_NULL, and free one behind our back.
function makes_comm(call, args) {
    return args ~ /MPI_Comm ?\*/ && args !~ /char ?\*/
}

# What SMPI has neither a binding for nor, in part, an MPI_X. Datatypes of neighbours are as many as those: each.c.
function lacks(call) {
    return call ~ /^MPI_(Type_(size|get_extent|get_true_extent)|Get_elements|Status_set_elements)_x$/ ||
           call ~ /^MPI_(Dist_graph_.*|(N|In)eighbor_all(gatherv?|toallv?)|(M|Im)(probe|recv)|Comm_idup)$/
}

# Strings are as long as the variables that hold them: SMPI's bindings take the length for that of the longest there is.
function spells(call) {
    return call ~ /_[gs]et_name$/ || call ~ /^MPI_(Unp|P)ack_external/ ||
           call ~ /^MPI_((Add_e|E)rror_string|Get_processor_name|Get_library_version)$/
}

# ---- SMPI's binding: as many words as the call has arguments, the code, and the lengths of strings. Several write to
# MPI_STATUS_IGNORE, a variable of 4 bytes: it gets a status of ours. Not all know MPI_BOTTOM and MPI_IN_PLACE.
function pass(type, call, name, n, part,   i, strings, list, words, result, status, buffers) {
    if (call == "MPI_Init") n = 0
    if (call == "MPI_Init_thread") n = 2
    if (call == "MPI_Pcontrol") n = 1
    for (i = 1; i <= n; i++) {
        if (part[i] ~ /^ *(const )?void ?\* ?[a-z]*(buf|buffer)$/)
            buffers = buffers "    a" i " = dialect_fortran_buffer(a" i ");\n"
        if (part[i] ~ /char ?\*/) strings++
        if (part[i] ~ /MPI_Status ?(\*|status\[)/ && part[i] !~ /const/) {
            several = part[i] ~ /statuses|\[/
            status = several ? "    g_autofree MPI_Status *ours = a" i " == (void *)mpi_statuses_ignore_ ? " \
                               "g_new(MPI_Status, MAX(*(int *)a1, 1)) : NULL;\n    if (ours) a" i " = ours;" \
                             : "    MPI_Status ours;\n    if (a" i " == (void *)mpi_status_ignore_) a" i " = &ours;"
        }
    }
    if (type == "int") n++
    for (i = 1; i <= n + strings; i++) {
        list = list (i > 1 ? ", " : "") (i > n ? "size_t" : "void *") " a" i
        words = words (i > 1 ? ", " : "") "a" i
    }
    if (list == "") list = "void"
    result = type == "int" ? "void" : type
    print "\nDIALECT_BINDING " result " " name "(" list ");"
    print result " " name "(" list ")\n{"
    print "    static " result " (*smpi)(" list ");"
    print "    if (!smpi) *(void **)&smpi = dialect_fortran_binding(\"" name "\");"
    # Absent: OPTIONAL in mpi_f08; MPI_PCONTROL has none at all.
    if (type == "int")
        print "    int absent;\n    " (call == "MPI_Pcontrol" ? "" : "if (!a" n ") ") "a" n " = &absent;"
    if (status) print status
    printf "%s", buffers
    print "    dialect_fortran_pc = DIALECT_HERE;"
    print "    " (type == "int" ? "" : type " value = ") "smpi(" words ");"
    print "    dialect_fortran_pc = 0;"
    # "Sets the handle to MPI_x_NULL": SMPI's bindings do not.
    if (call ~ /^MPI_(Comm|Type|Op|Group|Request|Errhandler|Info)_(free|disconnect)$/)
        print "    if (*(int *)a2 == MPI_SUCCESS) *(MPI_Fint *)a1 = DIALECT_FORTRAN_NULL;"
    if (type != "int") print "    return value;"
    print "}"
}

# ---- our own: arguments by reference, handles as integers, the lengths of strings behind the code. The proposals are
# for FORTRAN 77, which has one kind of INTEGER: their sizes, displacements and counts are default integers. Where
# integers are stored lowest byte first, a program may as well pass one of MPI_ADDRESS_KIND whose value a default
# integer can hold.
function translate(call, name, n, part,   i, a, type, given, list, lengths, before, words, after, word) {
    for (i = 1; i <= n; i++) {
        a = part[i]
        gsub(/\[[^\]]*\]/, "*", a)
        given = gsub(/const /, "", a) || call ~ /^MPI_Add_/ || a ~ /datarep/
        a = trim(a)
        if (sub(/\*$/, "", a)) sub(/ [^ ]+$/, " *&", a)   # int each[]
        word = a; sub(/^.*[ *]/, "", word)
        type = substr(a, 1, length(a) - length(word)); gsub(/ /, "", type)
        if (type == "MPI_Aint" && call !~ /^MPI_/) type = "int"
        if (type == "int" || type == "MPI_Aint") { list = list type " *" word; words = words "*" word }
        else if (type == "int*" || type == "MPI_Aint*") {
            list = list substr(type, 1, length(type) - 1) " *" word
            words = words (word ~ /weights$/ ? "dialect_fortran_weights(" word ")" : word)
        }
        else if (type == "MPI_Status*") {
            list = list "void *" word
            words = words "(void *)" word " == mpi_status_ignore_ ? MPI_STATUS_IGNORE : " word
        }
        else if (type == "MPI_Message*") {
            list = list "MPI_Fint *" word
            before = before "    MPI_Message c_" word " = MPI_Message_f2c(*" word ");\n"
            words = words "&c_" word
            after = after "    *" word " = MPI_Message_c2f(c_" word ");\n"
        }
        else if (type == "char*") {
            list = list (given ? "const " : "") "char *" word
            words = words "c_" word
            lengths = lengths ", size_t l_" word
            if (given) {
                before = before "    g_autofree char *c_" word " = "
                before = before "dialect_fortran_text(" word ", l_" word ");\n"
            } else {
                before = before "    char c_" word "[DIALECT_FORTRAN_STRING] = \"\";\n"
                after = after "    dialect_fortran_pad(" word ", l_" word ", c_" word ");\n"
            }
        }
        else if (type == "void*") { list = list "void *" word; words = words "dialect_fortran_buffer(" word ")" }
        else if (type == "MPI_Count*") { list = list "MPI_Count *" word; words = words word }
        else if (type == "MPI_Count") { list = list type " *" word; words = words "*" word }
        else if (type ~ /^MPI_(Datatype|Op|Win|Info|Comm|Group|Request|Errhandler)$/) {
            list = list "MPI_Fint *" word
            words = words "dialect_fortran_" tolower(substr(type, 5)) "(*" word ")"
        } else if (type ~ /^MPI_(Win|Info|Comm|Group|Request|Errhandler)\*$/) {
            sub(/\*$/, "", type)
            list = list "MPI_Fint *" word
            before = before "    " type " c_" word " = "
            before = before (call ~ /_(free|disconnect)$/ ? type "_f2c(*" word ")" : toupper(type) "_NULL") ";\n"
            words = words "&c_" word
            after = after (type == "MPI_Request" ? "    *" : "    if (*ierr == MPI_SUCCESS) *") word
            after = after " = dialect_fortran_number_" tolower(substr(type, 5)) "(c_" word ");\n"
        } else die(call ": define " name " by hand: " a)
        list = list ", "
        if (i < n) words = words ", "
    }
    print "\nDIALECT_BINDING void " name "(" list "int *ierr" lengths ");"
    print "void " name "(" list "int *ierr" lengths ")\n{\n    DIALECT_FORTRAN_CODE(ierr);"
    printf "%s", before
    print "    dialect_fortran_pc = DIALECT_HERE;"
    print "    *ierr = " call "(" words ");"
    print "    dialect_fortran_pc = 0;"
    printf "%s", after
    print "}"
}

END { if (failed) exit 1 }

# Writes the module mpi_f08 (MPI-3.1 17.1.2):   awk -f f08.awk f08_words.def f08.def smpi/mpif.h mpif.h > mpi_f08.f90
#
# Handles are types of one integer, so that a call has the same words as mpif.h's and goes to the same binding
# (generate.awk): these are interfaces only, and the module has no code. An absent ierror is a null pointer. Buffers are
# passed as in mpif.h, sections of arrays as copies: MPI_SUBARRAYS_SUPPORTED is .FALSE. They are targets, or gfortran
# would take it that a call keeps no pointer to its buffer, and move accesses across the wait of a nonblocking one.

function die(text) { print "f08.awk: " text > "/dev/stderr"; failed = 1; exit 1 }

BEGIN {
    handles = split("comm group request op errhandler win info file datatype message", handle)
    for (i = 1; i <= handles; i++)
        type[handle[i]] = "type(MPI_" toupper(substr(handle[i], 1, 1)) substr(handle[i], 2) ")"
    type["integer"] = "integer"
    type["logical"] = "logical"
    type["address"] = "integer(kind=MPI_ADDRESS_KIND)"
    type["offset"] = "integer(kind=MPI_OFFSET_KIND)"
    type["large"] = "integer(kind=MPI_COUNT_KIND)"
    type["string"] = "character(len=*)"
    type["choice"] = "type(*), dimension(*)"
    type["pointer"] = "type(c_ptr)"
    type["status"] = "type(MPI_Status)"
    type["user_function"] = "procedure(MPI_User_function)"
    type["errhandler_function"] = "procedure(MPI_Comm_errhandler_function)"
    type["win_errhandler_function"] = "procedure(MPI_Win_errhandler_function)"
}

# ---- f08_words.def, f08.def
FILENAME ~ /\.def$/ {
    if (/^#/ || /^$/) next
    if (/^ /) lines[count] = lines[count] $0
    else lines[++count] = $0
    next
}

# ---- mpif.h: parameter(NAME=VALUE)
tolower($0) ~ /^ *parameter *\(/ {
    line = $0
    gsub(/ /, "", line)
    if (!match(line, /MPI_[A-Z0-9_]+=/)) next
    name = substr(line, RSTART, RLENGTH - 1)
    text = substr(line, RSTART + RLENGTH)
    sub(/\).*$/, "", text)
    if (!(name in value)) order[++constants] = name
    value[name] = text
}

# ---- one argument: NAME, marks, :KIND
function argument(word,   name, marks, its, dims) {
    its = ""
    if (match(word, /:[a-z_]+/)) {
        its = substr(word, RSTART + 1, RLENGTH - 1)
        word = substr(word, 1, RSTART - 1) substr(word, RSTART + RLENGTH)
    }
    name = word
    sub(/[\[>=].*$/, "", name)
    marks = substr(word, length(name) + 1)
    if (its == "") { its = kind[name]; used[name] = 1 }
    if (!(its in type)) die("what is " name " of: " call)
    dims = index(marks, "[3,]") ? ", dimension(3,*)" : index(marks, "[]") ? ", dimension(*)" : ""
    names = names (names == "" ? "" : ", ") name
    if (its == "choice") {
        declared = declared "      !GCC$ ATTRIBUTES NO_ARG_CHECK :: " name "\n"
        dims = ", target"
    }
    declared = declared "      " type[its] dims intent(its, marks) " :: " name "\n"
}

# MPI_BOTTOM and MPI_STATUS_IGNORE are no variables of the program: neither a buffer nor a status is INTENT(OUT).
function intent(its, marks) {
    if (its ~ /_function$/) return ""
    if (marks ~ />/) return its == "choice" || its == "status" ? "" : ", intent(out)"
    return marks ~ /=/ ? ", intent(inout)" : ", intent(in)"
}

function interface(line,   n, part, i, ends) {
    n = split(line, part, " ")
    call = part[1]
    ends = sub(/\/$/, "", call)
    names = declared = ""
    for (i = 2; i <= n; i++) argument(part[i])
    if (!ends) {
        names = names (names == "" ? "" : ", ") "ierror"
        declared = declared "      integer, optional, intent(out) :: ierror\n"
    }
    for (i = 1; i <= 2; i++)   # PMPI_X: the profiling interface
        print "    subroutine " (i == 2 ? "P" : "") "MPI_" call "(" names ")\n      import\n" declared \
              "    end subroutine"
}

function compared(sign, word,   i) {
    print "  interface operator(" sign ")"
    for (i = 1; i <= handles; i++)
        print "    logical function sw_f08_" word "_" handle[i] "(a, b)\n      import\n      " \
              type[handle[i]] ", intent(in) :: a, b\n    end function"
    print "  end interface"
    for (i = 1; i <= handles; i++) print "  private :: sw_f08_" word "_" handle[i]
}

END {
    if (failed) exit 1
    print "! Written by f08.awk from f08_words.def, f08.def and mpif.h: do not edit."
    print "module mpi_f08\n  use, intrinsic :: iso_c_binding, only: c_ptr\n  implicit none\n  private :: c_ptr\n"
    for (i = 1; i <= count; i++) {
        n = split(lines[i], part, " ")
        if (part[1] == "kind") for (j = 3; j <= n; j++) kind[part[j]] = part[2]
        if (part[1] == "constants") for (j = 3; j <= n; j++) of["MPI_" part[j]] = part[2]
    }
    for (i = 1; i <= handles; i++) {
        name = type[handle[i]]
        gsub(/^type\(|\)$/, "", name)
        print "  type, bind(c) :: " name "\n    integer :: MPI_VAL\n  end type"
        record[handle[i]] = name
    }
    print "  type, bind(c) :: MPI_Status\n    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR"
    print "    integer, private :: counted, cancelled\n  end type\n"

    print "  integer, parameter :: MPI_ADDRESS_KIND = " value["MPI_ADDRESS_KIND"]
    print "  integer, parameter :: MPI_OFFSET_KIND = " value["MPI_OFFSET_KIND"]
    print "  integer, parameter :: MPI_COUNT_KIND = " value["MPI_OFFSET_KIND"]
    print "  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .false."
    print "  logical, parameter :: MPI_ASYNC_PROTECTS_NONBLOCKING = .false."
    for (i = 1; i <= constants; i++) {
        name = order[i]
        if (name == "MPI_ADDRESS_KIND" || name == "MPI_OFFSET_KIND") continue
        its = name in of ? of[name] : "integer"
        taken[name] = 1
        text = its in record ? record[its] "(" value[name] ")" : value[name]
        print "  " type[its] ", parameter :: " name " = " text
    }
    for (name in of) if (!(name in taken)) die(name " is not in mpif.h")

    print "\n  integer, bind(c, name=\"mpi_bottom_\") :: MPI_BOTTOM"
    print "  integer, bind(c, name=\"mpi_in_place_\") :: MPI_IN_PLACE"
    print "  integer, bind(c, name=\"mpi_unweighted_\") :: MPI_UNWEIGHTED(1)"
    print "  integer, bind(c, name=\"mpi_weights_empty_\") :: MPI_WEIGHTS_EMPTY(1)"
    print "  type(MPI_Status), bind(c, name=\"mpi_status_ignore_\") :: MPI_STATUS_IGNORE"
    print "  type(MPI_Status), bind(c, name=\"mpi_statuses_ignore_\") :: MPI_STATUSES_IGNORE(1)\n"

    print "  abstract interface\n    subroutine MPI_User_function(invec, inoutvec, len, datatype)"
    print "      import\n      type(c_ptr), value :: invec, inoutvec\n      integer :: len"
    print "      type(MPI_Datatype) :: datatype\n    end subroutine"
    print "    subroutine MPI_Comm_errhandler_function(comm, error_code)\n      import"
    print "      type(MPI_Comm) :: comm\n      integer :: error_code\n    end subroutine"
    print "    subroutine MPI_Win_errhandler_function(win, error_code)\n      import"
    print "      type(MPI_Win) :: win\n      integer :: error_code"
    print "    end subroutine\n  end interface\n\n  interface"
    for (i = 1; i <= count; i++) if (lines[i] !~ /^(kind|constants) /) interface(lines[i])
    for (name in kind) if (!(name in used)) die(name " is an argument of no call")
    for (i = 1; i <= 4; i++)
        print "    double precision function " (i > 2 ? "P" : "") "MPI_Wt" (i % 2 ? "ime" : "ick") \
              "()\n    end function"
    for (i = 1; i <= 4; i++)
        print "    function " (i > 2 ? "P" : "") "MPI_Aint_" (i % 2 ? "add(base, disp)" : "diff(addr1, addr2)") \
              " result(address)\n" \
              "      import\n      integer(kind=MPI_ADDRESS_KIND), intent(in) :: " \
              (i % 2 ? "base, disp" : "addr1, addr2") "\n      integer(kind=MPI_ADDRESS_KIND) :: address\n" \
              "    end function"
    print "    subroutine MPI_F_sync_reg(buf)\n      import\n      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf"
    print "      type(*), dimension(*), target :: buf\n    end subroutine"
    for (i = 1; i <= 2; i++) {
        to = i == 1 ? "f2f08" : "f082f"
        print "    subroutine MPI_Status_" to "(" (i == 1 ? "f_status, f08_status" : "f08_status, f_status") ", ierror)"
        print "      import\n      integer, intent(" (i == 1 ? "in" : "out") ") :: f_status(MPI_STATUS_SIZE)"
        print "      type(MPI_Status), intent(" (i == 1 ? "out" : "in") ") :: f08_status"
        print "      integer, optional, intent(out) :: ierror\n    end subroutine"
    }
    print "  end interface\n"
    print "  interface MPI_Sizeof\n    subroutine sw_f08_sizeof(x, size, ierror) bind(C, name='sw_f08_sizeof_')"
    print "      type(*), dimension(..), intent(in) :: x\n      integer, intent(out) :: size"
    print "      integer, intent(out), optional :: ierror\n    end subroutine\n  end interface"
    compared("==", "same")
    compared("/=", "other")
    print "end module mpi_f08"
}

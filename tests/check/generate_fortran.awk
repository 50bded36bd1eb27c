# As generate.awk, in Fortran: every two kinds of access with every kind of synchronisation, without a table.
#
#   awk -f generate_fortran.awk -v expected=FILE fortran.txt > cases.f90
#
# Every case is a subroutine, run by three ranks; the window is a module's array. An argument "race" of the program
# makes it run the racy ones. fortran.txt has more, as cases.txt has: "!1" and "!2" end the lines blamed, and their
# window is the array grid.

BEGIN {
    print "module cases\n  use mpi\n  implicit none\n  logical :: race\n  integer :: rank, ierr, win, request"
    print "  integer, volatile :: mem(4), va, vb, ra, rb, seen\n  integer(kind=MPI_ADDRESS_KIND) :: first = 0"
    print "  character(len=16) :: text\n  equivalence (mem, text)\n  integer, target, volatile :: grid(4, 4)\ncontains"
    line = 11
    split("put get acc fop rget load store", kind, " ")
    text["put"] = "call MPI_Put(vX, 1, MPI_INTEGER, 2, first, 1, MPI_INTEGER, win, ierr)"
    text["get"] = "call MPI_Get(rX, 1, MPI_INTEGER, 2, first, 1, MPI_INTEGER, win, ierr)"
    text["acc"] = "call MPI_Accumulate(vX, 1, MPI_INTEGER, 2, first, 1, MPI_INTEGER, MPI_SUM, win, ierr)"
    text["fop"] = "call MPI_Fetch_and_op(vX, rX, MPI_INTEGER, 2, first, MPI_SUM, win, ierr)"
    text["rget"] = "call MPI_Rget(rX, 1, MPI_INTEGER, 2, first, 1, MPI_INTEGER, win, request, ierr)"
    text["load"] = "seen = mem(1)"
    text["store"] = "mem(1) = 5"
    split("fence lock flush", way, " ")
    for (w = 1; w in way; w++)
        for (a = 1; a in kind; a++)
            for (b = 1; b in kind; b++) product(way[w], kind[a], kind[b])
    for (b = 1; b in kind; b++) buffer(kind[b])
    internal("put", "read (text(1:8), *, iostat=ierr) seen")
    internal("get", "write (text(1:8), '(i8)') rank")
}

# ---- fortran.txt
/^#/ || NF == 0 { next }
/^== / {
    if (at1) finish(1)
    begin($2)
    window[n] = "grid"
    next
}
{
    only = substr($0, 1, 2)
    body = only == "- " || only == "+ " ? substr($0, 3) : $0
    out((only == "- " ? "if (race) " : only == "+ " ? "if (.not. race) " : "") body)
    if (body ~ /!1?2$/) at2 = line
    if (body ~ /!12?$/) at1 = line
}

END {
    if (at1) finish(1)
    print "end module\n"
    print "program main\n  use cases\n  character(len=8) :: how\n  integer(kind=MPI_ADDRESS_KIND) :: bytes = 16"
    print "  call get_command_argument(1, how)\n  race = how == 'race'\n  call MPI_Init(ierr)"
    print "  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)"
    for (i = 1; i <= n; i++) {
        print "  call MPI_Win_create(" (window[i] ? "grid, 4 * bytes" : "mem, bytes") ", 4, MPI_INFO_NULL, &"
        print "    MPI_COMM_WORLD, win, ierr)\n  call " name[i] "()"
        print "  call MPI_Barrier(MPI_COMM_WORLD, ierr)\n  call MPI_Win_free(win, ierr)"
    }
    print "  call MPI_Finalize(ierr)\nend program"
}

function out(s) { print "    " s; line++ }
function begin(called) { name[++n] = called; print "  subroutine " called "()"; line++ }
function finish(class) {
    print "  end subroutine"
    line++
    if (class) print "error", (at1 < at2 ? at1 : at2), (at1 < at2 ? at2 : at1), name[n] > expected
    at1 = at2 = 0
}
function act(who, k, x,   s) {
    s = text[k]
    gsub(/X/, x, s)
    out("if (rank == " who ") " s)
    if (k == "rget") out("if (rank == " who ") call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)")
    return k == "rget" ? line - 1 : line
}
function fence() { return "call MPI_Win_fence(0, win, ierr)" }

function product(how, a, b,   r0, r1, reads, both) {
    r0 = a ~ /load|store/ ? 2 : 0
    r1 = b ~ /load|store/ ? 2 : 1
    if (r0 == r1 || (how == "fence" && (a b) ~ /rget/)) return
    reads = (a ~ /get|load/) && (b ~ /get|load/)
    both = a ~ /acc|fop/ && b ~ /acc|fop/
    begin(how "_" a "_" b)
    if (how == "fence") {
        out(fence())
        at1 = act(r0, a, "a")
        out("if (.not. race) " fence())
        at2 = act(r1, b, "b")
        out(fence())
    } else if (how == "lock") {
        out("integer :: lock")
        out("lock = merge(MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE, race)")
        out("if (rank == " r0 ") call MPI_Win_lock(lock, 2, 0, win, ierr)")
        at1 = act(r0, a, "a")
        out("if (rank == " r0 ") call MPI_Win_unlock(2, win, ierr)")
        out("if (rank == " r1 ") call MPI_Win_lock(lock, 2, 0, win, ierr)")
        at2 = act(r1, b, "b")
        out("if (rank == " r1 ") call MPI_Win_unlock(2, win, ierr)")
    } else {
        out("call MPI_Win_lock_all(0, win, ierr)")
        at1 = act(r0, a, "a")
        out("if (rank == " r0 ") call MPI_Win_flush(2, win, ierr)")
        out("call MPI_Win_sync(win, ierr)")
        out("if (.not. race) call MPI_Barrier(MPI_COMM_WORLD, ierr)")
        out("if (.not. race) call MPI_Win_sync(win, ierr)")
        at2 = act(r1, b, "b")
        out("call MPI_Win_unlock_all(win, ierr)")
    }
    finish(!reads && !both)
}

# An internal unit in the window, beside an operation in its bytes or behind them.
function internal(k, statement) {
    begin("internal_unit_and_" k)
    out("text = '12'")
    out(fence())
    out("first = merge(1, 2, race)")
    at1 = act(0, k, "a")
    out("if (rank == 2) " statement)
    at2 = line
    out("first = 0")
    out(fence())
    finish(1)
}

# The origin's buffer before and behind the flush.
function buffer(k) {
    if (k ~ /load|store|rget/) return
    begin("buffer_of_" k)
    out("call MPI_Win_lock_all(0, win, ierr)")
    at1 = act(0, k, "a")
    out("if (.not. race .and. rank == 0) call MPI_Win_flush_local(2, win, ierr)")
    out("if (rank == 0) " (k ~ /put|acc/ ? "va" : "ra") " = 3")
    at2 = line
    out("call MPI_Win_unlock_all(win, ierr)")
    finish(1)
}

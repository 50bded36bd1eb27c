# Writes cases for generate.awk: every two kinds of access of which one at least is a call of MPI or of C's library that
# loads or stores, goes through another window over the memory, or is made directly by a process that shares it; crossed
# with every kind of synchronisation. The product of the others is generate.awk's own.
#
#   awk -f combine.awk >cases.txt
#
# Ranks 0 and 1 operate on rank 2's memory, or access it directly if it is shared; what is the target's own rank 2 does.

BEGIN {
    kinds = split("put get acc rep fop nop cas gac rput rget load store " \
                  "pack unpack from to send recv oput oget oacc ofop sload sstore", kind, " ")
    text["put"] = "MPI_Put(&vX, 1, MPI_INT, 2, 0, 1, MPI_INT, W);"
    text["get"] = "MPI_Get(&rX, 1, MPI_INT, 2, 0, 1, MPI_INT, W);"
    text["acc"] = "MPI_Accumulate(&vX, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, W);"
    text["rep"] = "MPI_Accumulate(&vX, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_REPLACE, W);"
    text["fop"] = "MPI_Fetch_and_op(&vX, &rX, MPI_INT, 2, 0, MPI_SUM, W);"
    text["nop"] = "MPI_Fetch_and_op(NULL, &rX, MPI_INT, 2, 0, MPI_NO_OP, W);"
    text["cas"] = "MPI_Compare_and_swap(&vX, &cX, &rX, MPI_INT, 2, 0, W);"
    text["gac"] = "MPI_Get_accumulate(&vX, 1, MPI_INT, &rX, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, W);"
    text["rput"] = "MPI_Rput(&vX, 1, MPI_INT, 2, 0, 1, MPI_INT, W, &request); MPI_Wait(&request, MPI_STATUS_IGNORE);"
    text["rget"] = "MPI_Rget(&rX, 1, MPI_INT, 2, 0, 1, MPI_INT, W, &request); MPI_Wait(&request, MPI_STATUS_IGNORE);"
    text["load"] = "seen = base[0];"
    text["store"] = "base[0] = 5;"
    text["pack"] = "MPI_Pack(base, 1, MPI_INT, packed, sizeof packed, &place, MPI_COMM_WORLD);"
    text["unpack"] = "MPI_Unpack(packed, sizeof packed, &place, base, 1, MPI_INT, MPI_COMM_WORLD);"
    text["from"] = "memcpy(packed, base, 4);"
    text["to"] = "memcpy(base, packed, 4);"
    text["send"] = "MPI_Sendrecv(base, 1, MPI_INT, 2, 3, packed, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
    text["recv"] = "MPI_Sendrecv(packed, 1, MPI_INT, 2, 3, base, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
    text["sload"] = "seen = theirs[0];"
    text["sstore"] = "theirs[0] = 6;"
    own = " load store pack unpack from to send recv "
    direct = " sload sstore "
    reads = " get nop rget load pack from send oget sload "
    accumulates = " acc rep fop nop cas gac "
    print "# Written by combine.awk.\n% static char packed[64];\n% static int place, *theirs;\n% static MPI_Win over;"
    split("fence lock flush message post", way, " ")
    for (w = 1; w in way; w++)
        for (a = 1; a <= kinds; a++)
            for (b = 1; b <= kinds; b++)
                if (a > 12 || b > 12) combine(way[w], kind[a], kind[b])
}

function is(list, word) { return index(list, " " word " ") > 0 }
function other(kind) { return kind ~ /^o/ }
function plain(kind) { return other(kind) ? substr(kind, 2) : kind }

function conflict(a, b) {
    if (is(reads, a) && is(reads, b)) return 0
    a = plain(a); b = plain(b)
    return both_other || !is(accumulates, a) || !is(accumulates, b) || !same(a, b)
}
# Of two accumulates through one window: the same operation, or one that goes with it.
function same(a, b) { return a ~ /nop|cas/ || b ~ /nop|cas/ || (a == "rep") == (b == "rep") }

# A line of synchronisation, through both windows where both are used.
function sync(s,   t) {
    print s
    if (!both_windows) return
    t = s
    gsub(/win\)/, "over)", t)
    if (t != s) print t
}
# Who does it, at its line.
function act(who, k, x, mark,   s) {
    s = text[plain(k)]
    gsub(/X/, x, s)
    gsub(/W\)/, (other(k) ? "over" : "win") ")", s)
    gsub(/W,/, (other(k) ? "over" : "win") ",", s)
    print "if (rank == " who ") { " s " }" mark
}

function combine(how, a, b,   here_a, here_b, r0, r1, shared, races) {
    here_a = is(own, a)
    here_b = is(own, b)
    shared = is(direct, a) || is(direct, b)
    if (here_a && here_b) return                                        # program order
    if ((a b) ~ /rput|rget/ && how ~ /fence|post/) return               # they need a lock
    if (shared && how == "post") return                                 # start is before operations only
    if (how == "lock" && other(a) != other(b)) return                   # locks of two windows exclude nobody
    both_windows = other(a) || other(b)
    both_other = other(a) != other(b)
    # the request of an Rget is complete once its value is there
    races = conflict(a, b) && !(how == "flush" && a == "rget")
    one_ = races ? " /*1*/" : ""
    two_ = races ? " /*2*/" : ""
    r0 = here_a ? 2 : 0
    r1 = here_b ? 2 : 1
    print "== " how "_" a "_" b (shared ? ": shared" : "")
    print "place = 0;"
    if (shared) print "MPI_Aint bytes; int unit; MPI_Win_shared_query(win, 2, &bytes, &unit, &theirs);"
    if (both_windows) print "MPI_Win_create(base, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &over);"
    if (how == "fence") {
        sync("MPI_Win_fence(0, win);")
        act(r0, a, "a", one_)
        sync("+ MPI_Win_fence(0, win);")
        act(r1, b, "b", two_)
        sync("MPI_Win_fence(0, win);")
    } else if (how == "lock") {
        print "int how = race ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE;"
        sync("if (rank == " r0 ") MPI_Win_lock(how, 2, 0, win);")
        act(r0, a, "a", one_)
        sync("if (rank == " r0 ") MPI_Win_unlock(2, win);")
        sync("if (rank == " r1 ") MPI_Win_lock(how, 2, 0, win);")
        act(r1, b, "b", two_)
        sync("if (rank == " r1 ") MPI_Win_unlock(2, win);")
    } else if (how == "flush") {
        local_a = here_a || is(direct, a)
        sync("MPI_Win_lock_all(0, win);")
        act(r0, a, "a", one_)
        sync(local_a ? "MPI_Win_sync(win);" : "+ if (rank == 0) MPI_Win_flush(2, win);")
        print (local_a ? "+ " : "") "MPI_Barrier(MPI_COMM_WORLD);"
        sync("MPI_Win_sync(win);")
        act(r1, b, "b", two_)
        sync("MPI_Win_unlock_all(win);")
    } else if (how == "message") {
        sync("MPI_Win_lock_all(0, win);")
        act(r0, a, "a", one_)
        sync("if (rank == " r0 ") MPI_Win_flush(2, win);")
        sync("if (rank == " r0 ") MPI_Win_sync(win);")
        print "+ if (rank == " r0 ") MPI_Send(NULL, 0, MPI_INT, " r1 ", 7, MPI_COMM_WORLD);"
        print "+ if (rank == " r1 ") MPI_Recv(NULL, 0, MPI_INT, " r0 ", 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
        sync("if (rank == " r1 ") MPI_Win_sync(win);")
        act(r1, b, "b", two_)
        sync("MPI_Win_unlock_all(win);")
    } else if (here_a) {
        print "if (!race && rank == 2) { " text[a] " }"
        sync("if (rank == 2) MPI_Win_post(one, 0, win);")
        print "if (race && rank == 2) { " text[a] " }" one_
        sync("if (rank == 1) MPI_Win_start(two, 0, win);")
        act(1, b, "b", two_)
        sync("if (rank == 1) MPI_Win_complete(win);")
        sync("if (rank == 2) MPI_Win_wait(win);")
    } else {
        sync("if (rank == 2) MPI_Win_post(race ? both : zero, 0, win);")
        sync("if (rank == 0) MPI_Win_start(two, 0, win);")
        act(0, a, "a", one_)
        sync("if (rank == 0) MPI_Win_complete(win);")
        sync("+ if (rank == 2) MPI_Win_wait(win);")
        sync("+ if (rank == 2) MPI_Win_post(one, 0, win);")
        if (here_b) {
            sync("+ if (rank == 1) MPI_Win_start(two, 0, win);")
            sync("+ if (rank == 1) MPI_Win_complete(win);")
            sync("+ if (rank == 2) MPI_Win_wait(win);")
            act(2, b, "b", two_)
            sync("- if (rank == 1) MPI_Win_start(two, 0, win);")
            sync("- if (rank == 1) MPI_Win_complete(win);")
            sync("- if (rank == 2) MPI_Win_wait(win);")
        } else {
            sync("if (rank == 1) MPI_Win_start(two, 0, win);")
            act(1, b, "b", two_)
            sync("if (rank == 1) MPI_Win_complete(win);")
            sync("if (rank == 2) MPI_Win_wait(win);")
        }
    }
    if (both_windows) print "MPI_Barrier(MPI_COMM_WORLD);\nMPI_Win_free(&over);"
}

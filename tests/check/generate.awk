# Writes one C program of many small cases, and the pairs of lines that the check must find in it.
#
#   awk -f generate.awk -v expected=FILE [-v crossed=0] [-v every=N] cases.txt ... > cases.c
#
# Every N-th case is written (default: all).
# Every case is a function with a window of its own, run by four ranks; `race` says whether it is the racy one or its
# correct sibling. The product below crosses every two kinds of access with every kind of synchronisation; cases.txt
# holds what it does not reach: after "== NAME", lines of C; "- " before a line: in the racy one only; "+ ": in the
# sibling only; "% ": outside of functions, ahead of the next case. /*1*/ and /*2*/ mark the two lines that the racy one
# must be blamed for: a pair; "/*12*/": one line against itself. "== NAME: separate": in that model only. "== NAME:
# shared": the window is shared memory; "== NAME: separate, shared": both.

BEGIN {
    print "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    print "static int race, rank, *base, va, vb, ra, rb, ca, cb;\nstatic volatile int seen;\nstatic MPI_Win win;"
    print "static MPI_Request request;\nstatic MPI_Datatype holes;\nstatic MPI_Group zero, one, two, both;\n"
    line = 12
    split("put get acc rep fop nop cas gac rput rget load store", kind, " ")
    text["put"] = "MPI_Put(&vX, 1, MPI_INT, 2, 0, 1, MPI_INT, win);"
    text["get"] = "MPI_Get(&rX, 1, MPI_INT, 2, 0, 1, MPI_INT, win);"
    text["acc"] = "MPI_Accumulate(&vX, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win);"
    text["rep"] = "MPI_Accumulate(&vX, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_REPLACE, win);"
    text["fop"] = "MPI_Fetch_and_op(&vX, &rX, MPI_INT, 2, 0, MPI_SUM, win);"
    text["nop"] = "MPI_Fetch_and_op(NULL, &rX, MPI_INT, 2, 0, MPI_NO_OP, win);"
    text["cas"] = "MPI_Compare_and_swap(&vX, &cX, &rX, MPI_INT, 2, 0, win);"
    text["gac"] = "MPI_Get_accumulate(&vX, 1, MPI_INT, &rX, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win);"
    text["rput"] = "MPI_Rput(&vX, 1, MPI_INT, 2, 0, 1, MPI_INT, win, &request);"
    text["rget"] = "MPI_Rget(&rX, 1, MPI_INT, 2, 0, 1, MPI_INT, win, &request);"
    text["load"] = "seen = base[0];"
    text["store"] = "base[0] = 5;"
    reads = " get nop rget load "
    accumulates = " acc rep fop nop cas gac "
    split("fence lock flush message post", way, " ")
    for (w = 1; crossed != "0" && w in way; w++)
        for (a = 1; a in kind; a++)
            for (b = 1; b in kind; b++) if (chosen()) product(way[w], kind[a], kind[b])
}

# Is the next case written? N has no factor in common with the 12 kinds: each kind of each way is, in the product.
function chosen() { return every < 2 || seen++ % every == 0 }

function is(list, word) { return index(list, " " word " ") > 0 }
function out(s) { print s; line++ }
function begin(name, ints, shared) {
    functions[++cases] = name
    integers[name] = ints; flavor[name] = shared
    out("static void " name "(void)")
    out("{")
}
function finish() { out("}"); out("") }
function expect(class, name, a, b) { if (a && b) print class, a < b ? a : b, a < b ? b : a, name > expected }

function conflict(a, b) {
    if (is(reads, a) && is(reads, b)) return 0
    if (is(accumulates, a) && is(accumulates, b))
        return !(a == "nop" || b == "nop" || a == "cas" || b == "cas" || (a == "rep") == (b == "rep"))
    return 1
}

# Who does it, at its line; a request is waited for with the rest of its rank's epoch.
function act(who, k, x,   s) {
    s = text[k]
    gsub(/X/, x, s)
    out("    if (rank == " who ") { " s (k ~ /^r(put|get)$/ ? " MPI_Wait(&request, MPI_STATUS_IGNORE);" : "") " }")
    return line
}

function product(how, a, b,   name, first, second, local_a, local_b, r0, r1, requests) {
    local_a = a ~ /^(load|store)$/
    local_b = b ~ /^(load|store)$/
    requests = (a b) ~ /rput|rget/
    if (local_a && local_b) return                                # program order
    if (requests && how ~ /fence|post/) return                    # they need a lock
    r0 = local_a ? 2 : 0
    r1 = local_b ? 2 : 1
    name = how "_" a "_" b
    begin(name, 1, 0)
    if (how == "fence") {
        out("    MPI_Win_fence(0, win);")
        first = act(r0, a, "a")
        out("    if (!race) MPI_Win_fence(0, win);")
        second = act(r1, b, "b")
        out("    MPI_Win_fence(0, win);")
    } else if (how == "lock") {
        out("    int how = race ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE;")
        out("    if (rank == " r0 ") MPI_Win_lock(how, 2, 0, win);")
        first = act(r0, a, "a")
        out("    if (rank == " r0 ") MPI_Win_unlock(2, win);")
        out("    if (rank == " r1 ") MPI_Win_lock(how, 2, 0, win);")
        second = act(r1, b, "b")
        out("    if (rank == " r1 ") MPI_Win_unlock(2, win);")
    } else if (how == "flush") {
        out("    MPI_Win_lock_all(0, win);")
        first = act(r0, a, "a")
        out("    if (!race && rank == 0) MPI_Win_flush(2, win);")
        if (local_a || local_b) out("    if (!race || " local_a ") MPI_Win_sync(win);")
        out("    MPI_Barrier(MPI_COMM_WORLD);")
        if (local_a) out("    if (race && rank == 2) " (a == "load" ? "seen = base[0];" : "base[0] = 6;"))
        if (local_a) first = line
        if (local_a || local_b) out("    MPI_Win_sync(win);")
        second = act(r1, b, "b")
        out("    MPI_Win_unlock_all(win);")
    } else if (how == "message") {
        out("    MPI_Win_lock_all(0, win);")
        first = act(r0, a, "a")
        out("    if (rank == " r0 ") MPI_Win_flush(2, win);")
        out("    if (rank == " r0 ") MPI_Win_sync(win);")
        out("    if (!race && rank == " r0 ") MPI_Send(&va, 1, MPI_INT, " r1 ", 7, MPI_COMM_WORLD);")
        out("    if (!race && rank == " r1 ") MPI_Recv(&ca, 1, MPI_INT, " r0 ", 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);")
        out("    if (rank == " r1 ") MPI_Win_sync(win);")
        second = act(r1, b, "b")
        out("    MPI_Win_unlock_all(win);")
    } else {
        if (local_a) return finish_post(name, a, b)
        out("    if (rank == 2) MPI_Win_post(race ? both : zero, 0, win);")
        out("    if (rank == 0) MPI_Win_start(two, 0, win);")
        first = act(0, a, "a")
        out("    if (rank == 0) MPI_Win_complete(win);")
        out("    if (!race && rank == 2) MPI_Win_wait(win);")
        out("    if (!race && rank == 2) MPI_Win_post(one, 0, win);")
        if (local_b) {
            out("    if (!race && rank == 1) MPI_Win_start(two, 0, win);")
            out("    if (!race && rank == 1) MPI_Win_complete(win);")
            out("    if (!race && rank == 2) MPI_Win_wait(win);")
            second = act(2, b, "b")
            out("    if (race && rank == 1) MPI_Win_start(two, 0, win);")
            out("    if (race && rank == 1) MPI_Win_complete(win);")
            out("    if (race && rank == 2) MPI_Win_wait(win);")
        } else {
            out("    if (rank == 1) MPI_Win_start(two, 0, win);")
            second = act(1, b, "b")
            out("    if (rank == 1) MPI_Win_complete(win);")
            out("    if (rank == 2) MPI_Win_wait(win);")
        }
    }
    finish()
    # the request of an Rget is complete once its value is there
    if (conflict(a, b) && !(how ~ /flush/ && a == "rget")) expect("error", name, first, second)
}

# The target's own access comes before, or after, its post.
function finish_post(name, a, b,   first, second) {
    out("    if (!race && rank == 2) " text[a])
    out("    if (rank == 2) MPI_Win_post(one, 0, win);")
    out("    if (race && rank == 2) " text[a])
    first = line
    out("    if (rank == 1) MPI_Win_start(two, 0, win);")
    second = act(1, b, "b")
    out("    if (rank == 1) MPI_Win_complete(win);")
    out("    if (rank == 2) MPI_Win_wait(win);")
    finish()
    if (conflict(a, b)) expect("error", name, first, second)
}

# ---- cases.txt
/^#/ || NF == 0 { next }
/^% / {
    if (name != "") close_case()
    name = ""
    out(substr($0, 3))
    mark($0)
    next
}
/^== / {
    if (name != "") close_case()
    name = ""
    if (left_out = !chosen()) next
    name = $2
    sub(/:$/, "", name)
    class = /:.*separate/ ? "separate" : "error"
    shared = /:.*shared/
    begin(name, 16, shared)
    next
}
left_out { first_line = second_line = 0; next }
{
    only = substr($0, 1, 2)
    body = only == "- " || only == "+ " ? substr($0, 3) : $0
    guard = only == "- " ? "if (race) " : only == "+ " ? "if (!race) " : ""
    out("    " guard body)
    mark(body)
}
function mark(text) {
    if (text ~ /\/\*12?\*\//) first_line = line
    if (text ~ /\/\*1?2\*\//) second_line = line
}
function close_case() {
    finish()
    expect(class, name, first_line, second_line)
    first_line = second_line = 0
}

END {
    if (name != "") close_case()
    print "static const struct {\n    void (*run)(void);\n    int ints, shared;\n} cases[] = {"
    for (i = 1; i <= cases; i++) print "    {" functions[i] ", " integers[functions[i]] ", " flavor[functions[i]] "},"
    print "};\n"
    print "int main(int argc, char **argv)\n{\n    MPI_Group all;\n    MPI_Init(&argc, &argv);"
    print "    race = argc > 1 && strcmp(argv[1], \"race\") == 0;\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);"
    print "    MPI_Comm_group(MPI_COMM_WORLD, &all);\n    MPI_Group_incl(all, 1, (int[]){0}, &zero);"
    print "    MPI_Group_incl(all, 1, (int[]){1}, &one);\n    MPI_Group_incl(all, 1, (int[]){2}, &two);"
    print "    MPI_Group_incl(all, 2, (int[]){0, 1}, &both);"
    print "    MPI_Type_vector(2, 1, 2, MPI_INT, &holes);\n    MPI_Type_commit(&holes);"
    print "    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {"
    print "        if (argc > 2 && atoi(argv[2]) != (int)cases[i].shared) continue;"
    print "        int bytes = cases[i].ints * 4;\n        if (cases[i].shared)"
    print "            MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);"
    print "        else\n            MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);"
    print "        cases[i].run();\n        MPI_Barrier(MPI_COMM_WORLD);\n        MPI_Win_free(&win);\n    }"
    print "    MPI_Finalize();\n    return 0;\n}"
}

#!/bin/bash
# "PUT/ACCEPT's conformance (an OFFER and an ACCEPT over one window at once included)": in every run, with both lines.
. "$(dirname "$0")/../lib.sh"
cat >"$work/both.c" <<'C'
#include <mpi.h>
#include <put_accept.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, one = 1, got = 0, board[8] = {0}, at;
    MPI_Request request;
    const char *name = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    at = strcmp(name, "over") == 0 ? 0 : 4;
    if (rank == 0) {
        for (volatile int i = 0; i < 20000; i++) continue; /* the other is there before */
        PA_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, 2, MPI_COMM_WORLD);
        PA_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, 1, MPI_COMM_WORLD);
        PA_Accept(NULL, 0, 1, 2, MPI_COMM_WORLD, 0);
        PA_Offer(NULL, 0, 1, 1, MPI_COMM_WORLD, 0);
    } else if (strcmp(name, "after") == 0) {
        PA_Offer(board, sizeof board, 4, 1, MPI_COMM_WORLD, 1);
        PA_Accept(board, sizeof board, 4, 2, MPI_COMM_WORLD, 1);
    } else {
        PA_Ioffer(board, 4 * sizeof *board, 4, 1, MPI_COMM_WORLD, 1, &request); /* both */
        PA_Accept(board + at, 4 * sizeof *board, 4, 2, MPI_COMM_WORLD, 1);      /* both */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
C
cd "$work" || exit 1
"$sidewinder" cc -O1 -g both.c -o both || wrong "both.c is compiled"
lines=$(grep -n '/\* both \*/' both.c | cut -d: -f1 | xargs)
# blamed NAME: class and lines, on $machine
blamed() {
    "$sidewinder" run -m $machine -n 2 -q --json json ./both "$1" || echo "the run ends with $?"
    awk -f "$here/pairs.awk" json
}
for machine in t3d smp now rdma 'now --set serve.when=completion'; do
    says "$machine: an ACCEPT over what an OFFER has is blamed, with both lines" [ "$(blamed over)" = "error $lines" ]
    says "$machine: beside it is not" [ -z "$(blamed beside)" ]
    says "$machine: nor is one after the other" [ -z "$(blamed after)" ]
done

# One that has ended by dates before the other begins is the check's to find; a plain run says what it looked at.
sed '/is there before/d; s/PA_Ioffer.*/& for (volatile int i = 0; i < 200000; i++) continue;/' both.c >ended.c
"$sidewinder" cc -O1 -g ended.c -o ended || wrong "ended.c is compiled"
"$sidewinder" run -m t3d -n 2 ./ended over >out 2>plain
"$sidewinder" run --check -m t3d -n 2 ./ended over >out 2>checked
says "of an OFFER that had ended a plain run says that it looked at this order alone" \
    eval 'grep -q "nor in memory lent by PUT/ACCEPT as this$" plain && grep -q "conflict (16 bytes" checked &&
        ! grep -q "^  None.*PUT/ACCEPT" checked'

# The same rules under --check: places, ranks, bytes, the variable, epochs, the rule, the cure, and how often; one
# finding for each pair of lines.
cat >lent.c <<'C'
#include <mpi.h>
#include <put_accept.h>
#include <string.h>
enum { N = 512 };
static int sent[N], got[N], board[N];
int main(int argc, char **argv)
{
    int rank, seen = 0, i;
    MPI_Request request;
    const char *name = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 1; i < 4; i++) {
        if (rank == 0) {
            sent[0] = i;
            PA_Get(got, N, MPI_INT, 1, 0, N, MPI_INT, 1, MPI_COMM_WORLD); /* get */
            if (!strcmp(name, "get")) seen += got[0]; /* get */
            PA_Offer(NULL, 0, 1, 1, MPI_COMM_WORLD, 0);
            PA_Put(sent, N, MPI_INT, 1, 0, N, MPI_INT, 2, MPI_COMM_WORLD); /* put */
            if (!strcmp(name, "put")) sent[0] = -1; /* put */
            PA_Accept(NULL, 0, 1, 2, MPI_COMM_WORLD, 0);
        } else {
            board[0] = 10 * i;
            PA_Ioffer(board, sizeof board, 4, 1, MPI_COMM_WORLD, 1, &request); /* offer */
            if (!strcmp(name, "offer")) board[0] = 9; /* offer */
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            PA_Iaccept(board, sizeof board, 4, 2, MPI_COMM_WORLD, 1, &request); /* accept */
            if (!strcmp(name, "accept")) seen += board[0]; /* accept */
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return seen == 99;
}
C
"$sidewinder" cc -O1 -g lent.c -o lent || wrong "lent.c is compiled"
# told NAME PLACE TEXT: is it blamed for its lines, three times, with these words?
told() {
    local lines
    lines=$(grep -n "/\* $1 \*/" lent.c | cut -d: -f1 | xargs)
    "$sidewinder" run -m now -n 2 -q --check --json json ./lent "$1"
    says "$1 under --check: one finding, with both lines" [ "$(awk -f "$here/pairs.awk" json)" = "error $lines" ]
    says "$1: three times" grep -q '"count" : 3' json
    for text in "${@:2}" "PUT/ACCEPT: Non-conformance" "from lent.c:${lines% *} to lent.c" "are not permitted" \
        "Cure: "; do
        says "$1: it says '$text'" grep -qF "$text" json
    done
}
told get "rank 0's PA_Get" "rank 0's own memory, 'got'" "Rank 0: request"
told put "rank 0's PA_Put" "rank 0's own memory, 'sent'" "Rank 0: request"
told offer "rank 1's PA_Ioffer" "rank 1's own memory, 'board'" "Rank 1: servicing call"
told accept "rank 1's PA_Iaccept" "rank 1's own memory, 'board'" "Rank 1: servicing call"
"$sidewinder" run -m now -n 2 -q --check --json json ./both over
says "two servicers under --check" [ "$(awk -f "$here/pairs.awk" json)" = "error $lines" ]

# The consequence, against a run in which the call that has the memory is complete before the other begins.
# did NAME WORD: on rdma
did() { says "$1 on rdma: $2" grep -qF "$2" <("$sidewinder" check -m rdma -n 2 ./lent "$1"); }
did get 'stale value (0, not 10'
did offer 'later value sent (9, not 10'
did accept 'stale value (10, not 1'
did put 'harmless here'
finish

#!/bin/bash
# "PUT/ACCEPT's conformance, SHMALLOC's and registration's rules, in the same form": what each proposal forbids is an
# error of every run, at its line; the same with the rule kept is none.
. "$(dirname "$0")/../lib.sh"
cat >"$work/rules.c" <<'C'
#include <mpi.h>
#include <put_accept.h>
#include <shmalloc.h>
#include <string.h>
#include <type_register.h>
static const char *name;
static int broken, rank;
/* The case, with its rule broken or kept. */
static int is(const char *given) { return !strcmp(name, given) && broken; }
static int kept(const char *given) { return !strcmp(name, given) && !broken; }
static void sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++) ((int *)inout)[i] += ((int *)in)[i];
}
static void registered(void)
{
    MPI_Datatype type;
    MPI_Op op;
    MPI_Win win;
    int *base, one = 1;
    MPI_Type_vector(is("same_map") ? 2 + rank : 2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(sum, 1, &op);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    if (!strcmp(name, "same_map") && rank == 1)
        MPI_Type_register(type, MPI_COMM_WORLD); /* the other map */
    if (!strcmp(name, "same_map") && rank == 0)
        MPI_Type_register(type, MPI_COMM_WORLD); /* same_map */
    if (kept("only_registered_ops")) MPI_Op_register(op, MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
    if (!strcmp(name, "only_registered_ops") && rank == 0)
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, op, win); /* only_registered_ops */
    if (kept("only_registered_types")) MPI_Type_register(type, MPI_COMM_WORLD);
    if (!strcmp(name, "only_registered_types") && rank == 0)
        MPI_Put(base, 1, type, 1, 0, 1, type, win); /* only_registered_types */
    MPI_Win_fence(0, win);
    if (!strcmp(name, "deregistered_before_freed"))
        MPI_Type_register(type, MPI_COMM_WORLD); /* registers */
    if (kept("deregistered_before_freed") || kept("same_map") || kept("only_registered_types"))
        MPI_Type_dereg(type, MPI_COMM_WORLD);
    if (!strcmp(name, "deregistered_once") && rank == 0) {
        MPI_Group self;
        MPI_Comm_group(MPI_COMM_SELF, &self);
        MPI_Type_register_sparse(type, self, MPI_COMM_WORLD);
        MPI_Type_dereg(type, MPI_COMM_WORLD);
        if (broken) MPI_Type_dereg(type, MPI_COMM_WORLD); /* deregistered_once */
        MPI_Group_free(&self);
    }
    MPI_Type_free(&type); /* deregistered_before_freed */
    if (kept("only_registered_ops")) MPI_Op_dereg(op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Win_free(&win);
}
static void getput(void)
{
    int *window, one = 1;
    MPI_Comm comm;
    SHM_Shmalloc(&window, 64, MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (!strcmp(name, "inside_the_window") && rank == 0)
        SHM_Put(&one, 1, MPI_INT, broken ? 64 : 60, 1, comm); /* inside_the_window */
    if (!strcmp(name, "getput_communicator") && rank == 0)
        SHM_Put(&one, 1, MPI_INT, 0, 1, broken ? MPI_COMM_WORLD : comm); /* getput_communicator */
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
}
static void put_accept(void)
{
    int board[4] = {0}, one = 1;
    if (!strcmp(name, "tag_in_range") && rank == 0)
        PA_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, broken ? -1 : 1, MPI_COMM_WORLD); /* tag_in_range */
    if (rank == 0 && !is("tag_in_range")) PA_Accept(NULL, 0, 1, 1, MPI_COMM_WORLD, 0);
    if (rank == 1 && !is("tag_in_range")) PA_Accept(board, sizeof board, 4, 1, MPI_COMM_WORLD, 1);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    name = argv[1], broken = argc > 2;
    if (strstr("same_map only_registered_ops only_registered_types deregistered_before_freed deregistered_once", name))
        registered();
    if (strstr("inside_the_window getput_communicator", name)) getput();
    if (strstr("tag_in_range", name)) put_accept();
    MPI_Finalize();
    return 0;
}
C
cd "$work" || exit 1
"$sidewinder" cc -O1 -g rules.c -o rules || wrong "rules.c is compiled"
# blamed NAME [broken]: lines and rules
blamed() {
    "$sidewinder" run -m rdma --set register.required=yes -n 2 -q --json json ./rules "$@" 2>err ||
        echo "the run ends with $?"
    awk -f "$here/pairs.awk" json | cut -d' ' -f3 | sort -u | xargs
}
for case in same_map:registration only_registered_ops:MPI only_registered_types:MPI \
            deregistered_before_freed:registration deregistered_once:registration inside_the_window:SHMALLOC \
            getput_communicator:SHMALLOC tag_in_range:PUT/ACCEPT; do
    name=${case%:*}
    line=$(grep -n "/\* $name \*/" rules.c | cut -d: -f1)
    says "$name: broken, it is blamed for its line" [ "$(blamed $name broken)" = "$line" ]
    says "... as a rule of ${case#*:}" grep -q "\"rule\" : \"${case#*:}" json
    says "$name: kept, nothing is" [ -z "$(blamed $name)" ]
done
at() { grep -n "/\* $1 \*/" rules.c | cut -d: -f1; }
blamed same_map broken >/dev/null
says "ranks whose type maps differ are blamed for both calls" \
    [ "$(awk -f "$here/pairs.awk" json | sort -u)" = "error $(at "the other map") $(at same_map)" ]
blamed deregistered_before_freed broken >/dev/null
says "who frees a type beside the call that registered it" \
    [ "$(awk -f "$here/pairs.awk" json | sort -u)" = "error $(at registers) $(at deregistered_before_freed)" ]
finish
